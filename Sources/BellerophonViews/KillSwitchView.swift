public import Bellerophon
public import TerminalUI

/// The provided view for an app whose service is stopped.
///
/// It shows the server's message, the countdown to the next check and the facts of the last ones, at any terminal size.
@MainActor
public final class KillSwitchView: ScrollableOverlayView {
    /// Creates the view.
    public init() {}

    /// The keys of the kill view.
    public var keyMap: KeyMap<OverlayCommand> { OverlayCommand.standardKeys }

    /// Draws the view at any terminal size.
    public func draw(_ content: OverlayContent, in frame: inout Frame) {
        Self.pages(content).draw(in: &frame)
    }

    /// The highest useful scroll offset of the open page.
    public func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        Self.pages(content).scrollLimit(size)
    }

    /// The keys that have an effect: without a message there is no key to copy it.
    public static func keyMap(for content: OverlayContent) -> KeyMap<OverlayCommand> {
        KeyMap(OverlayCommand.standardKeys.bindings.filter { $0.action != .copyMessage || content.message != nil })
    }

    private static func pages(_ content: OverlayContent) -> OverlayPages {
        let face = content.standing.basis == .policy ? OverlayTheme.closed : .paused
        return OverlayPages(content: content, face: face, keyMap: keyMap(for: content))
    }
}
