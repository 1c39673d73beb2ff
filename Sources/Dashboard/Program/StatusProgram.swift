import Bellerophon
import BellerophonCurses
import Dispatch
import Foundation
import ProgramKit
import ScenarioKit

/// What the program has with and without a screen: the watched services, the files of the session, the person's command for
/// changes of the stage, and the simulated server.
@MainActor
final class StatusProgram {
    let clock: any ManagerClock
    let services: [WatchedService]
    /// Nil with a real server.
    let simulated: SimulatedSession?
    private let hook: TransitionCommand?
    private let recorder: Recorder?
    let tape: TapeRecorder?

    /// - Parameter screen: the window that the services share; nil without a screen.
    init(_ setup: DashboardSetup, screen: (any OverlayWindow)? = nil) {
        let realClock = DispatchClock()
        // Instants of several services are compared, so all have one clock.
        let clock: any ManagerClock = setup.simulation?.clock(realClock) ?? realClock
        self.clock = clock
        services = setup.services.indices.map { WatchedService($0, in: setup, screen: screen, clock: clock) }
        simulated = setup.simulation.map { SimulatedSession($0, controlFolders: setup.controlFolders) }
        hook = TransitionCommand(setup.configuration.hook, clock: clock)
        (recorder, tape) = (setup.recorder, setup.tape)
    }

    /// Begins the files. What goes wrong with them or with the hook is told, and ends nothing.
    func begin(onProblem: @escaping @MainActor @Sendable (String) -> Void) {
        let later: @Sendable (String) -> Void = { problem in
            DispatchQueue.main.async { MainActor.assumeIsolated { onProblem(problem) } }
        }
        for service in services { service.journal.onProblem = onProblem }
        recorder?.onProblem(later)
        tape?.onProblem(later)
        hook?.onProblem = onProblem
        for service in services { service.journal.begin() }
    }

    /// Starts the simulated server, which only the first service asks.
    /// - Parameter checks: whether the status is checked after every change of the server.
    /// - Returns: the problem if scripts have no access.
    func startSimulation(checks: Bool) -> String? {
        let manager = services[0].manager
        return simulated?.start(SimulatedApp(manager), machine: { manager.machine }) {
            if checks { manager.check(.person, isFresh: true) }
        }
    }

    /// Passes a report of a service's manager to the simulated server, the service's journal and the hook.
    func record(_ report: StatusReport, of service: WatchedService) {
        let machine = service.manager.machine
        simulated?.follow(report)
        service.journal.take(report, machine: machine)
        hook?.take(report, machine, in: service.session)
    }

    /// Completes the files and closes the socket for scripts.
    func end(_ how: String) {
        simulated?.stop()
        for service in services {
            service.manager.flush()
            service.journal.end(how)
        }
        recorder?.finish()
        tape?.finish()
    }
}

/// The conventional name of a signal number.
enum SignalName {
    static func of(_ number: Int32) -> String {
        switch number {
        case SIGHUP: "SIGHUP"
        case SIGINT: "SIGINT"
        case SIGQUIT: "SIGQUIT"
        case SIGTERM: "SIGTERM"
        default: "signal \(number)"
        }
    }
}
