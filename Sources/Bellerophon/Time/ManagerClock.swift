public import Foundation

/// The manager's clock: monotonic time for waits, wall-clock time for dates. Tests use a ``ManualClock``.
@MainActor
public protocol ManagerClock: AnyObject {
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
    func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall
}

/// A handle for a scheduled call.
@MainActor
public final class ScheduledCall {
    private var onCancel: (@MainActor () -> Void)?

    /// Creates a handle.
    /// - Parameter onCancel: prevents the call.
    public init(onCancel: @escaping @MainActor () -> Void) {
        self.onCancel = onCancel
    }

    /// Prevents the call. Has no effect after the first call of this method or after the handler was called.
    public func cancel() {
        onCancel?()
        onCancel = nil
    }
}
