import Bellerophon
import TerminalUI

/// A view that reports how far its text can be scrolled, so that the window does not scroll past the end.
@MainActor
package protocol ScrollableOverlayView: OverlayView {
    /// The highest useful `presentation.scroll` for this content and terminal size; 0 if all text is visible.
    func scrollLimit(for content: OverlayContent, size: Size) -> Int
}
