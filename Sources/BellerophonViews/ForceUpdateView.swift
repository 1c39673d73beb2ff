public import Bellerophon
public import TerminalUI

/// The stock view that covers an app whose version may not go on.
///
/// It shows both versions, where the update is to be had and the command that installs it, as far as they are known.
@MainActor
public final class ForceUpdateView: ScrollableOverlayView {
    public init() {}

    public var keyMap: KeyMap<OverlayCommand> { OverlayCommand.updateKeys }

    public func draw(_ content: OverlayContent, in frame: inout Frame) {
        Self.pages(content).draw(in: &frame)
    }

    public func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        Self.pages(content).scrollLimit(size)
    }

    /// The keys that have something to act on: no `u` without a command, no `o` and `y` without a link.
    public static func keyMap(for content: OverlayContent) -> KeyMap<OverlayCommand> {
        KeyMap(
            OverlayCommand.updateKeys.bindings.filter { binding in
                switch binding.action {
                case .runUpdate: content.app.updateCommand != nil
                case .openLink, .copyLink: content.link != nil
                default: true
                }
            })
    }

    private static func pages(_ content: OverlayContent) -> OverlayPages {
        OverlayPages(content: content, face: .update, keyMap: keyMap(for: content))
    }
}
