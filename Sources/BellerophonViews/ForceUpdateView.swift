public import Bellerophon
public import TerminalUI

/// The provided view for an app whose version must be updated.
///
/// It shows both versions, the address of the update and the command that installs it, as far as they are known.
@MainActor
public final class ForceUpdateView: OverlayView {
    /// The keys of the view.
    public let keyMap: KeyMap<OverlayCommand>

    /// Creates the view.
    public init(keys: KeyMap<OverlayCommand> = OverlayCommand.updateKeys) {
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

    /// The keys that have an effect: no `u` without a command, no `o` and `y` without a link.
    package func keyMap(for content: OverlayContent) -> KeyMap<OverlayCommand> {
        keyMap.effective(for: content)
    }

    private func pages(_ content: OverlayContent) -> OverlayPages {
        OverlayPages(content: content, face: .update(content), keyMap: keyMap(for: content))
    }
}
