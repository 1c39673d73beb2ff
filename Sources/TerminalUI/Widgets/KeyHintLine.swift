import SafeText

/// The footer line with the key hints that fit: ` r check now   d details   ? help                q quit`.
///
/// Quit is at the right edge. If space is short, hints are omitted from the end of the list, then help, and quit last.
private enum KeyHintLine {
    /// The hints that fit into a line, from left to right, with their columns.
    /// - Parameters:
    ///   - hints: most important first; the key `?` means help and `q` means quit.
    ///   - columns: the width of the line.
    ///   - glyphs: the characters that the terminal draws, which decide how a key is named.
    static func items(_ hints: [KeyHint], columns: Int, glyphs: GlyphStyle) -> [(hint: KeyHint, column: Int)] {
        let hints = hints.map { $0.named(in: glyphs) }
        let quit = hints.first { $0.key == "q" }
        var others = hints.filter { $0.key != "q" }
        let quitWidth = quit.map { Self.width(of: $0) } ?? 0
        let room = columns - 2 - (quit == nil ? 0 : quitWidth + 2)
        while Self.width(of: others, gap: 2) > room, let index = Self.leastImportant(of: others) {
            others.remove(at: index)
        }
        let gap = Self.width(of: others, gap: 3) > room ? 2 : 3
        var items: [(hint: KeyHint, column: Int)] = []
        var column = 1
        for hint in others {
            items.append((hint, column))
            column += Self.width(of: hint) + gap
        }
        if let quit, quitWidth <= columns {
            items.append((quit, max(0, columns - 1 - quitWidth)))
        }
        return items
    }

    private static func leastImportant(of hints: [KeyHint]) -> Int? {
        hints.lastIndex { $0.key != "?" } ?? hints.indices.last
    }

    private static func width(of hint: KeyHint) -> Int {
        CellText.width(of: hint.key) + 1 + CellText.width(of: hint.word)
    }

    private static func width(of hints: [KeyHint], gap: Int) -> Int {
        hints.reduce(0) { $0 + width(of: $1) } + gap * max(0, hints.count - 1)
    }
}

extension Frame {
    /// Draws the key hints that fit into a rectangle's first row, as buttons for their keys.
    public mutating func keyHints(
        _ hints: [KeyHint], in rect: Rect, keyStyle: Style = Theme.accent.with(.bold), wordStyle: Style = Theme.text
    ) {
        guard !rect.isEmpty else { return }
        for item in KeyHintLine.items(hints, columns: rect.columns, glyphs: glyphs) {
            let line = TextLine([.init(item.hint.key, keyStyle), .init(" \(item.hint.word)", wordStyle)])
            let place = rect.row(0).split(left: item.column).rest
            addButtons(for: item.hint, at: place.split(left: write(line, in: place)).left)
        }
    }

    private mutating func addButtons(for hint: KeyHint, at rect: Rect) {
        if hint.keys.count == 1 { return addButton(rect, pressing: hint.keys[0]) }
        var rest = rect
        for key in hint.keys {
            let (label, more) = rest.split(left: CellText.width(of: glyphs.keys(key.label)))
            addButton(label, pressing: key)
            rest = hint.isSeparated ? more.split(left: 1).rest : more
        }
    }
}
