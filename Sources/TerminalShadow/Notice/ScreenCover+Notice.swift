internal import TerminalUI

/// A notice over the program's screen is lifted before the program changes what is below it, and laid again afterwards.
extension ScreenCover {
    /// Shows another notice, or none with nil. While the program is covered, the notice waits for the end of the cover.
    ///
    /// The notice also waits while its row shows something that the shadow does not know, and cannot bring back.
    /// - Returns: what is to be sent to the terminal.
    package mutating func setNotice(_ notice: ScreenNotice?) -> [UInt8] {
        var terminal: [UInt8] = []
        lift(&terminal)
        self.notice = notice
        settle(&terminal)
        return terminal
    }

    /// Takes the terminal's new size.
    /// - Returns: what is to be sent to the terminal. The row below a notice is painted again as far as it is known: terminals
    ///   differ in what they keep of a main screen.
    @discardableResult
    package mutating func resize(columns: Int, rows: Int) -> [UInt8] {
        let former = laid, formerRows = shadow.rows
        let isSame = columns == shadow.columns && rows == shadow.rows
        shadow.resize(columns: columns, rows: rows)
        guard !isSame, let former else { return [] }
        forgetLaidNotice()
        var terminal: [UInt8] = []
        if shadow.isPlaceKnown {
            beginUpdate(&terminal)
            // The notice may stand in any row between its former place and where the terminal has moved it.
            let shift = max(0, formerRows - shadow.rows)
            terminal += shadow.paintedByOthers { painter in
                for row in max(0, former.row - shift)...max(0, former.row) where row < shadow.rows {
                    shadow.appendCells(of: row, 0..<shadow.columns, to: &painter)
                }
            }
            replacesLast = true
        }
        settle(&terminal)
        return terminal
    }

    /// What a crash writes to take the notice off a main screen; empty without one, or if it is longer than a crash can write. On an
    /// alternate screen the notice goes with the screen.
    var emergencyLift: [UInt8] {
        guard let place = laid, !shadow.isAlternate else { return [] }
        var painter = ShadowPainter(isUTF8: dialect.isUTF8)
        painter.escape("7")
        painter.setMode(6, to: false)
        painter.control("4l")
        painter.selectASCII()
        painter.select(ShadowPen(), after: nil, links: shadow.links)
        shadow.appendCells(of: place.row, place.first..<place.end, to: &painter)
        painter.escape("8")
        return painter.bytes.count <= Self.longestEmergencyLift ? painter.bytes : []
    }

    /// A crash writes 4096 bytes at most, with the modes.
    private static let longestEmergencyLift = 2048

    /// Relays output below a notice.
    mutating func relayBelowNotice(_ chunk: UnsafeBufferPointer<UInt8>, terminal: inout [UInt8]) {
        split(chunk) { cover, token, bytes in
            if let laid = cover.laid, cover.shadow.mayChange(row: laid.row, by: token, bytes, &cover.sequence) {
                cover.lift(&terminal)
            }
            if cover.replacesLast, token == .text, cover.shadow.beginsWithMark(bytes) {
                terminal += cover.shadow.painted { cover.shadow.appendLastCharacter(to: &$0) }
            }
            let repetition = cover.replacesLast ? cover.shadow.repetition(token, bytes, &cover.sequence) : nil
            let wasInUpdate = cover.shadow.isInUpdate
            cover.expectReplies(to: cover.shadow.perform(token, bytes, &cover.sequence), of: token, bytes)
            if let repetition { terminal += repetition } else { terminal += bytes }
            cover.replacesLast = false
            // The end of the program's update must not show the screen while the notice is away.
            if cover.hasOpenUpdate, wasInUpdate, !cover.shadow.isInUpdate { terminal += Self.beginOfUpdate }
        }
        settle(&terminal)
    }

    /// Puts the notice where it belongs now, and ends the update.
    mutating func settle(_ terminal: inout [UInt8]) {
        let place = noticePlace
        if laid != place { lift(&terminal) }
        if laid == nil, let place, let notice {
            beginUpdate(&terminal)
            lay(notice, at: place, &terminal)
        }
        if hasOpenUpdate, !shadow.isInUpdate { terminal += Self.endOfUpdate }
        hasOpenUpdate = false
    }

    /// Brings back the cells below the notice.
    mutating func lift(_ terminal: inout [UInt8]) {
        guard let place = laid else { return }
        forgetLaidNotice()
        beginUpdate(&terminal)
        terminal += shadow.paintedByOthers { shadow.appendCells(of: place.row, place.first..<place.end, to: &$0) }
        replacesLast = true
    }

    /// Takes note that the notice does not stand any more.
    private mutating func forgetLaidNotice() {
        laid = nil
        if notice?.isPaintedOnce == true { notice = nil }
    }

    private mutating func lay(_ notice: ScreenNotice, at place: NoticePlace, _ terminal: inout [UInt8]) {
        terminal += shadow.paintedByOthers { painter in
            // The visible half of a wide character that the notice cuts.
            let own = place.end - notice.frame.size.columns
            if place.first < own { shadow.appendSpace(column: place.first, row: place.row, to: &painter) }
            painter.append(notice.bytes(at: NoticePlace(row: place.row, first: own, end: place.end)))
        }
        laid = place
        timesLaid &+= 1
        replacesLast = true
    }

    private mutating func beginUpdate(_ terminal: inout [UInt8]) {
        guard !hasOpenUpdate else { return }
        hasOpenUpdate = true
        if !shadow.isInUpdate { terminal += Self.beginOfUpdate }
    }

    /// Where the notice belongs; nil if it must wait.
    private var noticePlace: NoticePlace? {
        guard let notice, !isCovered, isBetweenSequences, !isInexact, shadow.isPlaceKnown else { return nil }
        let width = notice.frame.size.columns
        guard width > 0, width <= shadow.columns, notice.frame.size.rows > 0, shadow.rows > 1 else { return nil }
        let edges = notice.edge == .top ? [0, shadow.rows - 1] : [shadow.rows - 1, 0]
        guard let row = edges.first(where: { $0 != shadow.row && shadow.isRowKnown($0) }) else { return nil }
        let first = shadow.columns - width
        let cutsCharacter = first > 0 && shadow.grid[first, row].width == 0
        return NoticePlace(row: row, first: cutsCharacter ? first - 1 : first, end: shadow.columns)
    }
}
