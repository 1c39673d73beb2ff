import SafeText

/// The footer line that names the keys, as much of it as there is room for.
///
/// ` r check now   d details   ? help                q quit`: quit stands at the right edge. Where room is short the
/// hints closest to the map's end give way first, help after all of them and quit last.
public struct KeyHintLine: Equatable, Sendable {
    public struct Item: Equatable, Sendable {
        public let hint: KeyHint
        /// Columns from the line's left edge.
        public let column: Int
    }

    public let items: [Item]

    /// - Parameters:
    ///   - hints: most important first; `?` is taken for help and `q` for quit.
    public init(_ hints: [KeyHint], columns: Int) {
        let quit = hints.first { $0.key == "q" }
        var others = hints.filter { $0.key != "q" }
        let quitWidth = quit.map { Self.width(of: $0) } ?? 0
        let room = columns - 2 - (quit == nil ? 0 : quitWidth + 2)
        while Self.width(of: others, gap: 2) > room, let index = Self.leastImportant(of: others) {
            others.remove(at: index)
        }
        let gap = Self.width(of: others, gap: 3) > room ? 2 : 3
        var items: [Item] = []
        var column = 1
        for hint in others {
            items.append(Item(hint: hint, column: column))
            column += Self.width(of: hint) + gap
        }
        if let quit, quitWidth <= columns {
            items.append(Item(hint: quit, column: max(0, columns - 1 - quitWidth)))
        }
        self.items = items
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
    /// Draws the key hints into a rectangle's first row.
    public mutating func keyHints(
        _ hints: [KeyHint], in rect: Rect, keyStyle: Style = Theme.accent.with(.bold), wordStyle: Style = Theme.text
    ) {
        guard !rect.isEmpty else { return }
        for item in KeyHintLine(hints, columns: rect.columns).items {
            let line = TextLine([.init(item.hint.key, keyStyle), .init(" \(item.hint.word)", wordStyle)])
            write(line, in: rect.row(0).split(left: item.column).rest)
        }
    }
}
