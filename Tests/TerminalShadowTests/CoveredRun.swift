import TerminalShadow

/// A program's output on its way to a terminal, without a cover so far.
struct LiveRelay {
    private(set) var cover: ScreenCover
    let columns: Int
    let rows: Int
    /// How many bytes of the program were taken, and what went to the terminal for them.
    private(set) var taken = 0
    private(set) var relayed: [UInt8] = []

    init(columns: Int, rows: Int) {
        cover = ScreenCover(columns: columns, rows: rows, dialect: TerminalDialect(.libvterm))
        cover.anchor(column: 0, row: 0)
        (self.columns, self.rows) = (columns, rows)
    }

    mutating func relay(_ bytes: ArraySlice<UInt8>) {
        relayed += cover.output(Array(bytes)).terminal
        taken += bytes.count
    }
}

/// A terminal whose program is covered for a while.
struct CoveredRun {
    let terminal: RefereeTerminal
    private(set) var taken: Int
    /// What the program got as answers while it was covered, from the terminal and from the cover.
    private(set) var answers: [UInt8] = []
    private var cover: ScreenCover

    init(of live: LiveRelay) {
        (cover, taken) = (live.cover, live.taken)
        terminal = RefereeTerminal(columns: live.columns, rows: live.rows)
        terminal.feed(live.relayed)
    }

    /// Whether the cover says itself that it cannot restore everything.
    var isInexact: Bool { cover.isInexact }

    mutating func coverScreen(with painting: [UInt8]) {
        terminal.feed(cover.cover())
        terminal.feed(painting)
        terminal.feed(ScreenCover.endOfUpdate)
        _ = terminal.takeReplies()
    }

    mutating func relay(_ bytes: ArraySlice<UInt8>, chunk: Int) {
        var rest = bytes
        while !rest.isEmpty {
            let relayed = cover.output(Array(rest.prefix(chunk)))
            answers += relayed.program
            terminal.feed(relayed.terminal)
            answers += terminal.takeReplies()
            rest = rest.dropFirst(chunk)
        }
        taken += bytes.count
    }

    mutating func uncoverScreen() {
        terminal.feed(cover.uncover())
        _ = terminal.takeReplies()
    }

    /// Relays the rest of the stream. Only its beginning goes through the cover: live relaying has a test of its own.
    mutating func finish(_ bytes: ArraySlice<UInt8>) {
        terminal.feed(cover.output(Array(bytes.prefix(256))).terminal)
        terminal.feed(cover.flush())
        terminal.feed(bytes.dropFirst(256))
        _ = terminal.takeReplies()
    }

    /// Fills every cell, in renditions and with links of its own, and leaves the cursor somewhere.
    static func painting(columns: Int, rows: Int) -> [UInt8] {
        let lines = (1...rows).map { row in
            "\u{1B}[\(row);1H\u{1B}[0;1;4;3\(row % 8);4\((row + 3) % 8)m" + String(repeating: "#", count: columns)
        }
        let text = "\u{1B}]8;;https://example.com\u{1B}\\" + lines.joined() + "\u{1B}]8;;\u{1B}\\\u{1B}[0m\u{1B}[3;5H"
        return Array(text.utf8)
    }
}
