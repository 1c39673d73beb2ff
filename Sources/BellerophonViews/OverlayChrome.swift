import Bellerophon
import TerminalUI

/// The parts around every page of an overlay: the header, the rules and the footer.
struct OverlayChrome {
    let content: OverlayContent
    let face: OverlayTheme
    let hints: [KeyHint]
    /// Whether the page draws its title in large letters. The upper rule then has it as text, for a search and for copying.
    var hasLargeTitle = false

    /// Draws header and footer, as far as the terminal has rows for them.
    func draw(in frame: inout Frame) {
        let room = Self.body(of: frame.size)
        if room.row > 0 { drawHeader(in: frame.bounds.row(0), of: &frame) }
        if room.row > 1 { drawUpperRule(in: frame.bounds.row(1), of: &frame) }
        drawFooter(below: room.endRow, in: &frame)
    }

    /// The area between header and footer. Below 10 rows both lose their rules; below 7 rows the header is omitted.
    static func body(of size: Size) -> Rect {
        let (top, bottom) = size.rows >= 10 ? (2, 2) : size.rows >= 7 ? (1, 1) : (0, 1)
        return Rect(column: 0, row: top, columns: size.columns, rows: size.rows - top - bottom)
    }

    private func drawHeader(in row: Rect, of frame: inout Frame) {
        var rest = row.inset(columns: 1)
        func write(_ line: TextLine) {
            let used = frame.write(line, in: rest)
            rest = rest.split(left: used).rest
        }
        write(TextLine(content.app.name, Theme.strong))
        // The badge takes precedence over the version.
        let badge = content.isSimulated ? " \(content.phrases.frame.simulated) " : ""
        if let version = content.stage == .updateRequired ? content.installedVersion : content.app.version {
            let text = content.stage == .updateRequired ? content.phrases.frame.installed.with(["version": version]) : version
            if CellText.width(of: text) + CellText.width(of: badge) + 4 <= rest.columns {
                write(TextLine(" \(text)", Theme.muted))
            }
        }
        if content.isSimulated {
            write("  ")
            write(TextLine(badge, Theme.simulated))
        }
        // A truncated address could be taken for another one: show the whole source, otherwise the host, otherwise
        // nothing.
        let sources = content.isStoppedLocally ? [content.phrases.frame.thisMachine] : [content.source, content.host]
        let problem = content.isStoppedLocally ? nil : content.addressProblem.map { "! \(content.phrases.words($0))" }
        let lines =
            (problem.map { problem in (sources.map { "\(problem): \($0)" } + [problem]).map { TextLine($0, Theme.warning) } }
                ?? [])
            + sources.map { TextLine($0, Theme.muted) }
        let line = lines.first { $0.width + 3 <= rest.columns }
        if let line { frame.write(line, in: rest, alignment: .right) }
    }

    private func drawUpperRule(in row: Rect, of frame: inout Frame) {
        let page = content.pageTitle.map { "\(face.glyph) \(face.headline) · \($0)" }
        let label = page ?? (hasLargeTitle ? face.headlineText(columns: row.columns - 4) : "")
        frame.rule(row, label: label, labelStyle: face.style)
    }

    /// Draws the keys, and into the line above them what the person is told: an answer to a key for a few seconds, else the notice
    /// of the status. Without that line, an answer replaces the keys.
    private func drawFooter(below bodyEnd: Int, in frame: inout Frame) {
        let footer = frame.bounds.row(frame.size.rows - 1)
        guard frame.size.rows - bodyEnd > 1 else { return drawNoticeOrKeys(in: footer, of: &frame) }
        let rule = frame.bounds.row(bodyEnd)
        if let notice = content.presentation.notice, !notice.isEmpty {
            frame.rule(rule, label: notice, labelStyle: Theme.live.with(.bold))
        } else {
            let told = content.notice.map { "\(NoticeWords.mark) \(NoticeWords.text($0, columns: max(0, rule.columns - 8)))" }
            frame.rule(rule, label: told ?? "", labelStyle: Theme.strong)
        }
        drawKeys(in: footer, of: &frame)
    }

    /// Draws the notice, if there is one, in place of the keys.
    func drawNoticeOrKeys(in footer: Rect, of frame: inout Frame) {
        guard let notice = content.presentation.notice, !notice.isEmpty else { return drawKeys(in: footer, of: &frame) }
        frame.write(notice, in: footer.inset(columns: 1), style: Theme.live.with(.bold))
    }

    /// Draws the keys. While they do not count, only those of an accessory are named, which count at any time.
    private func drawKeys(in footer: Rect, of frame: inout Frame) {
        guard content.presentation.ignoresKeys else { return frame.keyHints(hints, in: footer) }
        let accessoryKeys = content.presentation.accessoryKeys
        if !accessoryKeys.isEmpty { return frame.keyHints(accessoryKeys, in: footer) }
        let words = OverlayWords.longest(content.phrases.frame.keysWait, columns: max(0, footer.columns - 2))
        frame.write(words, in: footer.inset(columns: 1), style: Theme.muted)
    }
}
