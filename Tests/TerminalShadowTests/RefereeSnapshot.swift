import CVterm

/// What a referee shows at one moment.
struct RefereeSnapshot {
    static let wordsPerCell = Int(CVTERM_WORDS_PER_CELL)

    let columns: Int
    /// All cells, row by row; CVterm.h says what each word is.
    let words: [UInt32]
    let state: cvterm_state
    let title: String
    /// Answers to questions about modes, margins, rendition and cursor.
    let settings: [UInt8]

    /// How many lines have left the main screen at its top, and a hash of them all.
    var scrollback: [UInt64] { [UInt64(state.scrollback_lines), state.scrollback_hash] }

    /// What can differ between two snapshots.
    enum Field: String, CaseIterable, Sendable {
        case cells, scrollback, cursorPlace, cursorVisibility, cursorBlink, cursorShape, screen, reverse, mouse, title, settings
        /// What the program was answered while it was covered.
        case answers

        /// Whether a program that draws its screen again restores it. The settings are the margins, the ones at the sides among
        /// them, which no cover restores.
        var isDrawn: Bool { [.cells, .scrollback, .cursorPlace, .settings].contains(self) }
    }

    struct Difference: CustomStringConvertible, Sendable {
        let field: Field
        let detail: String

        var description: String { "\(field.rawValue): \(detail)" }
    }

    /// Where this snapshot differs from the expected one.
    func differences(from expected: RefereeSnapshot?) -> [Difference] {
        guard let expected else { return [Difference(field: .cells, detail: "nothing to compare with")] }
        let was = expected.state
        var found: [Difference] = []
        func compare<Value: Equatable>(_ field: Field, _ expected: Value, _ actual: Value) {
            if expected != actual { found.append(Difference(field: field, detail: "\(actual) instead of \(expected)")) }
        }
        if !hasSameCells(as: expected) { found.append(Difference(field: .cells, detail: cellDifference(from: expected))) }
        compare(.scrollback, expected.scrollback, scrollback)
        compare(.cursorPlace, [was.cursor_column, was.cursor_row], [state.cursor_column, state.cursor_row])
        compare(.cursorVisibility, was.cursor_visible, state.cursor_visible)
        compare(.cursorBlink, was.cursor_blink, state.cursor_blink)
        compare(.cursorShape, was.cursor_shape, state.cursor_shape)
        compare(.screen, was.alternate_screen, state.alternate_screen)
        compare(.reverse, was.reverse, state.reverse)
        compare(.mouse, was.mouse, state.mouse)
        compare(.title, expected.title, title)
        if settings != expected.settings {
            let pairs = zip(Self.replies(expected.settings), Self.replies(settings)).filter { $0 != $1 }
            found.append(Difference(field: .settings, detail: pairs.map { "\($1) instead of \($0)" }.joined(separator: ", ")))
        }
        return found
    }

    /// Whether all cells are equal, except those that libvterm does not judge.
    func hasSameCells(as expected: RefereeSnapshot) -> Bool {
        words == expected.words || differentCells(from: expected).isEmpty
    }

    /// Where the words of the cells begin that differ.
    private func differentCells(from expected: RefereeSnapshot) -> [Int] {
        stride(from: 0, to: words.count, by: Self.wordsPerCell).filter { start in
            // xterm and libvterm differ in what stays of a wide character whose other half was overwritten.
            guard expected.words[start] != CVTERM_LONE_HALF else { return false }
            return words[start..<start + Self.wordsPerCell] != expected.words[start..<start + Self.wordsPerCell]
        }
    }

    /// Single replies, without their escape characters.
    static func replies(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\u{1B}").map(String.init).filter { $0 != "\\" }
    }

    // MARK: Cells

    /// The text of a row, without what is empty at its end.
    func row(_ row: Int) -> String {
        let length = columns * Self.wordsPerCell
        return words.withUnsafeBufferPointer { Self.text(of: $0[row * length..<(row + 1) * length]) }
    }

    /// How many cells differ, the first of them in words, and its row as text.
    private func cellDifference(from expected: RefereeSnapshot) -> String {
        let cells = differentCells(from: expected)
        guard let first = cells.first else { return "another size" }
        let length = columns * Self.wordsPerCell
        let row = first / length * length..<(first / length + 1) * length
        let cell = first..<first + Self.wordsPerCell
        let place = "row \(first / length), column \((first - row.lowerBound) / Self.wordsPerCell)"
        return """
            \(cells.count) cells, first \(place): \(Self.hex(words[cell])) instead of \(Self.hex(expected.words[cell]))
              - \(expected.words.withUnsafeBufferPointer { Self.text(of: $0[row]) })
              + \(words.withUnsafeBufferPointer { Self.text(of: $0[row]) })
            """
    }

    private static func hex(_ words: ArraySlice<UInt32>) -> String {
        words.map { String($0, radix: 16) }.joined(separator: " ")
    }

    /// The text of consecutive cells, without what is empty at the end.
    static func text(of cells: Slice<UnsafeBufferPointer<UInt32>>) -> String {
        var line = ""
        for start in stride(from: cells.startIndex, to: cells.endIndex, by: wordsPerCell) where cells[start] != CVTERM_RIGHT_HALF
        {
            let points = cells[start..<start + Int(CVTERM_CODE_POINTS)].prefix { $0 != 0 }
            line += points.isEmpty ? " " : String(String.UnicodeScalarView(points.compactMap(Unicode.Scalar.init)))
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
