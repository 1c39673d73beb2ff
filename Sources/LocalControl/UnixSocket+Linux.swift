#if os(Linux)
import Foundation

enum PlatformSocket {
    static let stream = Int32(SOCK_STREAM.rawValue)
    /// Makes a write to a closed peer return an error instead of raising a signal.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    static func preventSignalOnBrokenPipe(_ descriptor: Int32) {}

    /// The peer's process and its user; nil if the system can't determine them (unix(7), SO_PEERCRED).
    static func peer(of descriptor: Int32) -> SocketPeer? {
        var credentials: (pid: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return SocketPeer(user: credentials.user, process: credentials.pid)
    }
}
#endif
