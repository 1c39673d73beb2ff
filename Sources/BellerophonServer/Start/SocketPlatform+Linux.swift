#if Server && os(Linux)
import Foundation

/// The differences from Darwin in sockets.
enum SocketPlatform {
    /// Close-on-exec from the start, so that a process started by another thread does not inherit the socket.
    static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    static let datagram = Int32(SOCK_DGRAM.rawValue)
    /// Writing to a process that has ended returns an error instead of raising SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)
}
#endif
