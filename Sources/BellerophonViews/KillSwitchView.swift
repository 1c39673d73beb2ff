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
        pages(content).draw(in: &frame)
    }

    /// The highest useful scroll offset of the open page.
    public func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        pages(content).scrollLimit(size)
    }

    /// The keys that have an effect: without a message there is no key to copy it, and no check ends a stop on this machine.
    package func keyMap(for content: OverlayContent) -> KeyMap<OverlayCommand> {
        keyMap.effective(for: content)
    }

    private func pages(_ content: OverlayContent) -> OverlayPages {
        OverlayPages(content: content, face: .kill(content), keyMap: keyMap(for: content))
    }
}
