#if canImport(Darwin)
import Foundation

enum PlatformSocket {
    static let stream = SOCK_STREAM
    static let sendFlags: Int32 = 0

    /// Makes a write to a closed peer return an error instead of raising a signal.
    static func preventSignalOnBrokenPipe(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The user id of the peer's process; nil if the system can't determine it.
    static func peerUser(of descriptor: Int32) -> uid_t? {
        var (user, group): (uid_t, gid_t) = (0, 0)
        return getpeereid(descriptor, &user, &group) == 0 ? user : nil
    }
}
#endif
