import Foundation

/// The differences between Linux and Darwin in sockets.
enum SocketPlatform {
    #if canImport(Darwin)
    static let stream = SOCK_STREAM
    static let datagram = SOCK_DGRAM
    /// The server ignores SIGPIPE.
    static let sendFlags: Int32 = 0
    #else
    /// Close-on-exec from the start, so that a process started by another thread does not inherit the socket.
    static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    static let datagram = Int32(SOCK_DGRAM.rawValue)
    /// Writing to a process that has ended returns an error instead of raising SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif
}
