/// Why a socket of this machine can't be made, or the program behind it can't be reached.
package enum SocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The sockets' folder is not safe, or can't be created.
    case folder(path: String, reason: String)
    case pathTooLong(path: String, limit: Int)
    /// A call on a socket failed.
    case call(path: String, reason: String)
    /// The peer belongs to another user.
    case foreignPeer(path: String)
    case noAnswer(path: String)

    /// The error in one line.
    package var description: String {
        switch self {
        case .folder(let path, let reason): "\(path) can't hold sockets: \(reason)"
        case .pathTooLong(let path, let limit):
            "the socket's path has \(path.utf8.count) bytes, more than the system's \(limit): \(path); "
                + "set XDG_RUNTIME_DIR to a shorter folder"
        case .call(let path, let reason): "\(path): \(reason)"
        case .foreignPeer(let path): "\(path): the program at the other end belongs to another user"
        case .noAnswer(let path): "\(path): no reply"
        }
    }
}
