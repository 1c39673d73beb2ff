public import Foundation

/// The manager's time: monotonic for waits, wall time for display only. Tests drive one by hand.
@MainActor
public protocol ManagerClock: AnyObject {
    /// The present, on a clock that stands still while the machine sleeps and never jumps.
    var now: MonotonicInstant { get }
    /// The wall clock.
    var date: Date { get }
    /// The time that the machine has slept since it started.
    var slept: Duration { get }

    /// Calls the handler once, on the main actor, when the wait is over.
    /// - Parameter wait: finite; zero or less fires at the next turn.
    func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall
}

/// A call to come, until it is cancelled.
@MainActor
public final class ScheduledCall {
    private var onCancel: (@MainActor () -> Void)?

    public init(onCancel: @escaping @MainActor () -> Void) {
        self.onCancel = onCancel
    }

    /// Afterwards the handler is not called. Cancelling twice, or after the call, does nothing.
    public func cancel() {
        onCancel?()
        onCancel = nil
    }
}
