/// Bytes for a terminal, and the terminal's state after them as far as it is certain.
struct TerminalBytes {
    private(set) var bytes: [UInt8] = []
    private let depth: ColorDepth
    /// Where the next character is drawn; nil if unknown.
    private var place: Point?
    /// The style in effect; nil if unknown.
    private var style: ResolvedStyle?
    /// The address that characters link to; nil if no link is open.
    private var link: String?

    init(depth: ColorDepth) {
        self.depth = depth
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Places the cursor, if it is not certain to be there.
    mutating func move(to point: Point) {
        guard place != point else { return }
        append("\u{1B}[\(point.row + 1);\(point.column + 1)H")
        place = point
    }

    /// Selects the style and the link of the following characters.
    mutating func select(_ look: CellLook) {
        if link != look.link {
            append("\u{1B}]8;;\(look.link ?? "")\u{1B}\\")
            link = look.link
        }
        guard style != look.style else { return }
        append("\u{1B}[\(look.style.parameters(depth: depth))m")
        style = look.style
    }

    /// Writes characters that take this number of columns on every terminal, and that fit into the row.
    mutating func write(_ text: String, columns: Int) {
        append(text)
        // Behind the last column of a row there is no cell, so whatever follows gets an address.
        place?.column += columns
    }

    /// Writes characters that a terminal may draw narrower or wider; the cursor's place is unknown afterwards.
    /// - Parameter mayWrap: whether the characters might pass the end of the row. Automatic wrapping is off for them.
    mutating func writeDoubtful(_ text: String, mayWrap: Bool) {
        append(mayWrap ? "\u{1B}[?7l\(text)\u{1B}[?7h" : text)
        place = nil
    }

    /// Erases from the cursor to the end of its row, in the terminal's default colours: not every terminal erases with the
    /// selected background.
    mutating func eraseRow() {
        select(CellLook(style: ResolvedStyle(.plain, TerminalLook(depth: depth)), link: nil))
        append("\u{1B}[K")
    }

    /// Closes the link and returns to the default style.
    mutating func end() {
        guard style != nil else { return }
        if link != nil { append("\u{1B}]8;;\u{1B}\\") }
        append("\u{1B}[0m")
        (link, style) = (nil, nil)
    }
}

/// How a cell's text looks on a terminal: its style, and the address that it links to.
struct CellLook: Equatable {
    var style: ResolvedStyle
    /// An address that is safe in an escape sequence; nil for none.
    var link: String?
}
