public import Bellerophon
public import TerminalUI

/// A view that knows how far its text can be scrolled, so that its window does not count key presses that do nothing.
@MainActor
public protocol ScrollableOverlayView: OverlayView {
    /// The highest useful `presentation.scroll` for that content and terminal size; 0 where all text is in view.
    func scrollLimit(for content: OverlayContent, size: Size) -> Int
}
