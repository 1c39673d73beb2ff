import Synchronization

/// The name of the token that a request came with. The connection or the endpoint sets it, whichever resolves the token.
final class Caller: Sendable {
    private let found: Mutex<String?>

    /// - Parameter name: the token's name; nil while it is unknown.
    init(_ name: String?) {
        found = Mutex(name)
    }

    var name: String? { found.withLock { $0 } }

    func set(_ name: String) {
        found.withLock { $0 = name }
    }
}
