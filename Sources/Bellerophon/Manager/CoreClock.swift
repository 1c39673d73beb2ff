import Foundation

/// The clock of a manager's core: its calls are made with the core's lock.
struct CoreClock: Sendable {
    let base: any ManagerClock
    /// Runs work with the core's lock.
    let enter: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(_ base: any ManagerClock, enter: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }) {
        self.base = base
        self.enter = enter
    }

    var now: MonotonicInstant { base.now }
    var date: Date { base.date }
    var slept: Duration { base.slept }

    func schedule(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
        base.call(after: wait) { [enter] in enter(handler) }
    }
}
