@testable import TerminalShadow
@testable import TerminalUI

/// A terminal that keeps the cells of both screens, as real ones do.
struct JudgeTerminal {
    var shadow: ShadowTerminal
    private var tokenizer = SequenceTokenizer()
    private var sequence = ControlSequence()

    init(columns: Int, rows: Int, hasAlternateScreen: Bool) {
        shadow = ShadowTerminal(
            columns: columns, rows: rows, hasAlternateScreen: hasAlternateScreen, keepsMainScreen: true)
        shadow.anchor(column: 0, row: 0)
    }

    var isBetweenTokens: Bool { tokenizer.isBetweenTokens }

    mutating func feed(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            tokenizer.split(buffer) { token, bytes in _ = shadow.perform(token, bytes, &sequence) }
        }
    }
}

/// What a person and a program can notice of a terminal's state.
struct TerminalState: Equatable {
    var isAlternate: Bool
    var cells: [Cell]
    /// The cells of the main screen, while the alternate screen is shown.
    var hiddenCells: [Cell]
    var cursor: [Int]
    var hasPendingWrap: Bool
    var pen: ShadowPen
    var penLink: [UInt8]
    var charsets: ShadowCharsets
    var region: ClosedRange<Int>
    var tabStops: [Bool]
    var mainSaved: Saved?
    var alternateSaved: Saved?
    var modes: [Int]
    var inserts: Bool
    var linefeedReturns: Bool
    var isKeypadApplication: Bool
    var isInUpdate: Bool
    var cursorStyle: Int
    var modifyOtherKeys: Int
    var mainKeyboard: [Int]
    var alternateKeyboard: [Int]

    /// A cell with the address of its link, because numbers of links depend on the order of their use.
    struct Cell: Equatable {
        var cell: ShadowCell
        var link: [UInt8]
    }

    struct Saved: Equatable {
        var cursor: [Int]
        var isOriginRelative: Bool
        var pen: ShadowPen
        var link: [UInt8]
        var charsets: ShadowCharsets
    }

    init(_ terminal: ShadowTerminal) {
        let links = terminal.links
        let cells = { (grid: ShadowGrid) in (0..<grid.rows).flatMap { grid.row($0).map { Cell($0, links) } } }
        isAlternate = terminal.isAlternate
        self.cells = cells(terminal.grid)
        hiddenCells = terminal.isAlternate ? cells(terminal.main) : []
        cursor = [terminal.column, terminal.row]
        // Without automatic wrapping there is no difference.
        hasPendingWrap = terminal.pendingWrap != nil && terminal.wrapsAutomatically
        (pen, penLink) = terminal.pen.apart(links)
        charsets = terminal.charsets
        region = terminal.region
        tabStops = terminal.tabStops
        mainSaved = terminal.mainSaved.map { Saved($0, terminal) }
        alternateSaved = terminal.alternateSaved.map { Saved($0, terminal) }
        modes = terminal.modes.inOrder.filter { $0.isOn != ShadowModes.isOnByDefault($0.mode) }.map(\.mode).sorted()
        inserts = terminal.inserts
        linefeedReturns = terminal.linefeedReturns
        isKeypadApplication = terminal.isKeypadApplication
        isInUpdate = terminal.isInUpdate
        cursorStyle = terminal.cursorStyle ?? 0
        modifyOtherKeys = terminal.modifyOtherKeys ?? 0
        mainKeyboard = terminal.mainKeyboard.levels
        alternateKeyboard = terminal.alternateKeyboard.levels
    }

    /// The fields that differ, in words.
    func differences(from other: TerminalState) -> [String] {
        guard self != other else { return [] }
        var list: [String] = []
        func compare<Value: Equatable>(_ name: String, _ field: KeyPath<TerminalState, Value>) {
            let (mine, its) = (self[keyPath: field], other[keyPath: field])
            if mine != its { list.append("\(name) \(mine), not \(its)") }
        }
        for (name, field) in [("cell", \TerminalState.cells), ("hidden cell", \TerminalState.hiddenCells)] {
            let (mine, its) = (self[keyPath: field], other[keyPath: field])
            if mine.count != its.count { list.append("\(mine.count) cells, not \(its.count)") }
            for index in 0..<min(mine.count, its.count) where mine[index] != its[index] {
                list.append("\(name) \(index): \(mine[index]), not \(its[index])")
            }
        }
        compare("alternate screen", \.isAlternate)
        compare("cursor", \.cursor)
        compare("pending wrap", \.hasPendingWrap)
        compare("pen", \.pen)
        compare("link", \.penLink)
        compare("character sets", \.charsets)
        compare("region", \.region)
        compare("tab stops", \.tabStops)
        compare("saved cursor of the main screen", \.mainSaved)
        compare("saved cursor of the alternate screen", \.alternateSaved)
        compare("modes", \.modes)
        compare("insert mode", \.inserts)
        compare("line feed mode", \.linefeedReturns)
        compare("keypad", \.isKeypadApplication)
        compare("synchronized update", \.isInUpdate)
        compare("cursor style", \.cursorStyle)
        compare("modifyOtherKeys", \.modifyOtherKeys)
        compare("keyboard flags of the main screen", \.mainKeyboard)
        compare("keyboard flags of the alternate screen", \.alternateKeyboard)
        return list
    }
}

extension TerminalState.Cell {
    fileprivate init(_ cell: ShadowCell, _ links: ShadowLinks) {
        self.cell = cell
        (self.cell.pen, link) = cell.pen.apart(links)
    }
}

extension TerminalState.Saved {
    fileprivate init(_ saved: SavedCursor, _ terminal: ShadowTerminal) {
        // A terminal that was resized puts it inside the screen when it is restored.
        cursor = [min(saved.column, terminal.columns - 1), min(saved.row, terminal.rows - 1)]
        isOriginRelative = saved.isOriginRelative
        (pen, link) = saved.pen.apart(terminal.links)
        charsets = saved.charsets
    }
}

extension ShadowPen {
    /// The pen without its link, and the link's address.
    fileprivate func apart(_ links: ShadowLinks) -> (ShadowPen, [UInt8]) {
        var plain = self
        plain.link = 0
        return (plain, link == 0 ? [] : links[link])
    }
}
