package import Bellerophon
package import TerminalUI

/// Draws a question in place of a view, whatever the view has drawn, and the keys that answer it in place of the footer. The
/// header of a provided view stays.
struct QuestionBox {
    let question: OverlayQuestion

    /// The smallest size at which a command or an address is shown.
    private static let smallest = Size(columns: 20, rows: 5)
    private static let columns = 72

    /// Whether a text that must be read can be shown at this size.
    static func hasRoom(_ size: Size) -> Bool { size.columns >= smallest.columns && size.rows >= smallest.rows }

    /// How far the text can be scrolled at this size.
    func scrollLimit(_ size: Size) -> Int {
        let layout = layout(size)
        return layout.text.limit(rows: layout.textRect.rows)
    }

    func draw(in frame: inout Frame) {
        guard Self.hasRoom(frame.size) else { return drawInLittleRoom(&frame) }
        let layout = layout(frame.size)
        frame.fill(layout.cleared)
        let title = CellText.width(of: question.title) + 4 <= layout.box.columns ? question.title : question.shortTitle
        frame.rule(layout.box.row(0), label: title, style: Theme.warning, labelStyle: Theme.warning.with(.bold))
        frame.scroll(layout.text, from: question.scroll, in: layout.textRect)
        let mark =
            layout.text.mark(first: question.scroll, rows: layout.textRect.rows, words: question.phrases.moreLines) ?? ""
        frame.rule(layout.box.row(layout.box.rows - 1), label: mark, style: Theme.warning, labelStyle: Theme.accent)
        drawFooter(canScroll: !mark.isEmpty, in: &frame)
    }

    private struct Layout {
        /// Between the rules, with them.
        let box: Rect
        let cleared: Rect
        let text: ScrollText
        let textRect: Rect
    }

    private func layout(_ size: Size) -> Layout {
        let cleared = Rect(size).split(top: size.rows >= 10 ? 2 : 0).rest
        let area = cleared.split(bottom: 1).rest
        let width = min(Self.columns, size.columns >= 40 ? size.columns - 4 : size.columns - 2)
        let lines = question.text.isEmpty ? [] : TextLine.wrapped(question.text, columns: width - 2, style: Theme.strong)
        // An empty row above and below the text, if there is room.
        let margin = lines.count + 4 <= area.rows ? 1 : 0
        let box = area.centered(Size(columns: width, rows: min(area.rows, lines.count + 2 + 2 * margin)))
        let longest = lines.map(\.width).max() ?? 0
        let inner = box.inset(rows: 1 + margin)
        let column = box.column + (box.columns - longest) / 2
        return Layout(
            box: box, cleared: cleared, text: ScrollText(lines, keepsMarkRow: false),
            textRect: Rect(column: column, row: inner.row, columns: longest, rows: inner.rows))
    }

    /// The keys. A click beside them acts like the key that asked, which does nothing: it may be the second of a double click.
    private func drawFooter(canScroll: Bool, in frame: inout Frame) {
        let footer = frame.bounds.row(frame.size.rows - 1)
        frame.addButton(footer, pressing: question.asking)
        guard question.isReady else {
            let words = question.phrases.questions.wait.map { $0.with(["key": frame.glyphs.keys(confirmLabel)]) }
            let fitting = words.first { CellText.width(of: $0) + 2 <= footer.columns }
            frame.write(fitting ?? "", in: footer.inset(columns: 1), style: Theme.muted)
            return
        }
        let confirm = KeyHint(question.confirming, word: question.word)
        let scroll = canScroll ? [KeyHint(.up, .down, word: question.phrases.frame.scroll)] : []
        let others = KeyHint(
            key: question.phrases.questions.anyKey, word: question.phrases.questions.goesBack, keys: [.escape])
        frame.keyHints([confirm] + scroll + [others], in: footer)
    }

    private var wait: String { question.phrases.questions.wait.last ?? "" }
    private var confirmLabel: String { question.confirming.label }

    /// The title and the confirming key, on a terminal that is too small for the rest.
    private func drawInLittleRoom(_ frame: inout Frame) {
        frame.fill(frame.bounds)
        let label = frame.glyphs.keys(confirmLabel)
        let key = question.isReady ? "\(label) \(question.word)" : wait
        let lines =
            frame.size.rows > 1 ? [question.title, key] : ["\(question.title) \(question.isReady ? label : wait)"]
        let area = frame.bounds.centered(Size(columns: frame.size.columns, rows: lines.count))
        frame.write(lines.map { TextLine($0, Theme.strong) }, in: area)
    }
}

extension OverlayInteraction {
    /// Draws the view with what the person has opened, and the question over it.
    /// - Parameters:
    ///   - accessoryKeys: the keys of the window's accessory, for the footer.
    ///   - glyphs: the characters that the terminal draws.
    ///
    /// A ``LinearView`` says the question in lines.
    @MainActor
    package func draw(
        _ view: any OverlayView, _ content: OverlayContent, accessoryKeys: [KeyHint] = [], glyphs: GlyphStyle,
        in frame: inout Frame
    ) {
        var content = content
        content.presentation = presentation
        content.presentation.accessoryKeys = accessoryKeys
        content.presentation.glyphs = glyphs
        // It can name a key that was pressed.
        content.presentation.notice = presentation.notice.map(glyphs.keys)
        frame.glyphs = glyphs
        if let linear = view as? LinearView { return linear.draw(content, asking: question, in: &frame) }
        view.draw(content, in: &frame)
        if let question { QuestionBox(question: question).draw(in: &frame) }
    }
}
