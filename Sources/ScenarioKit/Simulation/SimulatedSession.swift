import Barricade
import Bellerophon
import Dispatch
import Foundation
import LocalControl
import ProgramKit

/// The simulated server of a running program: performs the commands of the person and of scripts (`bellerophon barricade`), and
/// keeps the app in the state that the simulation states.
@MainActor
package final class SimulatedSession {
    package private(set) var driver: BarricadeDriver
    private let simulation: Simulation
    private var replies = SessionTimeline()
    private let folders: [SocketFolder]
    private let clock = DispatchClock()
    private var app: SimulatedApp?
    private var machine: @MainActor () -> StageMachine = { StageMachine() }
    private var changed: @MainActor () -> Void = {}
    private var control: LineServer?
    private var nextStep: ScheduledCall?
    /// Called after every change of the simulated server, including those caused by requests, and when a step of a timeline has
    /// begun by itself.
    package var onMove: (@MainActor () -> Void)?
    /// Performs a script's command, in place of ``perform(_:)``.
    package var onCommand: (@MainActor (BarricadeCommand) throws(BarricadeError) -> Void)?

    /// - Parameter controlFolders: the folders for the control socket, in order of preference.
    package init(_ simulation: Simulation, controlFolders: [SocketFolder]) {
        driver = BarricadeDriver(simulation.barricade)
        self.simulation = simulation
        folders = controlFolders
    }

    /// Opens the control socket and follows the timelines.
    /// - Parameters:
    ///   - app: is kept in the state that the simulation states.
    ///   - machine: the state to report.
    ///   - changed: called when the server may answer otherwise.
    /// - Returns: the problem if the socket can't be created; the program continues, and scripts have no access.
    package func start(
        _ app: SimulatedApp, machine: @escaping @MainActor () -> StageMachine, changed: @escaping @MainActor () -> Void = {}
    ) -> String? {
        (self.app, self.machine, self.changed) = (app, machine, changed)
        followWorld()
        driver.barricade.observe { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.moved() } }
        }
        scheduleNextStep()
        guard !folders.isEmpty else { return nil }
        do {
            control = try ControlServer.start(in: folders) { [weak self] request in
                self?.answer(request) ?? .refused("the program is ending")
            }
            return nil
        } catch {
            return "no socket for scripts: \(error)"
        }
    }

    /// Tells the app who it is and what time it is, if that has changed.
    package func followWorld() { app?.follow(driver.barricade.state.world) }

    private func moved() {
        followWorld()
        onMove?()
        scheduleNextStep()
    }

    private func scheduleNextStep() {
        nextStep?.cancel()
        guard let wait = driver.barricade.state.untilNextStep else { return }
        // Slightly after the step's end, so that the step is over then.
        nextStep = clock.schedule(after: wait + .milliseconds(1)) { [weak self] in
            self?.followWorld()
            self?.changed()
            self?.moved()
        }
    }

    /// Follows what the app is told and what it does.
    package func follow(_ report: StatusReport) {
        let barricade = driver.barricade
        replies.follow(
            report, response: barricade.state.request(simulation.requestName)?.currentResponse, world: barricade.world,
            date: barricade.date)
    }

    /// Saves what the simulated server has replied to a new scenario file.
    /// - Returns: the file's name; nil if there is nothing to save.
    package func exportScenario(date: Date) throws(OutputFileError) -> String? {
        guard let file = replies.file(of: simulation.statusRequest, date: date) else { return nil }
        return try ExportedFile.save(file.json, .scenario, date: date)
    }

    // MARK: Commands

    /// Performs a command. The app is who it then is, and knows the time, when this returns.
    package func perform(_ command: BarricadeCommand) throws(BarricadeError) {
        try driver.perform(command)
        followWorld()
    }

    /// Performs commands of the person, and has the status checked.
    package func perform(_ commands: [BarricadeCommand]) throws(BarricadeError) {
        for command in commands { try perform(command) }
        changed()
    }

    /// Performs a request, and has the status checked.
    /// - Parameter told: called with what was performed, before its effect on the status can be seen.
    /// - Throws: ``ControlError/refused(_:)`` with the reason.
    package func perform(_ request: ControlRequest, told: (BarricadeCommand) -> Void = { _ in }) throws(ControlError) {
        var wanted = request.command
        if case .shortcut(let shortcut) = request {
            wanted = driver.command(for: shortcut, of: machine())
            if wanted == nil { throw .refused(shortcut.refusal) }
        }
        guard let wanted else { return }
        do {
            if let onCommand { try onCommand(wanted) } else { try perform(wanted) }
        } catch {
            throw .refused(ControlText.refusal(error))
        }
        told(wanted)
        changed()
    }

    private func answer(_ request: ControlRequest) -> ControlReply {
        do {
            try perform(request)
            return .done(ControlState(driver.list, machine(), date: driver.barricade.date))
        } catch {
            return .refused(error.description)
        }
    }

    /// Follows the timelines no longer, and closes the control socket.
    package func stop() {
        nextStep?.cancel()
        driver.barricade.observe(nil)
        control?.close()
    }
}
