import Bellerophon
import BellerophonCurses
import ProgramUpdates

/// The window of one of several services, which share one screen.
///
/// It covers the screen only while its service is open. While another one is open, it keeps the view and the content for later.
@MainActor
package final class ServiceWindow: DeputizedWindow, UpdatingWindow {
    package weak var responder: (any OverlayResponder)? {
        didSet { if isOpen { screen.responder = responder } }
    }
    private let screen: any OverlayWindow
    private var shown: (view: any OverlayView, content: OverlayContent)?
    /// Whether the service is open.
    package private(set) var isOpen = false {
        didSet { deputySlot.fill(deputizedScreen?.deputy) }
    }
    private let deputySlot = DeputySlot()
    /// What the person is told of the service; nil for nothing. The dashboard has a row of its own for it.
    package private(set) var notice: OverlayNotice?
    /// Called when the notice has changed.
    package var onNotice: @MainActor () -> Void = {}
    private var updates: UpdateDriver?

    /// - Parameter screen: the window of the screen, which the services share.
    package init(on screen: any OverlayWindow) {
        self.screen = screen
    }

    /// The app is watched, and is another program than this one.
    package func makeUpdateService(for app: AppInfo) -> (any UpdateService)? {
        let driver = UpdateDriver(watched: app.update)
        updates = driver
        if isOpen { adoptUpdates() }
        return driver
    }

    private func adoptUpdates() { (screen as? CursesOverlayWindow)?.updates = updates }

    /// Covers the screen while the main queue is not served and the service is open.
    package var deputy: any OverlayDeputy { deputySlot }

    package func mainQueueReturns() { deputizedScreen?.mainQueueReturns() }

    package func mainQueueReturned() { deputizedScreen?.mainQueueReturned() }

    /// The screen while the service is open; nil for a screen without a deputy.
    private var deputizedScreen: (any DeputizedWindow)? { isOpen ? screen as? any DeputizedWindow : nil }

    /// Covers the screen with the service's view if it has one.
    package func open() {
        guard !isOpen else { return }
        isOpen = true
        screen.responder = responder
        adoptUpdates()
        if let shown { screen.present(shown.view, content: shown.content) }
    }

    /// Takes the service's view off the screen.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        if shown != nil { screen.dismiss() }
    }

    package func present(_ view: any OverlayView, content: OverlayContent) {
        shown = (view, content)
        if isOpen { screen.present(view, content: content) }
    }

    package func update(_ content: OverlayContent) {
        guard let view = shown?.view else { return }
        shown = (view, content)
        if isOpen { screen.update(content) }
    }

    package func notify(_ notice: OverlayNotice?) {
        self.notice = notice
        onNotice()
    }

    package func dismiss() {
        guard shown != nil else { return }
        shown = nil
        if isOpen { screen.dismiss() }
    }
}
