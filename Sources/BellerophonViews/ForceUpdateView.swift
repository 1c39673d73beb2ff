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
        OverlayPages(content, .update(content), keys: keyMap).draw(in: &frame)
    }

    /// The highest useful scroll offset of the open page.
    public func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        OverlayPages(content, .update(content), keys: keyMap).scrollLimit(size)
    }
}
