import Barricade
import Bellerophon
import Dispatch
import Foundation
import LocalControl
import ProgramKit

/// The simulated server of a running dashboard, with the control socket for scripts.
@MainActor
package final class SimulatedSession {
    package private(set) var driver: BarricadeDriver
    private let simulation: Simulation
    private var replies = SessionTimeline()
    private let folders: [SocketFolder]
    private var app: SimulatedApp?
    private var observation: BarricadeObservation?
    private var control: ControlServer?

    package init(_ simulation: Simulation, controlFolders: [SocketFolder]) {
        driver = BarricadeDriver(simulation.barricade)
        self.simulation = simulation
        folders = controlFolders
    }

    /// Sets the app that is kept in the state that the simulation states.
    package func drive(_ app: SimulatedApp) {
        self.app = app
        followWorld()
    }

    /// Tells the app who it is and what time it is, if that has changed.
    package func followWorld() { app?.follow(driver.barricade.state.world) }

    /// Calls back after every change of the barricade, including those caused by requests.
    package func observe(_ changed: @escaping @MainActor @Sendable () -> Void) {
        observation = driver.barricade.observe { [weak self] in
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self?.followWorld()
                    changed()
                }
            }
        }
    }

    /// Opens the control socket for scripts.
    /// - Returns: the problem if the socket can't be created; the program continues without it.
    package func listen(_ answer: @escaping @MainActor @Sendable (ControlRequest) -> ControlReply) -> String? {
        guard !folders.isEmpty else { return nil }
        do {
            control = try ControlServer.start(in: folders, handler: answer)
            return nil
        } catch {
            return "no socket for scripts: \(error)"
        }
    }

    /// Follows what the app is told and what it does.
    package func take(_ report: StatusReport) {
        let barricade = driver.barricade
        replies.take(
            report, response: barricade.state.request(simulation.requestName)?.currentResponse, world: barricade.world,
            date: barricade.date)
    }

    /// Saves what the simulated server has replied to a new scenario file.
    /// - Returns: the file's name; nil if there is nothing to save.
    package func exportScenario(date: Date) throws(OutputFileError) -> String? {
        guard let file = replies.file(of: simulation.statusRequest, date: date) else { return nil }
        return try ExportedFile.save(file.json, .scenario, date: date)
    }

    /// Performs a command. The app is who it then is, and knows the time, when this returns.
    package func perform(_ command: BarricadeCommand) throws(BarricadeError) {
        try driver.perform(command)
        followWorld()
    }

    package func stopObserving() { observation?.cancel() }

    package func closeSocket() { control?.close() }
}
