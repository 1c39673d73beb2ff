import BellerophonCurses

/// The update view of the example: the same sign with both versions and the address of the update.
@MainActor
final class OutdatedView: OverlayView {
    let keyMap = KeyMap<OverlayCommand>(
        [KeyBinding(.character("o"), .enter, does: .openLink, hint: "open the page", help: "open the address in a browser")]
            + OverlayCommand.standardKeys.bindings)

    func draw(_ content: OverlayContent, in frame: inout Frame) {
        let pages = StandardPages(content, keys: keyMap)
        if pages.draw(in: &frame) { return }
        sign(content).draw(from: content.presentation.scroll, pages, in: &frame)
    }

    func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        StandardPages(content, keys: keyMap).scrollLimit(size) ?? sign(content).scrollLimit(size)
    }

    private func sign(_ content: OverlayContent) -> Sign {
        Sign(
            title: "OUTDATED", style: Theme.update, sender: content.message == nil ? nil : content.host,
            text: content.message ?? "This version is too old.", lines: [versions(content), address(content)])
    }

    private func versions(_ content: OverlayContent) -> TextLine {
        let installed = TextLine("installed: \(content.app.version ?? "unknown")", Theme.muted)
        return content.requiredVersion.map { installed + TextLine("  needed: \($0)", Theme.strong) } ?? installed
    }

    private func address(_ content: OverlayContent) -> TextLine {
        content.link.map { TextLine($0, Theme.link.linked(to: $0)) } ?? .empty
    }
}
