import Bellerophon
import BellerophonCurses
import ProgramUpdates
import Synchronization

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
        didSet { gate.isOpen = isOpen }
    }
    private let gate: DeputyGate
    /// What the person is told of the service; nil for nothing. The dashboard has a row of its own for it.
    package private(set) var notice: OverlayNotice?
    /// Called when the notice has changed.
    package var onNotice: @MainActor () -> Void = {}
    private var updates: UpdateDriver?

    /// - Parameter screen: the window of the screen, which the services share.
    package init(on screen: any OverlayWindow) {
        self.screen = screen
        gate = DeputyGate((screen as? any DeputizedWindow)?.deputy)
    }

    /// The app is watched, and is another program than this one.
    package func makeUpdateService(for app: AppInfo) -> (any UpdateService)? {
        let driver = UpdateDriver(SystemUpdateInspector(.ofWatched(app.update)), target: .watched)
        updates = driver
        if isOpen { adoptUpdates() }
        return driver
    }

    private func adoptUpdates() { (screen as? CursesOverlayWindow)?.updates = updates }

    /// Covers the screen while the main queue is not served and the service is open.
    package var deputy: any OverlayDeputy { gate }

    package func mainQueueReturns() {
        if isOpen { (screen as? any DeputizedWindow)?.mainQueueReturns() }
    }

    package func mainQueueReturned() {
        if isOpen { (screen as? any DeputizedWindow)?.mainQueueReturned() }
    }

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

/// The deputy of the screen, for one service: it covers only while that service is open.
private final class DeputyGate: OverlayDeputy {
    private let deputy: (any OverlayDeputy)?
    private let open = Mutex(false)

    init(_ deputy: (any OverlayDeputy)?) { self.deputy = deputy }

    var isOpen: Bool {
        get { open.withLock { $0 } }
        set { open.withLock { $0 = newValue } }
    }

    func cover(_ content: OverlayContent) -> Bool { isOpen && deputy?.cover(content) ?? false }

    func uncover() {
        if isOpen { deputy?.uncover() }
    }
}
