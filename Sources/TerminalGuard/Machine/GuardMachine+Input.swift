import TerminalIO
import TerminalShadow
import TerminalUI

// Input from the user's terminal.
extension GuardMachine {
    mutating func typed(_ bytes: [UInt8]) -> [GuardAction] {
        // What was typed while the terminal changed hands was meant for the other.
        guard holdsTerminal else { return [] }
        let before = (isIncomplete, sorter.isPasting)
        let actions = screen == .cover ? sorted(sorter.sort(bytes, awaitsCursorReport: question != .none)) : live(bytes)
        guard holdsTerminal, !isEnding else { return actions }
        return actions + time(.escapeKey, Self.escapeTime, from: before.0, to: isIncomplete)
            + time(.pasteEnd, Self.pasteTime, from: before.1, to: sorter.isPasting)
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

    private var isIncomplete: Bool { sorter.isIncomplete || reportFilter.isAmbiguous }

    /// Starts the time of a state again, or ends it with the state.
    private func time(_ timer: GuardTimer, _ wait: Duration, from before: Bool, to now: Bool) -> [GuardAction] {
        now ? [.schedule(timer, after: wait)] : before ? [.cancel(timer)] : []
    }

    mutating func escapeTimeEnded() -> [GuardAction] {
        let held = reportFilter.isAmbiguous ? reportFilter.release() : []
        return (held.isEmpty ? [] : [.sendToProgram(held)]) + sorted(sorter.flush())
    }

    // MARK: The reply to the guard's own question

    /// Sends bytes to the program, without the reply to the guard's own question. It may come late.
    private mutating func sendToProgram(_ bytes: [UInt8]) -> [GuardAction] {
        guard !bytes.isEmpty else { return [] }
        guard question != .none else { return [.sendToProgram(bytes)] }
        let (rest, report) = reportFilter.take(bytes)
        return (rest.isEmpty ? [] : [.sendToProgram(rest)]) + (report.map { answer($0) } ?? [])
    }

    private mutating func answer(_ report: CursorReport) -> [GuardAction] {
        let wasOpen = question == .open
        question = .none
        guard wasOpen else { return [.cancel(.lateReport)] }
        // The program has not been started, so the cursor is still there, or on the main screen behind the cover.
        cover.anchor(column: report.column, row: report.row)
        return [.cancel(.cursorReport)] + startOrFinish()
    }

    /// The start waits no longer for the reply.
    mutating func endQuestion() -> [GuardAction] {
        guard question == .open else { return [] }
        question = .late
        return [.schedule(.lateReport, after: Self.lateReportTime)] + startOrFinish()
    }
}
