import Dispatch
import Synchronization

/// Runs changes one after the other. Urgent ones run before the others that wait.
final class ChangeQueue: Sendable {
    private let queue = DispatchQueue(label: "bellerophon.store")
    private let waiting = Mutex<(urgent: [@Sendable () -> Void], other: [@Sendable () -> Void])>(([], []))

    func add(isUrgent: Bool = false, _ change: @escaping @Sendable () -> Void) {
        waiting.withLock { isUrgent ? $0.urgent.append(change) : $0.other.append(change) }
        queue.async { [self] in
            // One of those that wait, which need not be the one that was added here.
            let next = waiting.withLock { $0.urgent.isEmpty ? $0.other.removeFirst() : $0.urgent.removeFirst() }
            next()
        }
    }
}
