import Bellerophon
import TerminalUI

/// Draws the open page of an overlay at any terminal size.
struct OverlayPages {
    let content: OverlayContent
    let face: OverlayTheme
    /// The keys that have an effect.
    private let keyMap: KeyMap<OverlayCommand>

    init(_ content: OverlayContent, _ face: OverlayTheme, keys: KeyMap<OverlayCommand>) {
        (self.content, self.face, keyMap) = (content, face, keys.effective(for: content))
    }

    /// The smallest size with header and footer.
    static let smallestPage = Size(columns: 20, rows: 5)
    /// The size that is recommended on a smaller terminal.
    static let comfortable = Size(columns: 40, rows: 10)

    func draw(in frame: inout Frame) {
        frame.glyphs = content.presentation.glyphs
        guard Self.hasPage(frame.size) else { return drawInLittleRoom(&frame) }
        if drawPage(in: &frame) { return }
        let area = OverlayChrome.body(of: frame.size)
        var chrome = chrome
        chrome.hasLargeTitle = StatusPage(content: content, face: face, showsBadge: area.row == 0).draw(in: area, of: &frame)
        chrome.draw(in: &frame)
    }

    /// Draws the details or the help page, with header and footer.
    /// - Returns: false for the status page and where a page has no room; then nothing is drawn.
    func drawPage(in frame: inout Frame) -> Bool {
        let area = OverlayChrome.body(of: frame.size)
        guard Self.hasPage(frame.size), let text = pageText(columns: area.columns) else { return false }
        frame.scroll(
            text, from: content.presentation.scroll, in: Self.pageRect(in: area), markWords: content.phrases.moreLines)
        chrome.draw(in: &frame)
        return true
    }

    /// The parts around the open page.
    var chrome: OverlayChrome { OverlayChrome(content: content, face: face, hints: hints) }

    /// How far the open page can be scrolled at this size.
    func scrollLimit(_ size: Size) -> Int {
        guard Self.hasPage(size) else { return 0 }
        if let limit = pageScrollLimit(size) { return limit }
        let area = OverlayChrome.body(of: size)
        return StatusPage(content: content, face: face, showsBadge: area.row == 0).scrollLimit(in: area)
    }

    /// How far the details or the help page can be scrolled at this size; nil where ``drawPage(in:)`` draws nothing.
    func pageScrollLimit(_ size: Size) -> Int? {
        let area = OverlayChrome.body(of: size)
        guard Self.hasPage(size), let text = pageText(columns: area.columns) else { return nil }
        return text.limit(rows: Self.pageRect(in: area).rows)
    }

    private static func hasPage(_ size: Size) -> Bool {
        size.columns >= smallestPage.columns && size.rows >= smallestPage.rows
    }

    private static let pageColumns = 72

    /// The area of a page: a centred column of left-aligned text, with an empty row above and below if there is room.
    private static func pageRect(in area: Rect) -> Rect {
        let margins = area.rows >= 14 ? 1 : 0
        let inner = area.inset(columns: 1, rows: margins)
        return inner.centered(Size(columns: pageColumns, rows: inner.rows))
    }

    /// The text of the details or help page; nil for the status page.
    private func pageText(columns: Int) -> ScrollText? {
        let columns = min(Self.pageColumns, max(1, columns - 2))
        switch content.presentation.page {
        case .status: return nil
        case .details: return ScrollText(DetailsPage.lines(content, face: face, columns: columns))
        case .help:
            let note = TextLine.wrapped(
                content.phrases.frame.helpNote, columns: columns, style: Theme.muted
            )
            let keys = keyMap.help + content.presentation.accessoryKeys
            return ScrollText(Table.lines(keys, columns: columns, glyphs: content.presentation.glyphs) + [.empty] + note)
        }
    }

    /// The key hints; on the details and help pages the key back to the status page is first.
    var hints: [KeyHint] {
        guard content.presentation.page != .status else { return content.presentation.accessoryKeys + keyMap.hints }
        let back = keyMap.bindings.first { $0.action == .close }?.keys.first.map { KeyHint($0, word: content.phrases.frame.back) }
        let scroll = KeyHint(.up, .down, word: content.phrases.frame.scroll)
        let others = KeyMap(keyMap.bindings.filter { [.checkNow, .toggleHelp].contains($0.action) })
        return [back, scroll].compactMap(\.self) + others.hints
    }
}

// MARK: - Small terminals

extension OverlayPages {
    /// Draws the state in one line, and the message, the program and the last failure below it as far as there are rows.
    private func drawInLittleRoom(_ frame: inout Frame) {
        let lines = [
            TextLine(stateLine(columns: frame.size.columns), face.style),
            content.message.map { TextLine(TextSanitizer.sanitize("\(content.messageOrigin): \($0)", keepingNewlines: false)) },
            TextLine(ProgramWords.lines(content, columns: frame.size.columns, rows: 1)[0], ProgramWords.style(content)),
            TextLine(content.failure.map { "! \($0)" } ?? "", Theme.warning),
        ].compactMap(\.self)
        let block = frame.bounds.centered(Size(columns: frame.size.columns, rows: lines.count))
        frame.write(lines, in: block)
    }

    /// The longest variant of `■ PAUSED 00:09 · 40×10 needed` that fits.
    private func stateLine(columns: Int) -> String {
        let wait =
            content.countdown.map { ClockText.countdown($0.remaining) }
            ?? (content.isListening ? content.presentation.glyphs.text("⇅") : content.phrases.status.checking)
        let time = content.isStoppedLocally ? "" : wait
        let state = "\(face.glyph) \(face.word)"
        let simulated = content.isSimulated ? " · \(content.phrases.frame.simulated)" : ""
        let needed =
            " · " + content.phrases.frame.sizeNeeded.with(["size": "\(Self.comfortable.columns)×\(Self.comfortable.rows)"])
        let candidates = [
            "\(state) \(time)\(simulated)\(needed)", "\(state) \(time)\(simulated)", "\(state)\(simulated)",
            "\(state) \(time)", state, "\(face.glyph) \(time)",
        ]
        return candidates.first { CellText.width(of: $0) <= columns } ?? face.glyph
    }
}
