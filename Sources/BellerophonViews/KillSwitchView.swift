public import Bellerophon
public import TerminalUI

/// The stock view that covers an app while its service is stopped.
///
/// It shows the server's message, the countdown to the next check and what is known of the last ones, at any size.
@MainActor
public final class KillSwitchView: ScrollableOverlayView {
    public init() {}

    public var keyMap: KeyMap<OverlayCommand> { OverlayCommand.standardKeys }

    public func draw(_ content: OverlayContent, in frame: inout Frame) {
        Self.pages(content).draw(in: &frame)
    }

    public func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        Self.pages(content).scrollLimit(size)
    }

    /// The keys that have something to act on: without a message there is none to copy.
    public static func keyMap(for content: OverlayContent) -> KeyMap<OverlayCommand> {
        KeyMap(OverlayCommand.standardKeys.bindings.filter { $0.action != .copyMessage || content.message != nil })
    }

    private static func pages(_ content: OverlayContent) -> OverlayPages {
        let face = content.standing.basis == .policy ? OverlayTheme.closed : .paused
        return OverlayPages(content: content, face: face, keyMap: keyMap(for: content))
    }
}
