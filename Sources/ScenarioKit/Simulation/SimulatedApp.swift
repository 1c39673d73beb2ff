import Barricade
import Bellerophon

/// Keeps an app in the state that the simulation states: what it says of itself, and the time.
@MainActor
package final class SimulatedApp {
    /// The app as it is without the simulation's changes.
    private let base: AppFacts
    private var world = SimulatedWorld()
    private weak var manager: BellerophonManager?

    /// - Parameter base: the app without the simulation's changes; nil for the manager's, as it was configured.
    package init(_ manager: BellerophonManager, base: AppFacts? = nil) {
        (self.base, self.manager) = (base ?? manager.machine.app, manager)
    }

    /// Tells the app what has changed since the last call.
    package func follow(_ world: SimulatedWorld) {
        let before = self.world
        self.world = world
        if world.client != before.client { manager?.change(to: base.changed(by: world.client)) }
        if world.clock.replacements != before.clock.replacements { manager?.replaceClock() }
        if world.clock.skipped != before.clock.skipped { manager?.lookAtSleep() }
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
