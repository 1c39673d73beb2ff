import BellerophonCurses

/// The page that both views draw: a box with a title, a text that scrolls and a few lines below it.
struct Sign {
    let title: String
    let style: Style
    /// Whom the text is from; nil for the view's own words. A person must be able to tell who says it.
    let sender: String?
    let text: String
    let lines: [TextLine]

    /// The smallest size with a box.
    private static let smallest = Size(columns: 24, rows: 9)

    func draw(from first: Int, _ pages: StandardPages, in frame: inout Frame) {
        guard let places = Places(frame.size, lines: lines.count) else { return drawInLittleRoom(&frame) }
        frame.box(places.box, title: title, style: style, titleStyle: style.with(.bold))
        if let sender { frame.write("\(sender) says:", in: places.sender, style: Theme.muted) }
        frame.scroll(wrapped(places), from: first, in: places.text)
        frame.write(lines, in: places.lines)
        pages.drawFooter(in: places.footer, of: &frame)
    }

    func scrollLimit(_ size: Size) -> Int {
        Places(size, lines: lines.count).map { wrapped($0).limit(rows: $0.text.rows) } ?? 0
    }

    private func wrapped(_ places: Places) -> ScrollText {
        ScrollText(TextLine.wrapped(text, columns: places.text.columns, style: Theme.strong))
    }

    /// The title and, as far as there are rows, the text, without a box.
    private func drawInLittleRoom(_ frame: inout Frame) {
        let words = sender.map { "\($0): \(text)" } ?? text
        let lines = TextLine.wrapped(words, columns: frame.size.columns)
        frame.write([TextLine(title, style.with(.bold))] + lines, in: frame.bounds)
    }

    /// Where the parts are on a screen with room for a box.
    private struct Places {
        let box, sender, text, lines, footer: Rect

        init?(_ size: Size, lines count: Int) {
            guard size.columns >= Sign.smallest.columns, size.rows >= Sign.smallest.rows else { return nil }
            let (page, footer) = Rect(size).split(bottom: 1)
            self.footer = footer
            box = page.centered(Size(columns: min(64, size.columns - 2), rows: min(14, page.rows)))
            let (above, below) = box.inset(columns: 3, rows: 1).split(bottom: count)
            let (top, rest) = above.split(top: 1)
            sender = top
            text = rest.split(bottom: 1).rest
            lines = below
        }
    }
}
