import TerminalShadow
import TerminalUI

// The program: its start, its stops and its end.
extension GuardMachine {
    mutating func startIfPossible() -> [GuardAction] {
        guard program == .waiting, mayStart, !delaysStart else { return [] }
        program = .running
        return [.startProgram] + (screen == .cover || screen == .away ? respond() : [])
    }

    mutating func stopProgram(for reason: StopReason) -> [GuardAction] {
        guard program.isAlive else { return [] }
        let wasRunning = stops.isEmpty
        stops.insert(reason)
        return wasRunning ? [.send(signal: GuardSignals.stop, to: .programAndForeground)] : []
    }

    mutating func continueProgram(after reason: StopReason) -> [GuardAction] {
        guard stops.remove(reason) != nil, stops.isEmpty, program.isAlive else { return [] }
        return [.send(signal: GuardSignals.continued, to: .programAndForeground)]
    }

    /// Asks the program to end, and kills it after a time. A stopped program cannot act on a signal, so it is continued.
    func endProgram(with signal: Int32, grace: Duration) -> [GuardAction] {
        [
            .send(signal: signal, to: .programAndForeground),
            .send(signal: GuardSignals.continued, to: .programAndForeground),
            .schedule(.kill, after: grace),
        ]
    }

    mutating func quit() -> [GuardAction] {
        guard program.isAlive else { return program == .waiting ? finish(.refused) : [] }
        guard end == nil else { return [] }
        end = .refused
        stops = []
        return endProgram(with: GuardSignals.hangUp, grace: Self.quitGrace)
    }

    mutating func signal(_ number: Int32) -> [GuardAction] {
        if number == GuardSignals.terminalStop {
            if screen == .cover { return suspend() }
            return program.isAlive ? [.send(signal: number, to: .programAndForeground)] : []
        }
        // The key that sends it is pressed in the program that has the terminal.
        if number == GuardSignals.interrupt, isLent { return [] }
        if GuardSignals.user.contains(number) || number == GuardSignals.interrupt {
            if program.isAlive { return [.send(signal: number, to: .program)] }
            return number == GuardSignals.interrupt && program == .waiting ? finish(.signal(number)) : []
        }
        return end(by: number)
    }

    /// Ends the program and then the guard with a signal.
    mutating func end(by number: Int32) -> [GuardAction] {
        guard program.isAlive else { return program == .waiting ? finish(.signal(number)) : [] }
        if end == .signal(number) { return [] }
        end = .signal(number)
        stops = []
        return endProgram(with: number, grace: Self.signalGrace)
    }

    mutating func programEnded(_ programEnd: ProgramEnd) -> [GuardAction] {
        program = .ended(programEnd)
        stops = []
        return [.cancel(.kill), .releaseProgram] + finishIfDrained(else: [.schedule(.drain, after: Self.drainTime)])
    }

    mutating func finishIfDrained(else otherwise: [GuardAction] = []) -> [GuardAction] {
        guard case .ended(let programEnd) = program, isOutputEnded, !isLent else { return otherwise }
        return finish(end ?? .program(programEnd))
    }

    /// Gives the terminal back and ends the guard.
    mutating func finish(_ end: GuardEnd) -> [GuardAction] {
        hasFinished = true
        var bytes: [UInt8] = []
        if screen == .cover { bytes += cover.uncover() }
        if screen != .away { bytes += cover.flush() }
        // A program that was ended from outside could not restore the terminal itself.
        if case .program = end {} else if screen != .away { bytes += cover.reset }
        var actions: [GuardAction] = GuardTimer.allCases.map { .cancel($0) }
        if !bytes.isEmpty { actions.append(.sendToTerminal(bytes)) }
        if screen != .away { actions.append(.releaseTerminal) }
        return actions + [.finish(end)]
    }
}

// Input from the user's terminal.
extension GuardMachine {
    mutating func typed(_ bytes: [UInt8]) -> [GuardAction] {
        switch screen {
        case .away: return []
        case .program, .covering:
            let (input, actions) = takeCursorReport(bytes)
            let rest = sorter.followLive(input)
            return (rest.isEmpty ? [] : [.sendToProgram(rest)]) + actions
        case .cover: return sorted(sorter.sort(bytes, awaitsCursorReport: awaitsCursorReport))
        }
    }

    /// Distributes the items of sorted input.
    mutating func sorted(_ items: [InputSorter.Item]) -> [GuardAction] {
        var actions: [GuardAction] = []
        var keys: [Key] = []
        var replies: [UInt8] = []
        for item in items {
            switch item {
            case .key(let key): keys.append(key)
            case .reply(let bytes):
                let (rest, more) = takeCursorReport(bytes)
                replies += rest
                actions += more
            }
        }
        if !replies.isEmpty { actions.insert(.sendToProgram(replies), at: 0) }
        if !keys.isEmpty { actions.append(.press(keys)) }
        actions.append(sorter.isIncomplete ? .schedule(.escapeKey, after: Self.escapeTime) : .cancel(.escapeKey))
        return actions
    }

    /// Takes the reply to the guard's own question for the cursor's place out of the input. It may come late.
    private mutating func takeCursorReport(_ bytes: [UInt8]) -> (rest: [UInt8], actions: [GuardAction]) {
        guard awaitsCursorReport, let report = CursorReport(first: bytes) else { return (bytes, []) }
        awaitsCursorReport = false
        var rest = bytes
        rest.removeSubrange(report.range)
        guard delaysStart else { return (rest, []) }
        delaysStart = false
        if !cover.isCovered { cover.anchor(column: report.column, row: report.row) }
        return (rest, [.cancel(.cursorReport)] + startIfPossible())
    }
}

/// A cursor position report (`ESC [ row ; column R`) in a chunk of input.
struct CursorReport: Equatable, Sendable {
    let range: Range<Int>
    /// Counted from zero.
    let column: Int
    let row: Int

    /// Finds the first report; nil if there is none.
    init?(first bytes: [UInt8]) {
        for start in bytes.indices where bytes[start] == 0x1B {
            guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "[") else { continue }
            let body = bytes[(start + 2)...].prefix { (0x30...0x3B).contains($0) }
            guard body.endIndex < bytes.count, bytes[body.endIndex] == UInt8(ascii: "R"), body.count < 12 else { continue }
            let numbers = body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
            guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { continue }
            range = start..<(body.endIndex + 1)
            row = numbers[0] - 1
            column = numbers[1] - 1
            return
        }
        return nil
    }
}
