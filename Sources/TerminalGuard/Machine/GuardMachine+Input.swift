import TerminalIO
import TerminalShadow
import TerminalUI

// Input from the user's terminal.
extension GuardMachine {
    mutating func typed(_ bytes: [UInt8]) -> [GuardAction] {
        // What was typed while the terminal changed hands was meant for the other.
        guard holdsTerminal else { return [] }
        let before = (isIncomplete, sorter.isPasting, sorter.isUnfinished, sorter.awaitsReply)
        let actions = screen == .cover ? sorted(sorter.sort(bytes, awaitsCursorReport: question != .none)) : live(bytes)
        guard holdsTerminal, !isEnding else { return actions }
        return actions + time(.escapeKey, escapeTime, from: before.0, to: isIncomplete)
            + time(.pasteEnd, Self.pasteTime, from: before.1, to: sorter.isPasting)
            + time(.unitEnd, sorter.awaitsReply ? Self.replyTime : Self.unitTime, from: before.2, to: sorter.isUnfinished)
            + (before.3 && !sorter.awaitsReply ? [.cancel(.replies)] : [])
    }

    /// Passes on what was typed while the program's screen is shown.
    private mutating func live(_ bytes: [UInt8]) -> [GuardAction] {
        let rest = sorter.followLive(bytes)
        for byte in rest { if let number = GuardSignals.ofKeys[byte] { typedSignals.insert(number) } }
        // Before the start nobody gets the signal of a key from the pseudo-terminal.
        let number = program == .waiting ? rest.lazy.compactMap { GuardSignals.ofKeys[$0] }.first : nil
        let actions = sendToProgram(rest)
        guard let number, !isEnding, program == .waiting else { return actions }
        return actions + signal(number)
    }

    /// Distributes what was typed on the cover.
    private mutating func sorted(_ items: [InputSorter.Item]) -> [GuardAction] {
        var keys: [Key] = []
        var replies: [UInt8] = []
        for item in items {
            switch item {
            case .key(let key): keys.append(key)
            case .reply(let bytes): replies += bytes
            }
        }
        return sendToProgram(replies) + (keys.isEmpty ? [] : [.press(keys)])
    }

    // MARK: What only time can tell

    /// How long the last bytes wait for more. What the filter holds is kept from the program meanwhile.
    private var escapeTime: Duration {
        let awaitsOwn = screen == .cover && (question == .open || question == .late)
        return (sorter.awaitsReply || awaitsOwn) && !reportFilter.isAmbiguous ? Self.replyPartTime : Self.escapeTime
    }

    private var isIncomplete: Bool { sorter.isIncomplete || reportFilter.isAmbiguous }

    /// Starts the time of a state again, or ends it with the state.
    private func time(_ timer: GuardTimer, _ wait: Duration, from before: Bool, to now: Bool) -> [GuardAction] {
        now ? [.schedule(timer, after: wait)] : before ? [.cancel(timer)] : []
    }

    mutating func escapeTimeEnded() -> [GuardAction] {
        let held = reportFilter.isAmbiguous ? reportFilter.release() : []
        return (held.isEmpty ? [] : [.sendToProgram(held)]) + sorted(sorter.flush())
    }

    // MARK: The replies to the program's questions

    /// Takes note of the replies that the program has asked the terminal for. They come only to a guard that has the terminal.
    mutating func expectReplies() -> [GuardAction] {
        guard holdsTerminal else { return [] }
        let replies = cover.takeExpectedReplies()
        guard !replies.isEmpty else { return [] }
        for reply in replies { sorter.expect(reply) }
        return [.schedule(.replies, after: Self.replyTime)]
    }

    // MARK: The replies to the guard's own questions

    /// Sends bytes to the program, without the replies to the guard's own questions. They may come late.
    private mutating func sendToProgram(_ bytes: [UInt8]) -> [GuardAction] {
        guard !bytes.isEmpty else { return [] }
        guard question != .none else { return [.sendToProgram(bytes)] }
        let (rest, report) = reportFilter.filter(bytes)
        return (rest.isEmpty ? [] : [.sendToProgram(rest)]) + (report.map { answer($0) } ?? [])
    }

    private mutating func answer(_ report: CursorReport) -> [GuardAction] {
        let isOpen = question == .open
        if asksForEmoji {
            asksForEmoji = false
            cover.learnEmoji(endingAt: report.column, row: report.row)
        } else if isOpen {
            switch screenQuestion.evaluate(report, mode: reportFilter.mode, size: (size.columns, size.rows)) {
            case .ask(let bytes): return [.sendToTerminal(bytes), .schedule(.cursorReport, after: screenQuestion.patience)]
            case .done(let place, let hasScreen):
                if let hasScreen, hasScreen != cover.hasAlternateScreen { changeAlternateScreen(to: hasScreen) }
                // The program has not been started, so the cursor is still there.
                cover.anchor(column: place.column, row: place.row)
                if hasScreen == true, let emoji = askForEmoji() { return layNotice() + emoji }
            }
        }
        question = .none
        guard heldDeparture == nil else { return [.cancel(isOpen ? .cursorReport : .lateReport)] + departIfHeld() }
        return isOpen ? [.cancel(.cursorReport)] + layNotice() + coverOrStart() : [.cancel(.lateReport)]
    }

    /// Asks how emoji are drawn, on the alternate screen; nil if that can't be asked. A terminal that shows the alternate screen would
    /// not come back to it.
    private mutating func askForEmoji() -> [GuardAction]? {
        guard reportFilter.mode != 1, !isAboutToFinish,
            cover.shadow.dialect.canAskForEmoji(columns: size.columns, rows: size.rows)
        else { return nil }
        asksForEmoji = true
        let question = GuardAction.sendToTerminal(TerminalDialect.emojiQuestion)
        // The start can do without the reply, so it does not wait as long as for the trial.
        return screenQuestion.hasTried ? [question, .schedule(.cursorReport, after: Self.cursorReportTime)] : [question]
    }

    /// Nothing was written yet, so the record of the screen begins anew.
    private mutating func changeAlternateScreen(to hasScreen: Bool) {
        cover = ScreenCover(
            columns: size.columns, rows: size.rows, dialect: cover.shadow.dialect, hasAlternateScreen: hasScreen,
            keepsMainScreen: true)
    }

    /// Does what has waited for the reply. Before it nothing is shown: the cover needs to know whether there is an alternate screen.
    private mutating func coverOrStart() -> [GuardAction] {
        let shown = block != nil && screen == .program && !isAboutToFinish ? beginCover() : []
        // A job that is about to stop starts its program when it goes on.
        return shown + (heldDeparture == nil ? startOrFinish() : [])
    }

    /// The start waits no longer for the reply.
    mutating func endQuestion() -> [GuardAction] {
        guard question == .open else { return [] }
        question = .late
        let patience = asksForEmoji ? Self.replyTime : screenQuestion.latePatience
        return [.schedule(.lateReport, after: patience)] + coverOrStart()
    }
}
