import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI

/// The first page of an overlay: the state, the server's message, what happens to the program, and the next check.
///
/// A failed check changes words and not the layout: the line below the countdown is always there.
struct StatusPage {
    let content: OverlayContent
    let face: OverlayTheme
    /// Whether `SIMULATED` is shown beside the headline, because there is no header.
    let showsBadge: Bool

    /// The most columns of text, for readability.
    private static let textColumns = 72
    /// The most message lines that are centred. Longer texts are left-aligned, for readability.
    private static let centredLines = 5
    /// The rows of a page on a terminal of 24 rows.
    private static let smallRows = 20
    /// The fewest rows of a page on which the countdown has a line below it.
    private var standingRows: Int { content.stage == .updateRequired ? 10 : 8 }

    /// Draws the page.
    /// - Returns: whether its title is in large letters.
    func draw(in area: Rect, of frame: inout Frame) -> Bool {
        let layout = layout(in: area)
        for placed in layout {
            guard let label = placed.block.label else {
                frame.write(placed.block.lines, in: placed.rect, alignment: .center)
                continue
            }
            drawMessage(placed, label: label, in: &frame)
        }
        return layout.contains { $0.block.kind == .headline && $0.block.lines.count > 1 }
    }

    /// How far the message can be scrolled in this area.
    func scrollLimit(in area: Rect) -> Int {
        layout(in: area).first { $0.block.label != nil }.map { $0.text.limit(rows: $0.textRect.rows) } ?? 0
    }

    private func layout(in area: Rect) -> [PlacedBlock] {
        let message = ruledMessage(area)
        // The end of a pause has a line of its own only where no other text is cut for it.
        for showsEnd in hasEnd ? [true, false] : [false] {
            let blocks = blocks(area, message: message, showsEnd: showsEnd)
            let placed = OverlayLayout.place(blocks, in: area)
            if placed.allSatisfy(\.isWhole), placed.contains(where: { $0.block.kind == .countdown }) {
                return decorated(blocks, in: area) ?? placed
            }
        }
        let placed = OverlayLayout.place(blocks(area, message: message), in: area)
        return layoutInLittleRoom(area, ruled: placed) ?? placed
    }

    /// Whether it is known when the pause ends.
    private var hasEnd: Bool { content.stage == .killed && content.endsAt != nil }

    /// The layout with large letters and a drawing above them, as far as there is room; nil if each would take rows from the
    /// other blocks. Where only one of them fits, it is the drawing on terminals of up to 24 rows and the title on larger ones.
    private func decorated(_ blocks: [OverlayBlock], in area: Rect) -> [PlacedBlock]? {
        let titles = largeTitles(columns: area.columns)
        let drawings = face.art.filter { area.columns >= ($0.count > 8 ? 120 : 60) }
            .map { OverlayBlock(kind: .art, lines: OverlayArt.lines($0)) }
        let pairs: [(title: OverlayBlock?, art: OverlayBlock?)] =
            titles.flatMap { title in drawings.map { (title, $0) } }
            + (area.rows > Self.smallRows
                ? titles.map { ($0, nil) } + drawings.map { (nil, $0) } : drawings.map { (nil, $0) } + titles.map { ($0, nil) })
        for (title, art) in pairs {
            let wanted = [art].compactMap(\.self) + blocks.map { $0.kind == .headline ? title ?? $0 : $0 }
            let placed = OverlayLayout.place(wanted, in: area)
            let hasMargin = placed.first.map { $0.rect.row > area.row } ?? false
            if placed.count == wanted.count, placed.allSatisfy(\.isWhole), hasMargin { return placed }
        }
        return nil
    }

    /// The title in large letters, the largest first, as far as the terminal has columns for them and for the text in the upper
    /// rule.
    private func largeTitles(columns: Int) -> [OverlayBlock] {
        guard content.usesLargeTitles, !showsBadge else { return [] }
        return [face.headline, face.shortHeadline].compactMap(\.self).flatMap { text in
            [LargeText.Scale.double, .single].compactMap { scale in
                LargeText.lines(text, scale, style: face.style, glyphs: content.presentation.glyphs)
            }
        }.filter { ($0.first?.width ?? 0) + 4 <= columns }.map { OverlayBlock(kind: .headline, lines: $0) }
    }

    /// The layout with a line at the left edge of the message, if rules around it would leave too few rows of text.
    private func layoutInLittleRoom(_ area: Rect, ruled: [PlacedBlock]) -> [PlacedBlock]? {
        let others = OverlayLayout.place(blocks(area, message: nil), in: area)
        let rows = area.rows - others.reduce(0) { $0 + ($1.rect.rows) }
        let isTiny = area.rows < 7
        guard let block = gutteredMessage(area, rows: isTiny ? max(1, rows) : rows, mayBeCut: isTiny) else { return nil }
        let placed = OverlayLayout.place(blocks(area, message: block), in: area)
        return placed.count >= ruled.count || isTiny ? placed : nil
    }

    /// Draws a message between rules. They are wider than any of its lines, so that no message can imitate its end.
    private func drawMessage(_ placed: PlacedBlock, label: String, in frame: inout Frame) {
        let textWidth = placed.block.lines.map(\.width).max() ?? 0
        let width = max(textWidth + 8, CellText.width(of: label) + 12)
        let limit = Self.ruleColumns(placed.rect.columns)
        let middle = placed.rect.centered(Size(columns: min(width, limit), rows: placed.rect.rows))
        frame.rule(middle.row(0), label: label)
        frame.scroll(placed.text, from: content.presentation.scroll, in: placed.textRect, alignment: .center)
        let mark = placed.text.mark(
            first: content.presentation.scroll, rows: placed.textRect.rows, words: content.phrases.moreLines)
        frame.rule(middle.row(middle.rows - 1), label: mark ?? "", labelStyle: Theme.accent)
    }

    private static func ruleColumns(_ columns: Int) -> Int {
        min(textColumns + 4, columns >= 40 ? columns - 2 : columns)
    }

    private static func messageColumns(_ columns: Int) -> Int {
        min(textColumns, max(1, ruleColumns(columns) - 4))
    }
}

// MARK: - Contents of the blocks

extension StatusPage {
    /// - Parameter showsEnd: whether the end of a pause has a line of its own.
    private func blocks(_ area: Rect, message: OverlayBlock?, showsEnd: Bool = false) -> [OverlayBlock] {
        let columns = min(Self.textColumns, max(1, area.columns - 2))
        // The program is gone, and nothing more is checked for it.
        if content.update?.isBroken == true {
            return [headline(columns: area.columns), message, offer(columns, rows: area.rows)].compactMap(\.self)
        }
        return [
            headline(columns: area.columns), versions(columns, rows: area.rows), message, offer(columns, rows: area.rows),
            program(columns, rows: area.rows), countdown(columns, isAlone: area.rows < standingRows, showsEnd: showsEnd),
        ].compactMap(\.self)
    }

    private func headline(columns: Int) -> OverlayBlock {
        var line = TextLine(face.headlineText(columns: columns), face.style)
        if content.isSimulated, showsBadge {
            line =
                TextLine("\(face.glyph) \(face.word)  ", face.style) + TextLine(content.phrases.frame.simulated, Theme.simulated)
        }
        return OverlayBlock(kind: .headline, lines: [line])
    }

    private func versions(_ columns: Int, rows: Int) -> OverlayBlock? {
        guard content.stage == .updateRequired, let version = content.neededVersion else { return nil }
        let needed = TextLine(version, Theme.strong)
        guard let installed = content.app.version else {
            // Without a message, the text in its place says why.
            let why = content.phrases.update.installedUnknown
            let explains = content.isVersionUnknown && content.message != nil && rows >= 14 && CellText.width(of: why) <= columns
            return OverlayBlock(
                kind: .versions,
                lines: [TextLine(content.phrases.update.needs, Theme.muted) + needed]
                    + (explains ? [TextLine(why, Theme.muted)] : []))
        }
        let line = TextLine([.init(installed, Theme.muted), .init("  ──▶  ", Theme.update)]) + needed
        if line.width <= columns { return OverlayBlock(kind: .versions, lines: [line]) }
        return OverlayBlock(kind: .versions, lines: [TextLine("──▶ ", Theme.update) + needed])
    }

    /// The server's message between rules, or a standard text without a message.
    private func ruledMessage(_ area: Rect) -> OverlayBlock {
        guard let message = content.message else {
            let columns = min(Self.textColumns, max(1, area.columns - 4))
            let lines = CellText.wrapEvenly(face.ownMessage, columns: columns)
            return OverlayBlock(kind: .message, lines: lines.map { TextLine($0, Theme.muted) })
        }
        return OverlayBlock(
            kind: .message, lines: messageLines(message, columns: Self.messageColumns(area.columns)),
            label: content.messageLabel
        )
    }

    private func messageLines(_ message: String, columns: Int) -> [TextLine] {
        let lines = CellText.wrap(message, columns: columns)
        if lines.count <= Self.centredLines {
            return CellText.wrapEvenly(message, columns: columns).map { TextLine($0, Theme.strong) }
        }
        let width = lines.map(CellText.width(of:)).max() ?? 0
        return lines.map { TextLine(CellText.padded($0, columns: width)) }
    }

    /// The message with a line at its left edge: `│ demo.local: back at 14:30`; nil if it does not fit.
    private func gutteredMessage(_ area: Rect, rows: Int, mayBeCut: Bool) -> OverlayBlock? {
        guard let message = content.message, rows > 0 else { return nil }
        let columns = Self.messageColumns(area.columns)
        let lines = CellText.wrap("\(content.messageOrigin): \(message)", columns: columns)
        guard lines.count <= rows || mayBeCut else { return nil }
        let cut = Self.cut(lines, rows: rows, columns: columns)
        let width = cut.map(CellText.width(of:)).max() ?? 0
        return OverlayBlock(
            kind: .message,
            lines: cut.map { line in
                TextLine("│ ", Theme.rule) + TextLine(CellText.padded(line, columns: width))
            })
    }

    private func offer(_ columns: Int, rows: Int) -> OverlayBlock? {
        guard content.stage == .updateRequired else { return nil }
        if let report = content.update {
            let lines = UpdateOffer(content: content, report: report, columns: columns, rows: rows < 14 ? 3 : 7).lines
            return OverlayBlock(kind: .offer, lines: lines)
        }
        let offers = content.offers
        guard !offers.isEmpty else {
            let lines = CellText.wrapEvenly(
                content.phrases.update.whereYouGotIt.with(["name": content.app.name]), columns: columns)
            return OverlayBlock(kind: .offer, lines: lines.map { TextLine($0) })
        }
        let labelColumns = offers.map { CellText.width(of: $0.label) }.max() ?? 0
        let labelled = offers.map {
            (label: CellText.padded($0.label, columns: max(7, labelColumns), alignment: .right), text: $0.text)
        }
        let lines = Table.lines(labelled, columns: columns)
        let width = lines.map(\.width).max() ?? 0
        return OverlayBlock(
            kind: .offer,
            lines: lines.prefix(6).map { line in
                line + TextLine(String(repeating: " ", count: width - line.width))
            })
    }

    /// What happens to the program below, and on a large terminal how the view ends, unless the text without a message says it.
    private func program(_ columns: Int, rows: Int) -> OverlayBlock {
        let lines = ProgramWords.lines(content, columns: columns, rows: rows < 14 ? 1 : 2)
        let end = end(columns, rows: rows)
        return OverlayBlock(
            kind: .program,
            lines: lines.map { TextLine($0, ProgramWords.style(content)) }
                + (end.map { [TextLine($0, Theme.muted)] } ?? []))
    }

    /// How the view ends, or what stays afterwards; nil if there is no room for it, or if another text says it.
    private func end(_ columns: Int, rows: Int) -> String? {
        if let stop = content.localStop, !content.isStoppedLocally {
            return rows < 10 ? nil : OverlayWords.longest(OverlayWords.alsoStopped(stop, content.phrases), columns: columns)
        }
        return rows > Self.smallRows && content.message != nil ? face.end : nil
    }

    /// The countdown, and below it what it rests on.
    private func countdown(_ columns: Int, isAlone: Bool, showsEnd: Bool) -> OverlayBlock {
        if content.isStoppedLocally, let stop = content.localStop { return release(of: stop, columns, isAlone: isAlone) }
        let standing = isAlone ? [] : [standing(columns, showsEnd: !showsEnd)]
        let end = showsEnd ? content.endText.map { TextLine(content.phrases.status.backAt, "time", $0) } : nil
        return OverlayBlock(kind: .countdown, lines: (end.map { [$0] } ?? []) + [countdownLine(columns)] + standing)
    }

    /// In place of the countdown: how the stop on this machine is released, and below it since when it lasts.
    private func release(of stop: LocalStop, _ columns: Int, isAlone: Bool) -> OverlayBlock {
        let whole = TextLine(content.phrases.status.releaseWith, "command", stop.release)
        let command =
            whole.width <= columns ? whole : TextLine(CellText.truncate(stop.release, columns: columns), Theme.strong)
        let time = content.timeText(stop.since)
        let authors = [OverlayWords.author(stop, content.phrases), stop.author]
        let words =
            authors.map { content.phrases.status.stoppedBy.with(["time": time, "author": $0]) }
            + [face.since.with(["time": time])]
        let standing = isAlone ? [] : [TextLine(OverlayWords.longest(words, columns: columns), Theme.muted)]
        return OverlayBlock(kind: .countdown, lines: [command] + standing)
    }

    private func countdownLine(_ columns: Int) -> TextLine {
        let words = content.phrases.status
        guard let countdown = content.countdown else {
            let listening = words.listening.map(content.presentation.glyphs.text)
            let text = content.isListening ? OverlayWords.longest(listening, columns: columns) : words.checking
            return TextLine(text, Theme.accent)
        }
        if content.reducesMotion, let now = content.now {
            let due = content.timeText(now.addingTimeInterval(countdown.remaining.inSeconds))
            let line = TextLine(content.failures > 0 ? words.nextTryAt : face.countdownAt, "time", due)
            return line.width <= columns ? line : TextLine(due, Theme.strong)
        }
        let clock = ClockText.countdown(countdown.remaining)
        let variants = [content.failures > 0 ? words.nextTryIn : face.countdownIn, words.nextIn].map {
            TextLine($0, "time", clock)
        }
        let text = variants.first { $0.width <= columns } ?? TextLine(clock, Theme.strong)
        let room = min(25, columns - text.width - 3)
        guard room >= 5 else { return text }
        let total = countdown.total.inSeconds
        let fraction = total > 0 ? countdown.remaining.inSeconds / total : 0
        let bar = TextLine.progressBar(fraction, columns: room, style: Theme.accent)
        return text + TextLine("   ") + bar
    }

    /// The problem with the checks, if there is one; otherwise when the state began and what it is based on.
    /// - Parameter showsEnd: whether it also says when a pause ends.
    private func standing(_ columns: Int, showsEnd: Bool) -> TextLine {
        let problems = OverlayWords.problems(content, still: face.still)
        if !problems.isEmpty { return TextLine(OverlayWords.longest(problems, columns: columns), Theme.warning) }
        let since = content.since.map { face.since.with(["time": content.timeText($0)]) }
        let words = [since, OverlayWords.basis(content.standing, content.phrases)].compactMap(\.self)
        let end = showsEnd && hasEnd ? content.endText.map { content.phrases.status.backAtInside.with(["time": $0]) } : nil
        let texts =
            end.map {
                [(words + [$0]).joined(separator: " · "), ([since].compactMap(\.self) + [$0]).joined(separator: " · "), $0]
            }
            ?? [words.joined(separator: " · "), words.first ?? ""]
        return TextLine(OverlayWords.longest(texts, columns: columns), Theme.muted)
    }

    /// The first lines of a text; the last one ends with `…` if the text is longer.
    private static func cut(_ lines: [String], rows: Int, columns: Int) -> [String] {
        guard lines.count > rows, rows > 0 else { return Array(lines.prefix(max(0, rows))) }
        return lines[..<(rows - 1)] + [CellText.truncate(lines[rows - 1] + " …", columns: columns)]
    }
}

extension TextLine {
    /// A phrase whose value is drawn stronger.
    fileprivate init(_ phrase: String, _ name: String, _ value: String) {
        let parts = phrase.components(separatedBy: "{\(name)}")
        let (before, after) = (parts[0], parts.dropFirst().joined())
        self.init(
            [before.isEmpty ? nil : Span(before), Span(value, Theme.strong), after.isEmpty ? nil : Span(after)].compactMap(\.self)
        )
    }
}
