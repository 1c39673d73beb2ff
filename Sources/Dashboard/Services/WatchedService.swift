import Bellerophon
import BellerophonCurses
import Foundation
import ProgramKit
import TerminalUI

/// One status that the program watches: its manager, its view and its journal.
@MainActor
final class WatchedService {
    let source: any StatusSource
    let session: SessionLogRecord.Session
    let manager: BellerophonManager
    /// Nil without a screen.
    let window: ServiceWindow?
    let journal: SessionLogKeeper
    var alerts: TransitionAlerts

    /// - Parameters:
    ///   - index: the place among the program's services. The first one is open.
    ///   - screen: the window that the services share; nil without a screen.
    init(_ index: Int, in program: DashboardSetup, screen: (any OverlayWindow)?, clock: any ManagerClock) {
        let setup = program.services[index]
        let (app, isOnly) = (setup.configuration.app, program.services.count == 1)
        source = setup.source
        session = SessionLogRecord.Session(
            app: app, source: source.name, isSimulated: program.simulation != nil, service: isOnly ? nil : app.name)
        window = screen.map { ServiceWindow(on: $0) }
        manager = BellerophonManager(
            config: setup.managerConfig(window: window, in: program), clock: clock, generator: SystemRandomNumberGenerator())
        journal = SessionLogKeeper(session, isOpen: index == 0 || screen == nil, file: program.journal, clock: clock)
        alerts = TransitionAlerts(program.configuration.alerts, name: app.name, isOnly: isOnly)
        if index == 0 { window?.open() }
    }

    /// Whether its view may cover the screen.
    var isOpen: Bool { window?.isOpen ?? false }

    /// What its view says, in a line for the shell; nil if no view covers the screen.
    var closingLine: String? {
        guard isOpen, manager.isDisplaying else { return nil }
        let content = manager.overlayContent()
        return OverlayWords.summary(content, name: content.app.name)
    }

    /// Shows or hides the service's view.
    func show(_ isOpen: Bool) {
        guard let window, isOpen != self.isOpen else { return }
        isOpen ? window.open() : window.close()
        journal.take(isOpen: isOpen)
    }
}
