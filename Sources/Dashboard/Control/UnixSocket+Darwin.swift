#if canImport(Darwin)
import Foundation

enum PlatformSocket {
    static let stream = SOCK_STREAM
    static let sendFlags: Int32 = 0

    /// A peer that is gone is an error to handle and no signal.
    static func preventSignalOnBrokenPipe(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The user whose program is at the other end; nil where the system can't tell.
    static func peerUser(of descriptor: Int32) -> uid_t? {
        var (user, group): (uid_t, gid_t) = (0, 0)
        return getpeereid(descriptor, &user, &group) == 0 ? user : nil
    }
}
#endif
