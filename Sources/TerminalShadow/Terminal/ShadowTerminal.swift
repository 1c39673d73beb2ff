import SafeText

/// The state of a terminal that a program writes to, as far as it is needed to bring the program's screen back.
///
/// A value that is fed with the program's output. Its state does not depend on how the output is split. The cells of the
/// main screen are not kept unless ``keepsMainScreen`` is set: a real terminal keeps them while another screen is shown.
package struct ShadowTerminal: Sendable {
    package private(set) var columns: Int
    package private(set) var rows: Int
    /// Whether the cells of the main screen are kept: for a terminal without an alternate screen, or for notices.
    package let keepsMainScreen: Bool
    /// Whether the terminal has an alternate screen. Without one it ignores the switches.
    let hasAlternateScreen: Bool
    package private(set) var dialect: TerminalDialect

    /// Whether the program shows the alternate screen.
    package internal(set) var isAlternate = false
    var main: ShadowGrid
    var alternate: ShadowGrid
    var mainKeyboard = KeyboardFlags()
    var alternateKeyboard = KeyboardFlags()
    var mainSaved: SavedCursor?
    var alternateSaved: SavedCursor?
    /// What the switch to the alternate screen saves, if it has a place of its own.
    var switchSaved: SavedCursor?

    var column = 0
    var row = 0
    /// The character in the last column, if the next one goes to the next line. An erased cell on the main screen stands for
    /// a character that is not known.
    var pendingWrap: ShadowCell?
    /// Whether the cursor's place on the main screen is known. Without it the place is only relative to the start.
    package var isAnchored = false
    /// How many rows at the top of a main screen whose cells are kept show what the program has not written. They can't be
    /// painted again.
    var unknownRows = 0
    var pen = ShadowPen()
    var charsets = ShadowCharsets()
    /// The first and last row that scroll.
    var region: ClosedRange<Int>
    var tabStops: [Bool]
    var hasOwnTabStops = false

    var modes = ShadowModes()
    /// Copies of modes 7 and 6 for the path of every character.
    var wrapsAutomatically = true
    var isOriginRelative = false
    var inserts = false
    var linefeedReturns = false
    var isKeypadApplication = false
    /// The parameter of DECSCUSR; nil if the program has not set it.
    var cursorStyle: Int?
    /// The value of modifyOtherKeys; nil if the program has not set it.
    var modifyOtherKeys: Int?
    /// Whether the program is inside a synchronized update (mode 2026).
    package internal(set) var isInUpdate = false
    /// Whether the program has used the kitty keyboard protocol.
    var usedKeyboardFlags = false
    /// The character that REP repeats: the last one, if nothing but text has come since.
    var lastWritten: ShadowCell?
    var links = ShadowLinks()
    /// What the program has used and a repaint can't restore.
    var inexactness = Inexactness()

    /// The largest size that is kept; `TIOCSWINSZ` allows 65,535.
    private static let largest = 2000

    /// - Parameter hasAlternateScreen: false for a terminal without one, whose main screen is then kept.
    package init(
        columns: Int, rows: Int, dialect: TerminalDialect = TerminalDialect(), hasAlternateScreen: Bool = true,
        keepsMainScreen: Bool = false
    ) {
        let keepsMainScreen = keepsMainScreen || !hasAlternateScreen
        self.dialect = dialect
        self.hasAlternateScreen = hasAlternateScreen
        self.columns = min(max(columns, 1), Self.largest)
        self.rows = min(max(rows, 1), Self.largest)
        self.keepsMainScreen = keepsMainScreen
        main = ShadowGrid(
            columns: keepsMainScreen ? self.columns : 1, rows: keepsMainScreen ? self.rows : 1, halves: dialect.halves)
        alternate = ShadowGrid(columns: self.columns, rows: self.rows, halves: dialect.halves)
        region = 0...(self.rows - 1)
        tabStops = Self.standardTabStops(self.columns)
        unknownRows = keepsMainScreen ? self.rows : 0
    }

    static func standardTabStops(_ columns: Int) -> [Bool] { (0..<columns).map { $0 > 0 && $0 % 8 == 0 } }

    /// Sets the cursor's place, as the terminal has reported it.
    package mutating func anchor(column: Int, row: Int) {
        self.column = min(max(column, 0), columns - 1)
        self.row = min(max(row, 0), rows - 1)
        isAnchored = true
        if keepsMainScreen { unknownRows = hasAlternateScreen && self.column > 0 ? self.row + 1 : self.row }
    }

    /// Takes note that others write to the terminal: it is not known any longer where the cursor is, and what the main screen
    /// shows.
    mutating func losePlace() {
        isAnchored = false
        if keepsMainScreen { unknownRows = rows }
    }

    /// Takes note of how the terminal draws emoji, as its reply has said. Emoji that were written before the reply may be recorded
    /// otherwise.
    mutating func learnEmoji(endingAt column: Int, row: Int) {
        let learnt = dialect.withEmoji(endingAt: column, row: row)
        guard learnt != dialect else { return }
        dialect = learnt
        if main.hasJoiningMarks { inexactness.isMain = true }
        if alternate.hasJoiningMarks { inexactness.isAlternate = true }
    }

    /// Takes the terminal's new size. Terminals differ in what they keep; full-screen programs draw again after it.
    package mutating func resize(columns newColumns: Int, rows newRows: Int) {
        let newColumns = min(max(newColumns, 1), Self.largest), newRows = min(max(newRows, 1), Self.largest)
        guard newColumns != columns || newRows != rows else { return }
        let firstRow = max(0, row - newRows + 1)
        alternate.resize(columns: newColumns, rows: newRows, firstRow: isAlternate ? firstRow : 0)
        if keepsMainScreen { main.resize(columns: newColumns, rows: newRows, firstRow: isAlternate ? 0 : firstRow) }
        columns = newColumns
        rows = newRows
        row = min(row - firstRow, rows - 1)
        column = min(column, columns - 1)
        region = 0...(rows - 1)
        tabStops = Self.standardTabStops(columns)
        hasOwnTabStops = false
        pendingWrap = nil
        mainSaved?.pendingWrap = nil
        alternateSaved?.pendingWrap = nil
        switchSaved?.pendingWrap = nil
        if !isAlternate { losePlace() }
    }

    // MARK: What is not followed

    /// What a repaint can't restore.
    struct Inexactness: Equatable, Sendable {
        /// Something is on the screen: graphics, lines of double size, more than two marks on a character. Clearing the screen removes it.
        var isMain = false, isAlternate = false
        /// The terminal is in a state that is not followed, such as left and right margins and protected cells. Only a full reset ends it.
        var isState = false
    }

    /// Whether the program has used what a repaint cannot restore, and it still counts.
    package var isInexact: Bool {
        inexactness.isState || (isAlternate ? inexactness.isAlternate : inexactness.isMain)
            || isOriginRelative && row < region.lowerBound && !canReturnAboveRegion
    }

    /// Takes note that the screen shows something that is not followed.
    mutating func loseCells() { setCellsInexact(true) }

    private mutating func setCellsInexact(_ isInexact: Bool) {
        if isAlternate { inexactness.isAlternate = isInexact } else { inexactness.isMain = isInexact }
    }

    /// Takes note of a state of the terminal that is not followed.
    mutating func loseState() { inexactness.isState = true }

    /// Takes note of a part of a sequence that is too long to be followed. A string of this length is a picture.
    mutating func loseToOverlong(_ part: UnsafeBufferPointer<UInt8>) {
        let beginsControl = part.first == 0x1B || part.first == 0x9B
        if beginsControl, !dialect.isString(part) { loseState() } else { loseCells() }
    }

    // MARK: The screen in use

    /// Whether the cells of the screen in use are kept.
    var keepsCells: Bool { isAlternate || keepsMainScreen }

    /// Whether a cover is painted over the screen in use, and its cells again afterwards. Otherwise the terminal keeps the screen.
    var isRepainted: Bool { isAlternate || !hasAlternateScreen }

    /// Changes the cells of the screen in use, if they are kept.
    @inline(__always)
    mutating func changeCells(_ change: (inout ShadowGrid) -> Void) {
        if isAlternate {
            change(&alternate)
        } else if keepsMainScreen {
            change(&main)
        }
    }

    /// The cells of the screen in use.
    var grid: ShadowGrid { isAlternate ? alternate : main }

    var saved: SavedCursor? {
        get { isAlternate && !dialect.sharesSavedCursor ? alternateSaved : mainSaved }
        set { if isAlternate, !dialect.sharesSavedCursor { alternateSaved = newValue } else { mainSaved = newValue } }
    }

    var keyboard: KeyboardFlags {
        get { isAlternate ? alternateKeyboard : mainKeyboard }
        set { if isAlternate { alternateKeyboard = newValue } else { mainKeyboard = newValue } }
    }

    // MARK: Cursor

    /// Moves the cursor to a place that counts from the region's top in origin mode.
    mutating func move(column: Int, row: Int) {
        let limits = isOriginRelative ? region : 0...(rows - 1)
        let row = isOriginRelative ? row + region.lowerBound : row
        self.column = min(max(column, 0), columns - 1)
        self.row = min(max(row, limits.lowerBound), limits.upperBound)
        pendingWrap = nil
    }

    mutating func saveCursor() { saved = place }

    /// What DECSC saves.
    private var place: SavedCursor {
        SavedCursor(
            column: column, row: row, pendingWrap: dialect.savesPendingWrap ? pendingWrap : nil,
            isOriginRelative: isOriginRelative, pen: pen, charsets: charsets)
    }

    mutating func restoreCursor() { restoreCursor(from: saved) }

    /// - Parameter restoresModes: false for a switch of the screen that leaves origin mode and character sets as they are.
    private mutating func restoreCursor(from saved: SavedCursor?, restoresModes: Bool = true) {
        guard let saved = saved ?? (dialect.restoresUnsavedCursor ? SavedCursor() : nil) else { return }
        column = min(saved.column, columns - 1)
        row = min(saved.row, rows - 1)
        if saved.isOriginRelative, !dialect.regionIgnoresOrigin {
            row = min(max(row, dialect.restoresAboveRegion ? 0 : region.lowerBound), region.upperBound)
        }
        pendingWrap = saved.pendingWrap
        updatePendingWrap()
        pen = saved.pen
        guard restoresModes else { return }
        charsets = saved.charsets
        setMode(6, to: saved.isOriginRelative)
    }

    /// Takes note that the cells have changed. If the cursor is behind the last column, it stays there.
    mutating func updatePendingWrap() {
        guard pendingWrap != nil else { return }
        guard !keepsCells else { return pendingWrap = grid.lastCharacter(ofRow: row) }
        pendingWrap = ShadowCell()
    }

    /// Moves down a line, and scrolls at the end of the region.
    /// - Parameter background: the background of a line that scrolls in.
    mutating func index(background: ShadowPen? = nil) {
        if row == region.upperBound {
            scroll(region, by: 1, background: background)
        } else if row < rows - 1 {
            row += 1
        }
    }

    mutating func reverseIndex() {
        if row == region.lowerBound {
            scroll(region, by: -1)
        } else if row > 0 {
            row -= 1
        }
    }

    /// Moves the rows of a region up by `count`, or down by a negative one.
    mutating func scroll(_ region: ClosedRange<Int>, by count: Int, background: ShadowPen? = nil) {
        changeCells { [pen] in $0.scroll(region, by: count, pen: background ?? pen) }
        guard unknownRows > region.lowerBound, !isAlternate, isAnchored || !hasAlternateScreen else { return }
        // Rows that move down may be known ones. They are then taken for unknown, and not lost.
        if count < 0 {
            unknownRows = min(rows, unknownRows - count)
        } else if unknownRows <= region.upperBound + 1 {
            unknownRows = max(region.lowerBound, unknownRows - count)
        }
    }

    // MARK: Screens and resets

    /// Switches the screen as mode 47, 1047 or 1049 does.
    mutating func switchScreen(mode: Int, toAlternate: Bool) {
        guard hasAlternateScreen else { return }
        guard !dialect.switchHasOwnSlot else { return switchScreenWithOwnSlot(mode: mode, toAlternate: toAlternate) }
        if mode == 1049, toAlternate { saveCursor() }
        if toAlternate != isAlternate {
            if !toAlternate, mode == 1047 {
                eraseScreen()
                updateWrapAfterErasure()
            }
            isAlternate = toAlternate
            updatePendingWrap()
        }
        if toAlternate, mode == 1049 || dialect.switchErases {
            eraseScreen()
            updateWrapAfterErasure()
        }
        if mode == 1049, !toAlternate { restoreCursor() }
    }

    /// Switches the screen on tmux and GNU screen. The latter makes no difference between the modes.
    private mutating func switchScreenWithOwnSlot(mode: Int, toAlternate: Bool) {
        let usesSlot = mode == 1049 || dialect.family == .screen
        if toAlternate {
            guard !isAlternate else { return }
            if usesSlot {
                saveForSwitch()
            } else {
                switchSaved?.pen = pen
            }
            isAlternate = true
            updatePendingWrap()
            eraseScreen(background: dialect.switchClearsInDefaultBackground ? ShadowPen() : nil)
        } else {
            // tmux returns to the place also on the main screen.
            let returns = usesSlot && switchSaved != nil && (isAlternate || dialect.family == .tmux)
            isAlternate = false
            if dialect.hasPlaceBehindMargin { pendingWrap = nil } else { updatePendingWrap() }
            if returns { restoreCursor(from: switchSaved, restoresModes: dialect.family == .screen) }
        }
    }

    /// Saves the cursor's place as the switch to the alternate screen does, if that has a slot of its own.
    mutating func saveForSwitch() {
        if dialect.switchHasOwnSlot { switchSaved = place }
    }

    /// - Parameter background: the background of the cells, if it is not the present one.
    mutating func eraseScreen(background: ShadowPen? = nil) {
        if !isAlternate { unknownRows = 0 }
        setCellsInexact(false)
        changeCells { [rows, pen] in $0.eraseRows(0..<rows, pen: background ?? pen) }
    }

    mutating func setMode(_ mode: Int, to isOn: Bool) {
        modes.set(mode, to: isOn)
        switch mode {
        case 6: isOriginRelative = isOn
        case 7:
            // A character that was written without automatic wrapping does not make the next one wrap.
            if isOn, !wrapsAutomatically, !dialect.wrapOutlastsMode { pendingWrap = nil }
            wrapsAutomatically = isOn
        case 66: if dialect.hasKeypadMode { isKeypadApplication = isOn }
        default: break
        }
    }

    /// DECSTR.
    mutating func softReset() {
        setMode(6, to: false)
        setMode(7, to: true)
        setMode(25, to: true)
        setMode(1, to: false)
        if dialect.hasReverseWrap { setMode(45, to: false) }
        inserts = false
        isKeypadApplication = false
        region = 0...(rows - 1)
        let kept = dialect.keptBySoftReset(pen.attributes)
        pen = ShadowPen()
        pen.attributes = kept
        charsets = ShadowCharsets()
        saved = kept.isEmpty ? nil : SavedCursor(pen: pen)
        if cursorStyle != nil, dialect.softResetEndsCursorStyle { cursorStyle = 0 }
        if !dialect.wrapOutlastsMode { pendingWrap = nil }
    }

    /// RIS.
    mutating func fullReset() {
        let staysAlternate = isAlternate && !dialect.resetLeavesAlternate
        isAlternate = staysAlternate
        softReset()
        pendingWrap = nil
        pen = ShadowPen()
        modes.reset()
        linefeedReturns = false
        column = 0
        row = 0
        isAnchored = true
        tabStops = Self.standardTabStops(columns)
        mainSaved = nil
        if dialect.resetLeavesAlternate { switchSaved = nil }
        if !dialect.resetKeepsSavedAlternate { alternateSaved = nil }
        mainKeyboard = KeyboardFlags()
        alternateKeyboard = KeyboardFlags()
        // What a terminal must be told that has not seen the reset stays known.
        if modifyOtherKeys != nil { modifyOtherKeys = 0 }
        if cursorStyle != nil { cursorStyle = 0 }
        isInUpdate = false
        inexactness = Inexactness()
        guard !staysAlternate else { return eraseScreen() }
        for isAlternate in [true, false] {
            self.isAlternate = isAlternate
            eraseScreen()
        }
    }
}
