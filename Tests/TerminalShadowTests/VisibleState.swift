@testable import TerminalShadow

/// What a person and a program can notice of a terminal's state, for comparing two terminals.
struct VisibleState: Equatable {
    var isAlternate: Bool
    var rows: [[ShadowCell]]
    var hiddenRows: [[ShadowCell]]
    var cursor: [Int]
    var hasPendingWrap: Bool
    var pen: ShadowPen
    var charsets: ShadowCharsets
    var region: ClosedRange<Int>
    var tabStops: [Bool]
    var saved: SavedCursor?
    var modes: [Int]
    var inserts: Bool
    var linefeedReturns: Bool
    var keypad: Bool
    var cursorStyle: Int
    var modifyOtherKeys: Int
    var keyboard: [Int]

    /// - Parameter terminal: a terminal that keeps the cells of both screens.
    init(_ terminal: ShadowTerminal, modes considered: Set<Int>) {
        isAlternate = terminal.isAlternate
        let rows = { (grid: ShadowGrid) in (0..<grid.rows).map { Array(grid.row($0)).map(Self.plain) } }
        self.rows = rows(terminal.grid)
        // Where an erasure ends a pending wrap, a repaint writes a space into an erased cell before it.
        let last = self.rows[terminal.row][terminal.columns - 1]
        if terminal.pendingWrap != nil, last.scalar == 0, last.width == 1 {
            self.rows[terminal.row][terminal.columns - 1].scalar = 0x20
        }
        // The alternate screen of a program that shows the main screen is cleared when it is shown again.
        hiddenRows = terminal.isAlternate ? rows(terminal.main) : []
        cursor = [terminal.column, terminal.row]
        // Without automatic wrapping the next character replaces the last one in any case.
        hasPendingWrap = terminal.pendingWrap != nil && terminal.wrapsAutomatically
        pen = Self.plain(terminal.pen)
        charsets = terminal.charsets
        region = terminal.region
        tabStops = terminal.tabStops
        saved = terminal.saved ?? SavedCursor()
        saved?.pendingWrap = nil
        if let link = saved?.pen { saved?.pen = Self.plain(link) }
        modes = considered.filter { terminal.modes[$0] }.sorted()
        inserts = terminal.inserts
        linefeedReturns = terminal.linefeedReturns
        keypad = terminal.isKeypadApplication
        cursorStyle = terminal.cursorStyle ?? 0
        modifyOtherKeys = terminal.modifyOtherKeys ?? 0
        keyboard = terminal.keyboard.levels
    }

    /// Links are compared by presence: their numbers depend on their order.
    private static func plain(_ pen: ShadowPen) -> ShadowPen {
        var pen = pen
        pen.link = min(pen.link, 1)
        return pen
    }

    private static func plain(_ cell: ShadowCell) -> ShadowCell {
        var cell = cell
        cell.pen = plain(cell.pen)
        return cell
    }
}

/// A terminal that keeps both screens, as a real one does.
struct TestTerminal {
    private(set) var cover: ScreenCover

    init(columns: Int, rows: Int, dialect: TerminalDialect = TerminalDialect(), hasAlternateScreen: Bool = true) {
        cover = ScreenCover(
            columns: columns, rows: rows, dialect: dialect, hasAlternateScreen: hasAlternateScreen, keepsMainScreen: true)
        cover.anchor(column: 0, row: 0)
    }

    mutating func feed(_ bytes: [UInt8]) { _ = cover.output(bytes) }

    mutating func resize(columns: Int, rows: Int) { cover.resize(columns: columns, rows: rows) }

    var shadow: ShadowTerminal { cover.shadow }
}

extension ScreenCover {
    /// A cover over a program that has written a text.
    init(
        over text: String, columns: Int = 80, rows: Int = 24, dialect: TerminalDialect = TerminalDialect(),
        hasAlternateScreen: Bool = true
    ) {
        self.init(columns: columns, rows: rows, dialect: dialect, hasAlternateScreen: hasAlternateScreen)
        _ = output(Array(text.utf8))
        _ = cover()
    }
}

extension VisibleState {
    /// The fields that differ, in words.
    func differences(from other: VisibleState) -> [String] {
        guard self != other else { return [] }
        var list: [String] = []
        for (name, field) in [("cell", \VisibleState.rows), ("cell of the main screen", \VisibleState.hiddenRows)] {
            for (row, (mine, its)) in zip(self[keyPath: field], other[keyPath: field]).enumerated() {
                for column in mine.indices where mine[column] != its[column] {
                    list.append("\(name) \(column),\(row): \(mine[column]), expected \(its[column])")
                }
            }
        }
        for (mine, its) in zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children) {
            guard let name = mine.label, !name.lowercased().hasSuffix("rows"), "\(mine.value)" != "\(its.value)" else { continue }
            list.append("\(name): \(mine.value), expected \(its.value)")
        }
        return list.isEmpty ? ["another number of rows or columns"] : list
    }
}

/// A terminal whose program is covered, or has a notice over it, and one that gets the same output without them.
struct TerminalPair {
    var relay: ScreenCover
    var terminal: TestTerminal
    var reference: TestTerminal
    /// The bytes that were sent last to the first terminal.
    private(set) var sent: [UInt8] = []

    init(
        columns: Int = ScreenCoverTests.columns, rows: Int = ScreenCoverTests.rows, dialect: TerminalDialect = TerminalDialect(),
        hasAlternateScreen: Bool = true, keepsMainScreen: Bool = false, isAnchored: Bool = true
    ) {
        relay = ScreenCover(
            columns: columns, rows: rows, dialect: dialect, hasAlternateScreen: hasAlternateScreen,
            keepsMainScreen: keepsMainScreen)
        terminal = TestTerminal(columns: columns, rows: rows, dialect: dialect, hasAlternateScreen: hasAlternateScreen)
        reference = terminal
        if isAnchored { relay.anchor(column: 0, row: 0) }
    }

    /// Output of the program.
    mutating func output(_ text: String) { output(Array(text.utf8)) }

    mutating func output(_ bytes: [UInt8]) {
        send(relay.output(bytes).terminal)
        reference.feed(bytes)
    }

    mutating func send(_ bytes: [UInt8]) {
        sent = bytes
        terminal.feed(bytes)
    }

    mutating func cover() {
        send(relay.cover() + Array("\u{1B}[2;2H\u{1B}[41;1mPAUSED\u{1B}[0m".utf8) + ScreenCover.endOfUpdate)
    }

    mutating func uncover() { send(relay.uncover()) }

    /// Leaves the terminal to another program under the cover, and comes back.
    mutating func lend(_ check: (ShadowTerminal) -> Void = { _ in }) {
        send(relay.leave())
        check(terminal.shadow)
        send(relay.comeBack() + ScreenCover.endOfUpdate)
    }

    /// Covers the program for a while.
    mutating func run(_ before: String, whileCovered: String, after: String) {
        output(before)
        cover()
        output(whileCovered)
        uncover()
        output(after)
        send(relay.flush())
    }

    /// What a person and a program notice of both terminals.
    var states: (actual: VisibleState, expected: VisibleState) {
        let state = { VisibleState($0, modes: ScreenCoverTests.modes) }
        return (state(terminal.shadow), state(reference.shadow))
    }

    var differences: [String] { states.actual.differences(from: states.expected) }
}
