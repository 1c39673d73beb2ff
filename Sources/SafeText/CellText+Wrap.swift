extension CellText {
    /// Wraps the text into lines of at most `columns` columns.
    ///
    /// Breaks at spaces, after hyphens and dashes, and between Chinese or Japanese characters, but not inside a word in katakana.
    /// A line never starts with closing punctuation of these scripts or ends with an opening bracket. A word longer than a line is
    /// broken, but a
    /// grapheme that fits into a line is not. Each newline starts a new line; lines have no trailing spaces. A cell wider
    /// than a line is replaced by "…".
    /// - Parameter columns: the maximum width; with zero or less the result is empty.
    public static func wrap(_ text: String, columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .flatMap { LineBreaker(String($0), columns: columns).lines() }
    }

    /// Wraps the text into as many lines as ``wrap(_:columns:)`` and makes the lines of a paragraph similarly long.
    ///
    /// It is for centred text, where a single word on the last line looks wrong.
    package static func wrapEvenly(_ text: String, columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { paragraph in
            let lines = wrap(String(paragraph), columns: columns)
            return lines.count == 1 ? lines : narrowed(lines, of: String(paragraph), columns: columns)
        }
    }

    /// Searches for the smallest width that needs no more lines.
    private static func narrowed(_ lines: [String], of paragraph: String, columns: Int) -> [String] {
        var (low, high, best) = (columns / 2, columns, lines)
        while high - low > 1 {
            let middle = (low + high) / 2
            let tried = wrap(paragraph, columns: middle)
            if tried.count <= lines.count { (high, best) = (middle, tried) } else { low = middle }
        }
        return best
    }
}

/// Breaks one paragraph.
private struct LineBreaker {
    /// A grapheme, or one cell of a grapheme that is wider than a line.
    private struct Unit {
        let text: String
        let width: Int
        let kind: Kind
        var isKatakana = false
    }

    /// The class of a unit in the rules for breaks. `leading` and `trailing` are narrow brackets and punctuation: no break
    /// is allowed between them and a letter ("e.g.", "f(x)"), but one is allowed between them and an ideograph outside.
    private enum Kind: Equatable {
        case space, letter, dash, ideograph, opening, closing, leading, trailing
    }

    private let units: [Unit]
    private let columns: Int

    init(_ paragraph: String, columns: Int) {
        self.columns = columns
        units = paragraph.flatMap { Self.units(of: $0, columns: columns) }
    }

    /// Fills each line with as many units as fit, and breaks at the last allowed position.
    func lines() -> [String] {
        var lines: [String] = []
        var start = 0
        while let end = endOfLine(from: start) {
            lines.append(text(start..<end))
            start = end
            while start < units.count, units[start].kind == .space { start += 1 }
        }
        if start < units.count || lines.isEmpty { lines.append(text(start..<units.count)) }
        return lines
    }

    /// The index at which the line that begins at `start` is broken; nil if the rest fits.
    private func endOfLine(from start: Int) -> Int? {
        var width = 0
        var lastBreak: Int?
        for index in start..<units.count {
            let unit = units[index]
            if index > start, canBreak(before: index) { lastBreak = index }
            width += unit.width
            if width > columns, unit.kind != .space { return lastBreak ?? index }
        }
        return nil
    }

    private func canBreak(before index: Int) -> Bool {
        if units[index - 1].isKatakana, units[index].isKatakana { return false }
        let (before, after) = (units[index - 1].kind, units[index].kind)
        switch (before, after) {
        case (_, .space), (_, .closing), (_, .trailing), (.opening, _), (.leading, _): return false
        case (.space, _), (.ideograph, _), (_, .ideograph), (_, .opening): return true
        case (.closing, _): return after != .dash
        case (.dash, _): return after != .dash && index > 1 && units[index - 2].kind == .letter
        case (.letter, _), (.trailing, _): return false
        }
    }

    /// The text of the units without trailing spaces.
    private func text(_ range: Range<Int>) -> String {
        let trailing = units[range].reversed().prefix { $0.kind == .space }.count
        return units[range.lowerBound..<(range.upperBound - trailing)].map(\.text).joined()
    }

    private static func units(of character: Character, columns: Int) -> [Unit] {
        let text = String(character)
        let isPlain = character.asciiValue.map { (0x20..<0x7F).contains($0) } ?? false
        let width = isPlain ? 1 : CellText.width(of: text)
        if width <= columns {
            let isKatakana = character.unicodeScalars.first.map { katakana.contains($0) && $0 != "・" } ?? false
            return [Unit(text: text, width: width, kind: kind(of: character, width: width), isKatakana: isKatakana)]
        }
        return CellText.clusters(of: text).map { cluster in
            cluster.width <= columns
                ? Unit(text: cluster.text, width: cluster.width, kind: .letter)
                : Unit(text: "…", width: 1, kind: .letter)
        }
    }

    private static func kind(of character: Character, width: Int) -> Kind {
        guard let scalar = character.unicodeScalars.first else { return .letter }
        switch scalar {
        case " ", "\u{3000}": return .space
        case "-", "\u{2010}", "\u{2013}", "\u{2014}": return .dash
        case "(", "[", "{", "“", "‘", "«": return .leading
        case ",", ".", ";", ":", "!", "?", ")", "]", "}", "”", "’", "»", "…", "%": return .trailing
        default: break
        }
        guard width == 2 else { return .letter }
        if openingMarks.contains(scalar) { return .opening }
        if closingMarks.contains(scalar) { return .closing }
        // Korean has spaces between words and is broken only there.
        let isHangul = (0x1100...0x11FF).contains(scalar.value) || (0xAC00...0xD7FF).contains(scalar.value)
        return isHangul ? .letter : .ideograph
    }

    private static let katakana: ClosedRange<Unicode.Scalar> = "\u{30A1}"..."\u{30FE}"
    private static let openingMarks = Set("（［｛「『【〈《〔〖〘".unicodeScalars)

    /// Characters that must not start a line (JIS X 4051: closing brackets, stops, small kana, the prolonged sound mark).
    private static let closingMarks = Set(
        "、。，．・：；？！）］｝」』】〉》〕〗〙ヽヾゝゞ々ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％".unicodeScalars
    )
}
