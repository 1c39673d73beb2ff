#if Server && canImport(Darwin)
import Foundation

/// The differences from Linux in sockets.
enum SocketPlatform {
    static let stream = SOCK_STREAM
    static let datagram = SOCK_DGRAM
    /// The server ignores SIGPIPE.
    static let sendFlags: Int32 = 0
}
#endif
