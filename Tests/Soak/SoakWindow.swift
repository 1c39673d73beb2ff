import Bellerophon
import TerminalUI

/// A window that keeps what it shows, and notices what no window should be told.
@MainActor
final class SoakWindow: OverlayWindow {
    weak var responder: (any OverlayResponder)?
    private(set) var shown: (any OverlayView)?
    private(set) var content: OverlayContent?
    /// What the manager should not have done; nil while all is well.
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
