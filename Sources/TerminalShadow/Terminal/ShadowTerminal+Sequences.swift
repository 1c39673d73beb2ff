internal import TerminalUI

extension ShadowTerminal {
    /// Acts on a control sequence.
    mutating func perform(_ sequence: ControlSequence) -> ShadowEffect {
        for control in sequence.controls { self.control(control) }
        guard dialect.knows(sequence) else { return .nothing }
        switch sequence.marker {
        case 0 where sequence.intermediate != 0: return performIntermediate(sequence)
        case 0: return moveCursor(sequence) ?? changeScreen(sequence) ?? .nothing
        case UInt8(ascii: "?"): return performPrivate(sequence)
        default: return performMarked(sequence)
        }
    }

    // MARK: Cursor

    private mutating func moveCursor(_ sequence: ControlSequence) -> ShadowEffect? {
        let count = sequence.count(0)
        let top = row >= region.lowerBound ? region.lowerBound : 0
        let bottom = row <= region.upperBound ? region.upperBound : rows - 1
        switch sequence.final {
        case UInt8(ascii: "A"): row = max(row - count, top)
        case UInt8(ascii: "e") where dialect.verticalMoveLeavesRegion:
            move(column: column, row: row + count - (isOriginRelative ? region.lowerBound : 0))
        case UInt8(ascii: "B"), UInt8(ascii: "e"): row = min(row + count, bottom)
        case UInt8(ascii: "C"), UInt8(ascii: "a"): column = min(column + count, columns - 1)
        case UInt8(ascii: "D"): moveBack(count, isBackspace: false)
        case UInt8(ascii: "E"):
            row = min(row + count, bottom)
            column = 0
        case UInt8(ascii: "F"):
            row = max(row - count, top)
            column = 0
        case UInt8(ascii: "G"), UInt8(ascii: "`"): column = min(count - 1, columns - 1)
        case UInt8(ascii: "d"):
            let isBehindMargin = pendingWrap
            move(column: column, row: count - 1)
            pendingWrap = isBehindMargin
            leaveLine()
            return .screen
        case UInt8(ascii: "H"), UInt8(ascii: "f"):
            move(column: sequence.count(1) - 1, row: count - 1)
            if !isAlternate { isAnchored = true }
        case UInt8(ascii: "I"):
            moveToTabStop(count)
            return .screen
        case UInt8(ascii: "Z"):
            for _ in 0..<min(count, columns) where column > 0 {
                repeat { column -= 1 } while column > 0 && !tabStops[column]
            }
        case UInt8(ascii: "s"):
            if modes[69] { loseState() } else { saveCursor() }
            return .screen
        case UInt8(ascii: "u"):
            restoreCursor()
            return .screen
        default: return nil
        }
        pendingWrap = nil
        return .screen
    }

    // MARK: Cells, modes and reports

    private mutating func changeScreen(_ sequence: ControlSequence) -> ShadowEffect? {
        let count = sequence.count(0)
        let (column, row, columns, pen) = (column, row, columns, pen)
        switch sequence.final {
        case UInt8(ascii: "@"), UInt8(ascii: "P"), UInt8(ascii: "X"):
            // Behind the last column there is nothing to change.
            if dialect.hasPlaceBehindMargin, pendingWrap != nil { break }
            pendingWrap = nil
            switch sequence.final {
            case UInt8(ascii: "@"): changeCells { $0.insert(count, at: column, row: row, pen: pen) }
            case UInt8(ascii: "P"): changeCells { $0.delete(count, at: column, row: row, pen: pen) }
            default: changeCells { $0.erase(column..<min(column + count, columns), row: row, pen: pen) }
            }
        case UInt8(ascii: "J"):
            // The lines that have left the screen are outside of it.
            if sequence.value(0) == 3 { return .outside }
            eraseInDisplay(sequence.value(0))
        case UInt8(ascii: "K"): eraseInLine(sequence.value(0))
        case UInt8(ascii: "L"), UInt8(ascii: "M"):
            guard region.contains(row) || dialect.shiftsLinesAnywhere else { break }
            // tmux then does not insert as many lines as there are.
            if !region.contains(row), sequence.final == UInt8(ascii: "L"), count >= rows - row { break }
            scroll(
                row...(region.contains(row) ? region.upperBound : rows - 1),
                by: sequence.final == UInt8(ascii: "M") ? count : -count)
            if dialect.shiftsLinesAnywhere {
                updatePendingWrap()
            } else {
                self.column = 0
                pendingWrap = nil
            }
        case UInt8(ascii: "S"):
            scroll(region, by: count)
            updatePendingWrap()
        case UInt8(ascii: "^") where !dialect.hasScrollDownByCaret: return .nothing
        case UInt8(ascii: "T"), UInt8(ascii: "^"):
            // With five parameters it begins highlight tracking.
            guard sequence.parameters.count <= 1, sequence.parameters != [0] || dialect.scrollsDownByZero else { return .outside }
            scroll(region, by: -count)
            updatePendingWrap()
        case UInt8(ascii: "b"): repeatLast(count)
        case UInt8(ascii: "g"):
            hasOwnTabStops = true
            if sequence.value(0) == 0 {
                if !isBehindMargin { tabStops[column] = false }
            } else if sequence.value(0) == 3 {
                tabStops = Array(repeating: false, count: columns)
            }
        case UInt8(ascii: "h"), UInt8(ascii: "l"):
            for mode in sequence.parameters {
                if mode == 4 { inserts = sequence.final == UInt8(ascii: "h") }
                if mode == 20, dialect.hasLinefeedMode { linefeedReturns = sequence.final == UInt8(ascii: "h") }
            }
        case UInt8(ascii: "m"): selectRendition(sequence)
        case UInt8(ascii: "r"): setRegion(top: sequence.count(0) - 1, bottom: sequence.count(1, default: rows) - 1)
        case UInt8(ascii: "c"), UInt8(ascii: "x"): return .query
        case UInt8(ascii: "n"): return sequence.value(0) == 6 ? .question(.cursor(isExtended: false)) : .query
        case UInt8(ascii: "t"): return [11, 13, 14, 15, 16, 18, 19, 20, 21].contains(sequence.value(0)) ? .query : .outside
        case UInt8(ascii: "i"): return .outside
        default: return .nothing
        }
        return .screen
    }

    private mutating func eraseInDisplay(_ what: Int) {
        let (column, row, rows, columns, pen) = (column, row, rows, columns, pen)
        switch what {
        case 0:
            changeCells { [isBehindMargin] in
                if !isBehindMargin { $0.erase(column..<columns, row: row, pen: pen) }
                $0.eraseRows((row + 1)..<rows, pen: pen)
            }
            knowRows(from: column == 0 ? row : row + 1)
            if isBehindMargin { return }
        case 1:
            if unknownRows <= row { knowRows(from: 0) }
            changeCells {
                $0.eraseRows(0..<row, pen: pen)
                $0.erase(0..<(column + 1), row: row, pen: pen)
            }
        case 2: eraseScreen()
        default: return
        }
        updateWrapAfterErasure()
    }

    /// Ends a pending wrap, or takes over the last cell of the row, after cells were erased.
    mutating func updateWrapAfterErasure() {
        if dialect.erasureEndsWrap { pendingWrap = nil } else { updatePendingWrap() }
    }

    /// Whether the cursor is behind the last column, where that is a place.
    private var isBehindMargin: Bool { pendingWrap != nil && dialect.hasPlaceBehindMargin }

    /// Takes note that the program has erased the rows of a main screen from this one on.
    private mutating func knowRows(from row: Int) {
        guard !isAlternate, isAnchored || !hasAlternateScreen else { return }
        unknownRows = min(unknownRows, row)
    }

    private mutating func eraseInLine(_ what: Int) {
        // On tmux the cursor is then behind the character in the last column, which stays.
        if what == 0, isBehindMargin { return }
        let (column, row, columns, pen) = (column, row, columns, pen)
        let range: Range<Int>
        switch what {
        case 0: range = column..<columns
        case 1: range = 0..<(column + 1)
        case 2: range = 0..<columns
        default: return
        }
        changeCells { $0.erase(range, row: row, pen: pen) }
        updateWrapAfterErasure()
    }

    /// REP.
    private mutating func repeatLast(_ count: Int) {
        guard let last = lastWritten else { return }
        switch dialect.repetition {
        case .never: break
        case .toMargin:
            let isASCII = last.scalar & ~ShadowCharsets.graphics < 0x7F
            if isASCII, pendingWrap == nil { write(last, times: min(count, columns - column)) }
        case .throughScreen: write(last, times: min(count, Self.mostRepetitions))
        }
    }

    /// xterm and kitty repeat a character no more often.
    static let mostRepetitions = 0xFFFF

    private mutating func setRegion(top: Int, bottom: Int) {
        let bottom = min(bottom, rows - 1)
        guard top < bottom else { return }
        region = top...bottom
        move(column: 0, row: 0)
        if dialect.regionIgnoresOrigin { row = 0 }
    }

    // MARK: Other markers

    private mutating func performPrivate(_ sequence: ControlSequence) -> ShadowEffect {
        switch (sequence.intermediate, sequence.final) {
        case (0, UInt8(ascii: "h")): return setModes(sequence.parameters, to: true)
        case (0, UInt8(ascii: "l")): return setModes(sequence.parameters, to: false)
        case (0, UInt8(ascii: "s")): for mode in sequence.parameters { modes.save(mode, isOn: isOn(mode)) }
        case (0, UInt8(ascii: "r")): return restoreModes(sequence.parameters)
        case (UInt8(ascii: "$"), UInt8(ascii: "p")):
            let mode = sequence.value(0)
            return modes.isKnown(mode) || Self.isChangedByCover(mode) ? .question(.mode(mode)) : .query
        case (0, UInt8(ascii: "n")): return sequence.value(0) == 6 ? .question(.cursor(isExtended: true)) : .query
        case (0, UInt8(ascii: "u")):
            return usedKeyboardFlags ? .question(.keyboardFlags) : .query
        case (0, UInt8(ascii: "c")), (0, UInt8(ascii: "S")), (0, UInt8(ascii: "m")): return .query
        case (0, UInt8(ascii: "J")): eraseInDisplay(sequence.value(0))
        case (0, UInt8(ascii: "K")): eraseInLine(sequence.value(0))
        case (0, UInt8(ascii: "W")):
            if sequence.value(0) == 5 {
                tabStops = Self.standardTabStops(columns)
                hasOwnTabStops = true
            }
        case (0, UInt8(ascii: "i")): return .outside
        default: return .nothing
        }
        return .screen
    }

    /// Whether a private mode is on.
    private func isOn(_ mode: Int) -> Bool {
        switch mode {
        case 47, 1047, 1049: isAlternate
        case 2026: isInUpdate
        default: modes[mode]
        }
    }

    /// XTRESTORE.
    private mutating func restoreModes(_ numbers: [Int]) -> ShadowEffect {
        var effect = ShadowEffect.screen
        for number in numbers {
            guard let value = modes.savedValue(number) ?? (dialect.restoresUnsavedModes ? false : nil) else { continue }
            let one = setModes([number], to: value)
            if one != .screen { effect = one }
        }
        return effect
    }

    private mutating func setModes(_ numbers: [Int], to isOn: Bool) -> ShadowEffect {
        let wasAlternate = isAlternate
        var keepsCells = true
        for number in numbers where number >= 0 && dialect.knows(mode: number) {
            switch number {
            case 47, 1047, 1049:
                if isOn != isAlternate { keepsCells = !isOn && dialect.keepsAlternateCells(after: number) }
                switchScreen(mode: number, toAlternate: isOn)
            case 1048 where !dialect.hasCursorMode: break
            case 1048: if isOn { saveCursor() } else { restoreCursor() }
            case 2026: isInUpdate = isOn
            case 3 where dialect.columnModeErases:
                move(column: 0, row: 0)
                eraseScreen()
                updateWrapAfterErasure()
            // Terminals ignore the change of columns unless mode 40 allows it; VT52 mode is not followed.
            case 2, 3: if number == 2 || modes[40] { loseState() }
            case 6:
                setMode(6, to: isOn)
                move(column: 0, row: 0)
            default:
                if number == 69, isOn { loseState() }
                setMode(number, to: isOn)
            }
        }
        if modes.isIncomplete { loseState() }
        return isAlternate == wasAlternate ? .screen : .switched(toAlternate: isAlternate, keepsCells: keepsCells)
    }

    /// Acts on a sequence with one of the markers `<=>`.
    private mutating func performMarked(_ sequence: ControlSequence) -> ShadowEffect {
        switch (Unicode.Scalar(sequence.marker), Unicode.Scalar(sequence.final)) {
        case (">", "c"), (">", "q"), ("=", "c"): return .query
        case (">", "m"): if sequence.value(0) == 4 { modifyOtherKeys = sequence.value(1) }
        case (">", "n"): if sequence.value(0) == 4 { modifyOtherKeys = 0 }
        case ("<", "u"): keyboard.pop(sequence.count(0))
        case (">", "u"):
            keyboard.push(sequence.value(0))
            usedKeyboardFlags = true
        case ("=", "u"):
            keyboard.set(sequence.value(0), how: sequence.count(1))
            usedKeyboardFlags = true
        case (">", _): return .outside
        case ("=", _): return .nothing
        default: break
        }
        return .screen
    }

    private mutating func performIntermediate(_ sequence: ControlSequence) -> ShadowEffect {
        switch (sequence.intermediate, sequence.final) {
        case (UInt8(ascii: " "), UInt8(ascii: "q")):
            let style = sequence.value(0)
            cursorStyle = style
            modes.set(12, to: style == 0 || style % 2 == 1)
        case (UInt8(ascii: "!"), UInt8(ascii: "p")): softReset()
        case (UInt8(ascii: "$"), UInt8(ascii: "p")), (UInt8(ascii: "*"), UInt8(ascii: "y")): return .query
        case (UInt8(ascii: "#"), _): return .outside
        // Rectangles, columns, protected cells and shifts to the side are not followed.
        case (UInt8(ascii: "\""), UInt8(ascii: "q")): loseState()
        case (UInt8(ascii: "$"), _), (UInt8(ascii: "*"), _), (UInt8(ascii: "'"), _), (UInt8(ascii: " "), UInt8(ascii: "@")),
            (UInt8(ascii: " "), UInt8(ascii: "A")):
            loseCells()
        default: return .outside
        }
        return .screen
    }
}

extension ShadowTerminal {
    /// Acts on an escape sequence.
    mutating func performEscape(_ bytes: UnsafeBufferPointer<UInt8>) -> ShadowEffect {
        let body = bytes.dropFirst().filter { $0 >= 0x20 }
        for byte in bytes.dropFirst() where byte < 0x20 { control(byte) }
        guard let final = body.last else { return .nothing }
        guard body.count == 1 else { return performDesignation(body, final) }
        switch final {
        case UInt8(ascii: "7"): saveCursor()
        case UInt8(ascii: "8"): restoreCursor()
        case UInt8(ascii: "D"):
            index()
            leaveLine()
        case UInt8(ascii: "E"):
            column = 0
            pendingWrap = nil
            index()
        case UInt8(ascii: "M"):
            reverseIndex()
            leaveLine()
        case UInt8(ascii: "H") where !isBehindMargin:
            tabStops[column] = true
            hasOwnTabStops = true
        case UInt8(ascii: "="): isKeypadApplication = true
        case UInt8(ascii: ">"): isKeypadApplication = false
        case UInt8(ascii: "N"), UInt8(ascii: "O"):
            charsets.single = final == UInt8(ascii: "N") ? 2 : 3
            // A single shift is lost when the cover comes before its character.
            loseCells()
        case UInt8(ascii: "n"): charsets.active = 2
        case UInt8(ascii: "o"): charsets.active = 3
        case UInt8(ascii: "V"), UInt8(ascii: "W"): loseState()
        case UInt8(ascii: "Z"): return .query
        case UInt8(ascii: "c"):
            let wasAlternate = isAlternate
            fullReset()
            return wasAlternate && !isAlternate ? .switched(toAlternate: false, keepsCells: false) : .screen
        default: return .nothing
        }
        return .screen
    }

    private mutating func performDesignation(_ body: [UInt8], _ final: UInt8) -> ShadowEffect {
        switch body[0] {
        case UInt8(ascii: "(")...UInt8(ascii: "+"):
            let prefix = body.count > 2 ? UInt16(body[1]) << 8 : 0
            charsets.designations[Int(body[0] - UInt8(ascii: "("))] = prefix | UInt16(final)
        case UInt8(ascii: "#") where final == UInt8(ascii: "8"):
            changeCells { $0.fill(UInt32(UInt8(ascii: "E"))) }
            if !isAlternate { unknownRows = 0 }
            region = 0...(rows - 1)
            column = 0
            row = 0
            pendingWrap = nil
            if dialect.alignmentEndsOrigin {
                setMode(6, to: false)
                pen.attributes = []
            }
        // Lines of double size.
        case UInt8(ascii: "#") where final != UInt8(ascii: "5"): loseCells()
        default: return .outside
        }
        return .screen
    }
}
