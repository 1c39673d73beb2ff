import Bellerophon
import TerminalUI

/// A window that records what it shows and detects invalid calls.
@MainActor
final class SoakWindow: OverlayWindow {
    weak var responder: (any OverlayResponder)?
    private(set) var shown: (any OverlayView)?
    private(set) var content: OverlayContent?
    /// The first invalid call of the manager; nil if there was none.
    private(set) var complaint: String?

    func present(_ view: any OverlayView, content: OverlayContent) {
        if shown === view { complaint = "a view was presented that is shown already" }
        (shown, self.content) = (view, content)
    }

    func update(_ content: OverlayContent) {
        if shown == nil { complaint = "an update came while nothing was shown" }
        self.content = content
    }

    func dismiss() {
        if shown == nil { complaint = "a dismissal came while nothing was shown" }
        (shown, content) = (nil, nil)
    }
}

final class SoakView: OverlayView {
    func draw(_ content: OverlayContent, in frame: inout Frame) {}
}
