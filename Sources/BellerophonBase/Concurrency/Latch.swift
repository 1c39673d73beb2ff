import Dispatch
import Synchronization

/// Something that happens once, and that threads wait for.
///
/// A timed wait on a `DispatchSemaphore` ends by the clock of the machine on Linux: where that is set back meanwhile, the wait lasts as
/// much longer. The wait on a group does not depend on it.
package final class Latch: Sendable {
    private let group = DispatchGroup()
    private let isOpen = Atomic(false)

    package init() { group.enter() }

    // A group that nobody leaves is never released.
    deinit { open() }

    /// Ends all waits, now and later.
    package func open() {
        if !isOpen.exchange(true, ordering: .relaxed) { group.leave() }
    }

    /// Waits until the latch is open, at most for the given time.
    /// - Returns: whether it is open.
    @discardableResult
    package func wait(atMost limit: Duration) -> Bool { group.wait(timeout: .now() + limit / .seconds(1)) == .success }
}
