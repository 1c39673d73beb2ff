import Foundation

/// The clock of a manager's core: its calls are made with the core's lock.
final class CoreClock: @unchecked Sendable {
    let base: any ManagerClock
    /// Runs work with the core's lock. Set once, before another thread has the clock.
    var enter: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }

    init(_ base: any ManagerClock) { self.base = base }

    var now: MonotonicInstant { base.now }
    var date: Date { base.date }
    var slept: Duration { base.slept }

    func schedule(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
        base.call(after: wait) { [enter] in enter(handler) }
    }
}
