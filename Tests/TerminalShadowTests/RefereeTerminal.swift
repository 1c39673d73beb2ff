import CVterm

/// A terminal that libvterm emulates. It judges what bytes do.
final class RefereeTerminal {
    static var isAvailable: Bool { cvterm_is_available() != 0 }

    let columns: Int
    let rows: Int
    private let terminal: OpaquePointer

    init(columns: Int, rows: Int) {
        guard let terminal = cvterm_create(Int32(rows), Int32(columns)) else {
            fatalError("libvterm is not installed; the suite should be disabled")
        }
        self.terminal = terminal
        self.columns = columns
        self.rows = rows
    }

    deinit { cvterm_free(terminal) }

    func feed(_ bytes: some Collection<UInt8>) {
        let fed: Void? = bytes.withContiguousStorageIfAvailable { cvterm_feed(terminal, $0.baseAddress, $0.count) }
        if fed == nil { feed(Array(bytes)) }
    }

    /// What the terminal has answered since the last call.
    func takeReplies() -> [UInt8] {
        var count = 0
        let bytes = cvterm_take_replies(terminal, &count)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// All that can be observed. The replies to its questions are taken away; earlier ones must be taken before.
    func snapshot() -> RefereeSnapshot {
        feed(Self.questions)
        let settings = takeReplies()
        var state = cvterm_state()
        cvterm_get_state(terminal, &state)
        let count = columns * rows * RefereeSnapshot.wordsPerCell
        let words = [UInt32](unsafeUninitializedCapacity: count) { buffer, used in
            cvterm_get_cells(terminal, buffer.baseAddress)
            used = count
        }
        return RefereeSnapshot(
            columns: columns, words: words, state: state, title: String(cString: cvterm_get_title(terminal)), settings: settings)
    }

    /// What few words tell: where the cursor is, and which screen is shown.
    var place: (column: Int, row: Int, isAlternate: Bool) {
        var state = cvterm_state()
        cvterm_get_state(terminal, &state)
        return (Int(state.cursor_column), Int(state.cursor_row), state.alternate_screen != 0)
    }

    /// Whether the program has saved the cursor on the current screen.
    var hasSavedCursor: Bool { cvterm_has_saved_cursor(terminal) != 0 }

    /// Whether the place that was saved there is behind the last column: the next character goes to the next line.
    var hasSavedWrap: Bool { cvterm_has_saved_wrap(terminal) != 0 }

    /// Questions about what nothing else shows, and whose answers change nothing: DECRQM of every mode that libvterm knows,
    /// DECRQSS for the rendition, the margins and the cursor.
    private static let questions: [UInt8] = {
        let modes = [1, 5, 6, 7, 12, 25, 69, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 2004]
        let settings = ["m", "r", "s", " q"]
        return Array((modes.map { "\u{1B}[?\($0)$p" } + settings.map { "\u{1B}P$q\($0)\u{1B}\\" }).joined().utf8)
    }()
}
