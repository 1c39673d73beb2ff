import Bellerophon
import BellerophonCurses
import Foundation
import ProgramKit
import TerminalUI

/// One status that the program watches: its manager, what the dashboard knows of it, and its journal.
@MainActor
final class WatchedService {
    let session: JournalRecord.Session
    let manager: BellerophonManager
    let window: ServiceWindow
    let journal: JournalKeeper
    var alerts: TransitionAlerts
    var model: DashboardModel

    /// - Parameters:
    ///   - isOnly: whether the program watches no other service.
    ///   - screen: the window that the services share.
    ///   - model: makes the dashboard's model.
    init(
        _ setup: ServiceSetup, in program: DashboardSetup, isOnly: Bool, isOpen: Bool, on screen: any OverlayWindow,
        clock: any ManagerClock, model: (ServiceSetup) -> DashboardModel
    ) {
        session = JournalRecord.Session(
            app: setup.configuration.app, source: setup.source.name, isSimulated: program.simulation != nil,
            service: isOnly ? nil : setup.configuration.app.name)
        window = ServiceWindow(on: screen)
        manager = BellerophonManager(config: setup.managerConfig(window: window, in: program))
        journal = JournalKeeper(session, isOpen: isOpen, file: program.journal, clock: clock)
        alerts = TransitionAlerts(program.configuration.alerts, name: setup.configuration.app.name, isOnly: isOnly)
        self.model = model(setup)
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
