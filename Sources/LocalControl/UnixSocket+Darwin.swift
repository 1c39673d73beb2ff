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

    /// The peer's process and its user; nil if the system can't determine them.
    static func peer(of descriptor: Int32) -> SocketPeer? {
        var (user, group): (uid_t, gid_t) = (0, 0)
        guard getpeereid(descriptor, &user, &group) == 0 else { return nil }
        var process: pid_t = 0
        var size = socklen_t(MemoryLayout<pid_t>.size)
        getsockopt(descriptor, SOL_LOCAL, LOCAL_PEERPID, &process, &size)
        return SocketPeer(user: user, process: process)
    }
}
#endif
