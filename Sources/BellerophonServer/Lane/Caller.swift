#if Server
import Synchronization

/// Whose token a request came with: set by whoever finds it out, the lane or the router.
final class Caller: Sendable {
    private let found: Mutex<String?>

    /// - Parameter name: the token's, where it is known.
    init(_ name: String?) {
        found = Mutex(name)
    }

    var name: String? { found.withLock { $0 } }

    func set(_ name: String) {
        found.withLock { $0 = name }
    }
}
#endif
