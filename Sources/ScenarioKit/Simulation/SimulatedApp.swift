import Barricade
import Bellerophon

/// Keeps an app in the state that the simulation states: what it says of itself, and the time.
@MainActor
package final class SimulatedApp {
    /// What the app may be told.
    package struct Changes {
        /// The app has these facts now.
        package var facts: @MainActor (AppFacts) -> Void
        /// Time has passed by the simulated clock.
        package var timeHasPassed: @MainActor () -> Void
        /// The clock was replaced, and may show an earlier time.
        package var clockWasReplaced: @MainActor () -> Void

        package init(_ manager: BellerophonManager) {
            facts = { [weak manager] in manager?.change(to: $0) }
            timeHasPassed = { [weak manager] in manager?.lookAtSleep() }
            clockWasReplaced = { [weak manager] in manager?.replaceClock() }
        }
    }

    /// The app as it is without the simulation's changes.
    private let base: AppFacts
    private var world = SimulatedWorld()
    private let changes: Changes

    package init(_ base: AppFacts, _ changes: Changes) {
        (self.base, self.changes) = (base, changes)
    }

    /// Follows the manager of an app, as it was configured.
    package convenience init(_ manager: BellerophonManager) { self.init(manager.machine.app, Changes(manager)) }

    /// Tells the app what has changed since the last call.
    package func follow(_ world: SimulatedWorld) {
        let before = self.world
        self.world = world
        if world.client != before.client { changes.facts(base.changed(by: world.client)) }
        if world.clock.replacements != before.clock.replacements {
            changes.clockWasReplaced()
        }
        if world.clock.skipped != before.clock.skipped { changes.timeHasPassed() }
    }
}

extension AppFacts {
    /// The facts with those of a change in their place.
    package func changed(by change: ClientChange) -> AppFacts {
        var facts = self
        if let version = change.version { facts.version = version.text }
        if let version = change.osVersion { facts.osVersion = version.text }
        if let id = change.installID { facts.installID = id.text }
        for (name, fact) in change.facts { facts.values[name] = fact.text }
        return facts
    }
}
