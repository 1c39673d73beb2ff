import Bellerophon
import TerminalUI

@testable import BellerophonViews

extension OverlayView {
    /// The frame that the view draws.
    func frame(_ content: OverlayContent, _ size: Size) -> Frame {
        var frame = Frame(size)
        draw(content, in: &frame)
        return frame
    }
}

/// An overlay whose window calls back in time, on a clock that the test moves.
@MainActor struct OverlayUnderTest {
    var interaction = OverlayInteraction()
    var size = Size(columns: 80, rows: 24)
    var accessoryKeys: [KeyHint] = []
    var content: OverlayContent
    let view: any OverlayView
    private(set) var now = MonotonicInstant(offset: .seconds(100))
    private var wakes: [MonotonicInstant] = []

    static let paused = OverlayContent(
        stage: .killed, app: AppInfo(name: "example"), source: "demo.local/status", host: "demo.local",
        message: (1...40).map { "line \($0)" }.joined(separator: "\n"))
    static let outdated = OverlayContent(
        stage: .updateRequired, app: AppInfo(name: "example", updateCommand: "sudo apt-get install example"),
        source: "demo.local/status", host: "demo.local", link: "https://demo.local/get")

    init(_ view: any OverlayView, _ content: OverlayContent) {
        self.view = view
        self.content = content
    }

    var presentation: OverlayPresentation { interaction.presentation }

    /// The view comes up.
    mutating func begin() { _ = perform(interaction.begin(at: now)) }

    /// Presses a key.
    /// - Returns: what a window does besides drawing and waiting.
    @discardableResult
    mutating func press(_ key: Key) -> [OverlayEffect] {
        perform(interaction.handle(key, content: content, view: view, size: size, at: now))
    }

    @discardableResult
    mutating func press(_ character: Character) -> [OverlayEffect] { press(.character(character)) }

    /// Lets time pass, and calls back when the interaction wanted it.
    mutating func pass(_ time: Duration) {
        let end = now.advanced(by: time)
        while let next = wakes.min(), next <= end {
            wakes.removeAll { $0 == next }
            now = max(now, next)
            _ = perform(interaction.wake(at: now))
        }
        now = end
    }

    private mutating func perform(_ effects: [OverlayEffect]) -> [OverlayEffect] {
        effects.filter { effect in
            if case .wake(let wait) = effect { wakes.append(now.advanced(by: wait)) }
            switch effect {
            case .wake, .redraw: return false
            default: return true
            }
        }
    }

    var frame: Frame {
        var frame = Frame(size)
        interaction.draw(view, content, accessoryKeys: accessoryKeys, glyphs: .unicode, in: &frame)
        return frame
    }

    var screen: String { frame.text }
    var footer: String { String(screen.split(separator: "\n", omittingEmptySubsequences: false).last ?? "") }
}
