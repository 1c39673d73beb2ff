public import Foundation
import Synchronization

/// The manager's clock: monotonic time for waits, wall-clock time for dates. Tests use a ``ManualClock``.
///
/// A manager reads it on any thread, because its checks do not depend on the main queue.
public protocol ManagerClock: AnyObject, Sendable {
    /// The current instant, on a monotonic clock that stops while the machine sleeps.
    var now: MonotonicInstant { get }
    /// The current wall-clock time.
    var date: Date { get }
    /// The time that the machine has slept since a fixed point.
    var slept: Duration { get }

    /// Calls the handler once, on the main actor, after the wait.
    /// - Parameters:
    ///   - wait: finite. With zero or less, the handler is called in the next turn.
    ///   - handler: not called after the returned call was cancelled.
    @MainActor
    func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall

    /// Calls the handler once, on any thread, after the wait, also while the main queue is not served.
    /// - Parameters:
    ///   - wait: finite. With zero or less, the handler is called as soon as possible, and not before this method returns.
    ///   - handler: may still be called if another thread cancels the returned call at the moment at which it is due.
    func call(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall

    /// Runs work that may wait long for a disk. Default: at once on the caller's thread, as a test expects it.
    func perform(_ work: @escaping @Sendable () -> Void)
}

extension ManagerClock {
    /// Runs the work at once.
    public func perform(_ work: @escaping @Sendable () -> Void) { work() }
}

/// A handle for a scheduled call.
public final class ScheduledCall: Sendable {
    private let onCancel: Mutex<(@Sendable () -> Void)?>

    /// Creates a handle.
    /// - Parameter onCancel: prevents the call.
    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = Mutex(onCancel)
    }

    /// Prevents the call. Has no effect after the first call of this method or after the handler was called.
    public func cancel() {
        onCancel.withLock { $0.take() }?()
    }
}
