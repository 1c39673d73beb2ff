public import Bellerophon
public import TerminalUI

/// The provided view for an app whose service is stopped.
///
/// It shows the server's message, the countdown to the next check and the facts of the last ones, at any terminal size.
@MainActor
public final class KillSwitchView: OverlayView {
    /// The keys of the view.
    public let keyMap: KeyMap<OverlayCommand>

    /// Creates the view.
    public init(keys: KeyMap<OverlayCommand> = OverlayCommand.standardKeys) {
        keyMap = keys
    }

    /// Draws the view at any terminal size.
    public func draw(_ content: OverlayContent, in frame: inout Frame) {
        OverlayPages(content, .kill(content), keys: keyMap).draw(in: &frame)
    }

    /// The highest useful scroll offset of the open page.
    public func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        OverlayPages(content, .kill(content), keys: keyMap).scrollLimit(size)
    }
}
