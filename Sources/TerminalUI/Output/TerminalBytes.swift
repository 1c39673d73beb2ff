/// Bytes for a terminal, and the terminal's state after them as far as it is certain.
struct TerminalBytes {
    private(set) var bytes: [UInt8] = []
    private let terminal: TerminalLook
    private let writesLinks: Bool
    /// Where the next character is drawn; nil if unknown.
    private var place: Point?
    /// The style in effect; nil if unknown.
    private var style: ResolvedStyle?
    /// The address that characters link to; nil if no link is open.
    private var link: String?
    /// The style that was resolved last. Neighbouring cells often share it.
    private var latest: (style: Style, look: CellLook)?

    init(_ terminal: TerminalLook, writesLinks: Bool) {
        self.terminal = terminal
        self.writesLinks = writesLinks
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Places the cursor, if it is not certain to be there.
    mutating func move(to point: Point) {
        guard place != point else { return }
        append("\u{1B}[\(point.row + 1);\(point.column + 1)H")
        place = point
    }

    /// How a style looks on the terminal.
    mutating func look(of style: Style) -> CellLook {
        if let latest, latest.style == style { return latest.look }
        let link = writesLinks ? style.link.flatMap { LinkRun.isSafe($0) ? $0 : nil } : nil
        let look = CellLook(style: ResolvedStyle(style, terminal), link: link)
        latest = (style, look)
        return look
    }

    /// Selects the style and the link of the following characters.
    mutating func select(_ style: Style) { select(look(of: style)) }

    private mutating func select(_ look: CellLook) {
        if link != look.link {
            append("\u{1B}]8;;\(look.link ?? "")\u{1B}\\")
            link = look.link
        }
        guard style != look.style else { return }
        append("\u{1B}[\(look.style.parameters(depth: terminal.depth))m")
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
        select(CellLook(style: ResolvedStyle(.plain, TerminalLook(depth: terminal.depth)), link: nil))
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
