import Barricade
import Bellerophon
import LocalControl

/// Lets scripts switch the simulated server of a program without a dashboard (`bellerophon barricade`), and checks the
/// status when a timed step of a timeline begins.
@MainActor
package final class SimulationRemote {
    private let session: SimulatedSession
    private let clock: any ManagerClock
    private var changed: @MainActor @Sendable () -> Void = {}
    /// Called after every change of the simulated server, and when a step has begun by itself.
    package var onMove: (@MainActor () -> Void)?
    private var nextStep: ScheduledCall?

    /// - Parameter folders: the folders for the control socket, in order of preference.
    package init(_ simulation: Simulation, folders: [SocketFolder], clock: any ManagerClock = DispatchClock()) {
        session = SimulatedSession(simulation, controlFolders: folders)
        self.clock = clock
    }

    /// Opens the control socket and follows the timelines.
    /// - Parameters:
    ///   - app: is kept in the state that the simulation states.
    ///   - state: the state to report.
    ///   - changed: called when the server may answer otherwise.
    /// - Returns: the problem if the socket can't be created; scripts then have no access.
    package func start(
        app: SimulatedApp, state: @escaping @MainActor @Sendable () -> StageMachine,
        changed: @escaping @MainActor @Sendable () -> Void
    ) -> String? {
        self.changed = changed
        session.drive(app)
        session.observe { [weak self] in
            self?.onMove?()
            self?.scheduleNextStep()
        }
        scheduleNextStep()
        return session.listen { [weak self] request in
            self?.answer(request, state) ?? .refused("the program is ending")
        }
    }

    /// What the simulated server offers, and the positions of its timelines.
    package var list: ScenarioList { session.driver.list }

    /// Performs commands of the person, and has the status checked.
    package func perform(_ commands: [BarricadeCommand]) throws(BarricadeError) {
        for command in commands { try session.perform(command) }
        changed()
    }

    /// Performs a request, and has the status checked.
    /// - Parameters:
    ///   - machine: the state of the app.
    ///   - told: called with what was performed, before its effect on the status can be seen.
    /// - Returns: what was performed; nil for a request that changes nothing.
    /// - Throws: ``ControlError/refused(_:)`` with the reason.
    @discardableResult
    package func perform(
        _ request: ControlRequest, of machine: StageMachine, told: (BarricadeCommand) -> Void = { _ in }
    ) throws(ControlError) -> BarricadeCommand? {
        var wanted = request.command
        if case .shortcut(let shortcut) = request {
            wanted = session.driver.command(for: shortcut, of: machine)
            if wanted == nil { throw .refused(shortcut.refusal) }
        }
        guard let wanted else { return nil }
        do {
            try session.perform(wanted)
        } catch {
            throw .refused(ControlText.refusal(error))
        }
        told(wanted)
        changed()
        return wanted
    }

    private func answer(_ request: ControlRequest, _ state: () -> StageMachine) -> ControlReply {
        do {
            try perform(request, of: state())
            return .done(ControlState(session.driver.list, state(), date: session.driver.barricade.date))
        } catch {
            return .refused(error.description)
        }
    }

    private func scheduleNextStep() {
        nextStep?.cancel()
        guard let wait = session.driver.barricade.state.untilNextStep else { return }
        // Slightly after the step's end, so that the step is over then.
        nextStep = clock.schedule(after: wait + .milliseconds(1)) { [weak self] in
            self?.session.followWorld()
            self?.changed()
            self?.onMove?()
            self?.scheduleNextStep()
        }
    }

    package func stop() {
        nextStep?.cancel()
        session.stopObserving()
        session.closeSocket()
    }
}
