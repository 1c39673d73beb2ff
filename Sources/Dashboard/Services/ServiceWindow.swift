import Bellerophon

/// The window of one of several services, which share one screen.
///
/// It covers the screen only while its service is open. While another one is open, it keeps the view and the content for later.
@MainActor
package final class ServiceWindow: OverlayWindow {
    package weak var responder: (any OverlayResponder)? {
        didSet { if isOpen { screen.responder = responder } }
    }
    private let screen: any OverlayWindow
    private var shown: (view: any OverlayView, content: OverlayContent)?
    /// Whether the service is open.
    package private(set) var isOpen = false

    /// - Parameter screen: the window of the screen, which the services share.
    package init(on screen: any OverlayWindow) {
        self.screen = screen
    }

    /// Covers the screen with the service's view if it has one.
    package func open() {
        guard !isOpen else { return }
        isOpen = true
        screen.responder = responder
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

    package func dismiss() {
        guard shown != nil else { return }
        shown = nil
        if isOpen { screen.dismiss() }
    }
}
