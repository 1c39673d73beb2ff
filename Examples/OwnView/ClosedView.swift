import BellerophonCurses

/// The kill view of the example: a closed sign with the server's message.
@MainActor
final class ClosedView: OverlayView {
    let keyMap = KeyMap<OverlayCommand>([
        KeyBinding(.character(" "), does: .checkNow, hint: "knock", help: "ask the server for the status now"),
        KeyBinding(.character("i"), does: .toggleDetails, hint: "why", help: "show or hide what is known of the last checks"),
        KeyBinding(.up, does: .scrollUp, help: "scroll back"),
        KeyBinding(.down, does: .scrollDown, help: "scroll on"),
        KeyBinding(.character("?"), does: .toggleHelp, hint: "keys", help: "show or hide this list"),
        KeyBinding(.escape, does: .close, help: "go back to the sign"),
        KeyBinding(.character("q"), does: .quit, hint: "leave", help: "leave the program; on a page, go back"),
    ])

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
            title: "CLOSED", style: Theme.paused, sender: content.message == nil ? nil : content.host,
            text: content.message ?? "We are closed, without a message. This sign goes by itself.",
            lines: [next(content), problem(content)])
    }

    /// When the status is checked next.
    private func next(_ content: OverlayContent) -> TextLine {
        if content.isListening { return "The server tells us when we open." }
        guard let countdown = content.countdown else { return "Asking the server…" }
        // A view that must stand still shows no countdown.
        if content.reducesMotion { return "The server is asked regularly." }
        let seconds = Int((countdown.remaining / .seconds(1)).rounded(.up))
        return TextLine([.init("Asking again in "), .init("\(seconds) s", Theme.strong)])
    }

    private func problem(_ content: OverlayContent) -> TextLine {
        content.failure.map { TextLine("! \($0)", Theme.warning) } ?? .empty
    }
}
