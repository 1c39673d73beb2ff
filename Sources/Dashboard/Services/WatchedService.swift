import Bellerophon
import BellerophonCurses
import Foundation
import ProgramKit
import TerminalUI

/// One status that the program watches: its manager, its view and its journal.
@MainActor
final class WatchedService {
    let session: SessionLogRecord.Session
    let manager: BellerophonManager
    let window: ServiceWindow
    let journal: SessionLogKeeper
    var alerts: TransitionAlerts

    /// - Parameter screen: the window that the services share.
    init(
        _ setup: ServiceSetup, in program: DashboardSetup, isOpen: Bool, on screen: any OverlayWindow, clock: any ManagerClock
    ) {
        let isOnly = program.services.count == 1
        session = SessionLogRecord.Session(
            app: setup.configuration.app, source: setup.source.name, isSimulated: program.simulation != nil,
            service: isOnly ? nil : setup.configuration.app.name)
        window = ServiceWindow(on: screen)
        // Instants of several services are compared, so all have one clock.
        manager = BellerophonManager(
            config: setup.managerConfig(window: window, in: program), clock: clock, generator: SystemRandomNumberGenerator())
        journal = SessionLogKeeper(session, isOpen: isOpen, file: program.journal, clock: clock)
        alerts = TransitionAlerts(program.configuration.alerts, name: setup.configuration.app.name, isOnly: isOnly)
        if isOpen { window.open() }
    }

    /// What its view says, in a line for the shell; nil if no view covers the screen.
    var closingLine: String? {
        guard window.isOpen, manager.isDisplaying else { return nil }
        let content = manager.overlayContent()
        return OverlayWords.summary(content, name: content.app.name)
    }

    /// Shows or hides the service's view.
    func show(_ isOpen: Bool) {
        guard isOpen != window.isOpen else { return }
        isOpen ? window.open() : window.close()
        journal.take(isOpen: isOpen)
    }
}
