import Bellerophon
import TerminalUI

/// Draws an overlay from its content: the page that is open, at whatever size the terminal has.
struct OverlayPages {
    let content: OverlayContent
    let face: OverlayTheme
    let keyMap: KeyMap<OverlayCommand>

    /// Below this the chrome would leave no room for what matters.
    static let smallestPage = Size(columns: 20, rows: 5)
    /// The size that a small terminal is told to have.
    static let comfortable = Size(columns: 40, rows: 10)

    func draw(in frame: inout Frame) {
        guard Self.hasPage(frame.size) else { return drawInLittleRoom(&frame) }
        let chrome = OverlayChrome(content: content, face: face, hints: hints, pageTitle: pageTitle)
        let area = chrome.draw(in: &frame)
        if let text = pageText(columns: area.columns) {
            let block = Self.pageRect(in: area)
            frame.scroll(text, from: content.presentation.scroll, in: block)
        } else {
            StatusPage(content: content, face: face, showsBadge: area.row == 0).draw(in: area, of: &frame)
        }
    }

    /// How far the open page can be scrolled at that size.
    func scrollLimit(_ size: Size) -> Int {
        guard Self.hasPage(size) else { return 0 }
        let area = OverlayChrome.body(of: size)
        if let text = pageText(columns: area.columns) { return text.limit(rows: Self.pageRect(in: area).rows) }
        return StatusPage(content: content, face: face, showsBadge: area.row == 0).scrollLimit(in: area)
    }

    private static func hasPage(_ size: Size) -> Bool {
        size.columns >= smallestPage.columns && size.rows >= smallestPage.rows
    }

    private static let pageColumns = 72

    /// A page is set flush left in a column in the middle, with a row of air above it where there is room.
    private static func pageRect(in area: Rect) -> Rect {
        let margins = area.rows >= 14 ? 1 : 0
        let inner = area.inset(columns: 1, rows: margins)
        return inner.centered(Size(columns: pageColumns, rows: inner.rows))
    }

    private var pageTitle: String? {
        switch content.presentation.page {
        case .status: nil
        case .details: "details"
        case .help: "keys"
        }
    }

    /// The text of the details or help page; nil for the status page.
    private func pageText(columns: Int) -> ScrollText? {
        let columns = min(Self.pageColumns, max(1, columns - 2))
        switch content.presentation.page {
        case .status: return nil
        case .details: return ScrollText(DetailsPage.lines(content, face: face, columns: columns))
        case .help:
            let note = TextLine.wrapped(
                "No other key reaches the program below while this view covers it.", columns: columns, style: Theme.muted
            )
            let keys = keyMap.help + content.presentation.accessoryKeys
            return ScrollText(Table.lines(keys, columns: columns) + [.empty] + note)
        }
    }

    /// On the pages behind the first the way back comes first.
    private var hints: [KeyHint] {
        guard content.presentation.page != .status else { return content.presentation.accessoryKeys + keyMap.hints }
        let back = keyMap.bindings.first { $0.action == .close }?.keys.first.map { KeyHint(key: $0.label, word: "back") }
        let scroll = KeyHint(key: "↑↓", word: "scroll")
        return [back, scroll].compactMap(\.self) + keyMap.hints.filter { ["r", "?", "q"].contains($0.key) }
    }
}

// MARK: - Little room

extension OverlayPages {
    /// The state in one line, and below it what else there are rows for.
    private func drawInLittleRoom(_ frame: inout Frame) {
        let lines = [
            TextLine(stateLine(columns: frame.size.columns), face.style),
            content.message.map { TextLine(TextSanitizer.sanitize("\(content.host): \($0)", keepingNewlines: false)) },
            content.failure.map { TextLine("! \($0)", Theme.warning) },
        ].compactMap(\.self)
        let block = frame.bounds.centered(Size(columns: frame.size.columns, rows: lines.count))
        frame.write(lines, in: block)
    }

    /// As much of `■ PAUSED 00:09 · 40×10 needed` as fits.
    private func stateLine(columns: Int) -> String {
        let time = content.countdown.map { OverlayWords.clock($0.remaining) } ?? (content.isListening ? "⇅" : "checking…")
        let state = "\(face.glyph) \(face.word)"
        let simulated = content.isSimulated ? " · SIMULATED" : ""
        let needed = " · \(Self.comfortable.columns)×\(Self.comfortable.rows) needed"
        let candidates = [
            "\(state) \(time)\(simulated)\(needed)", "\(state) \(time)\(simulated)", "\(state)\(simulated)",
            "\(state) \(time)", state, "\(face.glyph) \(time)",
        ]
        return candidates.first { CellText.width(of: $0) <= columns } ?? face.glyph
    }
}
