internal import TerminalUI

// What a cover sends besides its own content.
extension ShadowTerminal {
    /// Whether the program has left keyboard flags on the alternate screen, whose stack terminals keep while the main screen is shown.
    var hasAlternateFlags: Bool { alternateKeyboard.levels != [0] }

    /// Appends what brings all that the program has set into the state that a shell expects: modes, reports, the cursor's style, character
    /// sets and colours. The keyboard's flags, the scroll region and the screen are not among it. The cursor stays.
    /// - Parameter keepsOrigin: whether origin mode stays as it is. It can't be turned on again without a move of the cursor, and means
    ///   nothing without a scroll region.
    func appendDefaults(to painter: inout ShadowPainter, keepsOrigin: Bool = false) {
        for (mode, isOn) in modes.inOrder where isOn != ShadowModes.isOnByDefault(mode) && !(keepsOrigin && mode == 6) {
            painter.setMode(mode, to: !isOn)
        }
        if let modifyOtherKeys, modifyOtherKeys != 0 { painter.control(">4;0m") }
        if let cursorStyle, cursorStyle != 0 { painter.control("0 q") }
        if linefeedReturns { painter.control("20l") }
        painter.control("4l")
        painter.escape(">")
        painter.selectASCII()
        painter.append(Array("\u{1B}]8;;\u{1B}\\".utf8))
        painter.control("0m")
    }

    /// Appends what empties the keyboard's stack of the screen that is shown.
    private func appendKeyboardEnd(to painter: inout ShadowPainter) { painter.control("<\(KeyboardFlags.depth)u") }

    /// Appends the way to the main screen for a program that has ended: the keyboard's stacks of both screens are emptied.
    func appendLastScreen(to painter: inout ShadowPainter, from isAlternate: Bool) {
        if usedKeyboardFlags { appendKeyboardEnd(to: &painter) }
        if usedKeyboardFlags, hasAlternateFlags, !isAlternate, hasAlternateScreen {
            painter.setMode(1047, to: true)
            appendKeyboardEnd(to: &painter)
            painter.setMode(1047, to: false)
        }
        if isAlternate { painter.setMode(1049, to: false) }
        if usedKeyboardFlags, isAlternate { appendKeyboardEnd(to: &painter) }
    }

    /// See ``ScreenCover/reset``.
    var reset: [UInt8] {
        var painter = ShadowPainter()
        painter.setMode(2026, to: true)
        appendLastScreen(to: &painter, from: isAlternate)
        // The sequence for the region moves the cursor to the top.
        if region != 0...(rows - 1) {
            painter.escape("7")
            painter.control("r")
            painter.escape("8")
        }
        appendDefaults(to: &painter)
        painter.setMode(25, to: true)
        painter.setMode(2026, to: false)
        return painter.bytes
    }

    /// Whether a token may switch to the main screen. It is checked before the token changes the state.
    func mayLeaveAlternate(_ token: SequenceTokenizer.Token, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isAlternate else { return false }
        switch token {
        case .escape: return bytes.last == UInt8(ascii: "c")
        case .control:
            guard bytes.last == UInt8(ascii: "l") || bytes.last == UInt8(ascii: "r"), bytes.contains(UInt8(ascii: "?")) else {
                return false
            }
            var sequence = ControlSequence()
            sequence.read(bytes)
            return sequence.parameters.contains { [47, 1047, 1049].contains($0) }
        default: return false
        }
    }

    /// Brings the modes that disturb a cover into a neutral state, except for the keyboard flags, and clears the screen.
    func appendNeutralModes(to painter: inout ShadowPainter) {
        if let modifyOtherKeys, modifyOtherKeys != 0 { painter.control(">4;0m") }
        for (mode, isOn) in Self.coverModes where modes[mode] != isOn { painter.setMode(mode, to: isOn) }
        if inserts { painter.control("4l") }
        if isKeypadApplication { painter.escape(">") }
        painter.control("r")
        painter.selectASCII()
        painter.select(ShadowPen(), after: nil, links: links)
        guard hasAlternateScreen else { return painter.eraseScreen(rows: rows) }
        painter.move(column: 0, row: 0)
        painter.control("2J")
    }

    /// The bytes that lead from the cover's alternate screen back to the main screen as it is now.
    func returnFromOwnScreen(placesCursor: Bool) -> [UInt8] {
        var painter = ShadowPainter(isUTF8: dialect.isUTF8)
        painter.control("0m")
        painter.move(column: 0, row: 0)
        painter.control("2J")
        appendModes(to: &painter)
        appendKeyboard(alternateKeyboard, to: &painter)
        painter.setMode(1049, to: false)
        if placesCursor {
            appendMainCursor(to: &painter)
        } else {
            // The switch brings back what was set when the terminal was lent.
            painter.setMode(7, to: modes[7])
            painter.select(charsets)
            painter.select(pen, after: nil, links: links)
        }
        painter.setMode(25, to: modes[25])
        return painter.bytes
    }

    /// Appends what the switch back to the main screen does not restore of the cursor: what the program had saved with DECSC, if
    /// the switch to the cover has replaced it, and a pending wrap, which not all terminals keep.
    private func appendMainCursor(to painter: inout ShadowPainter) {
        // A wrap that is pending behind a character that is not known can't be restored by writing, and counts more.
        let isKnown = pendingWrap == nil || !inexactness.isMain && (pendingWrap?.scalar != 0 || isRowKnown(row))
        if isAnchored, isKnown {
            if dialect.switchKeepsSavedCursor { appendOwnPlace(to: &painter) } else { appendCursor(to: &painter) }
            painter.select(charsets)
        } else {
            appendPendingWrap(to: &painter)
        }
    }
}
