import Barricade
import Bellerophon
import Foundation

/// The clock of an app whose server is simulated: it shows the simulated time, and waits by the real one.
///
/// Time that somebody skips counts as time that the machine has slept: waits are not shorter, and statuses and phases of rules are
/// older by it.
package final class SimulatedClock: ManagerClock {
    private let base: any ManagerClock
    private let barricade: BarricadeServer

    package init(_ base: any ManagerClock, _ barricade: BarricadeServer) {
        (self.base, self.barricade) = (base, barricade)
    }

    package var now: MonotonicInstant { base.now }
    package var date: Date { barricade.date }
    package var slept: Duration { base.slept + barricade.world.clock.skipped }

    @MainActor
    package func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        base.schedule(after: wait, handler)
    }

    package func call(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
        base.call(after: wait, handler)
    }

    package func perform(_ work: @escaping @Sendable () -> Void) { base.perform(work) }
}
