import TerminalShadow
import TerminalUI

// The cover: what shows it, paints it and takes it away.
extension GuardMachine {
    mutating func block(_ frame: Frame, _ response: GuardResponse) -> [GuardAction] {
        block = Block(frame: frame, response: response)
        switch screen {
        case .program: return beginCover()
        case .covering: return []
        case .cover: return paint() + respond()
        case .away: return respond()
        }
    }

    private mutating func beginCover() -> [GuardAction] {
        guard !cover.isBetweenSequences else { return show() }
        screen = .covering
        return [.schedule(.coverDeadline, after: Self.coverDeadline)]
    }

    /// Shows the cover, which was not shown.
    mutating func show() -> [GuardAction] {
        guard let block else { return [] }
        let room = cover.isCovered ? cover.comeBack() : cover.cover()
        screen = .cover
        sorter.beginCover()
        writer.invalidate()
        return [.sendToTerminal(room + writer.bytes(for: block.frame) + ScreenCover.endOfUpdate), .didPaint] + respond()
    }

    /// Paints what has changed since the last paint.
    mutating func paint() -> [GuardAction] {
        guard let block else { return [] }
        let bytes = writer.bytes(for: block.frame)
        return bytes.isEmpty
            ? [.didPaint] : [.sendToTerminal(ScreenCover.beginOfUpdate + bytes + ScreenCover.endOfUpdate), .didPaint]
    }

    /// Does to the program what the status wants besides the cover.
    mutating func respond() -> [GuardAction] {
        guard let block, program.isAlive else { return [] }
        switch block.response {
        case .cover: return continueProgram(after: .status)
        case .pause: return stopProgram(for: .status)
        case .terminate(let grace):
            guard end == nil else { return [] }
            end = .refused
            return continueProgram(after: .status)
                + endProgram(with: GuardSignals.terminate, grace: grace)
        }
    }

    mutating func unblock() -> [GuardAction] {
        block = nil
        let continued = continueProgram(after: .status)
        switch screen {
        case .program, .away: return continued + startIfPossible()
        case .covering:
            screen = .program
            return [.cancel(.coverDeadline)] + continued
        case .cover: return continued + reveal() + startIfPossible()
        }
    }

    /// Takes the cover away and brings the program's screen back.
    private mutating func reveal() -> [GuardAction] {
        screen = .program
        sorter.endCover()
        var actions: [GuardAction] = [.cancel(.escapeKey), .sendToTerminal(cover.uncover()), .didPaint]
        if program == .stopped { return actions + stopWithProgram() }
        if program == .running, cover.isInexact, cover.shadow.isAlternate, size.rows > 1 {
            actions += [
                .setSize(Size(columns: size.columns, rows: size.rows - 1)),
                .schedule(.realSize, after: Self.smallerSizeTime),
            ]
        }
        return actions
    }

    mutating func resize(_ size: Size) -> [GuardAction] {
        self.size = size
        cover.resize(columns: size.columns, rows: size.rows)
        writer.invalidate()
        return [.cancel(.realSize), .setSize(size)]
    }
}

// The terminal: who has it.
extension GuardMachine {
    mutating func begin(_ isForeground: Bool) -> [GuardAction] {
        guard isForeground else { return startIfPossible() }
        screen = .program
        awaitsCursorReport = true
        delaysStart = true
        return [
            .takeTerminal, .sendToTerminal(Array("\u{1B}[6n".utf8)), .schedule(.cursorReport, after: Self.cursorReportTime),
        ] + (block == nil ? [] : beginCover())
    }

    /// Stops the job because the program was stopped, as its shell expects.
    private mutating func stopWithProgram() -> [GuardAction] {
        screen = .away
        sorter.endCover()
        let rest = cover.isCovered ? [] : cover.flush()
        return (rest.isEmpty ? [] : [.sendToTerminal(rest)]) + [.releaseTerminal, .stopJob]
    }

    mutating func programStopped() -> [GuardAction] {
        guard program == .running, stops.isEmpty else { return [] }
        program = .stopped
        switch screen {
        case .program: return stopWithProgram()
        case .covering:
            return [.cancel(.coverDeadline)] + stopWithProgram()
        // Whoever stopped it, the cover stays. The job stops when the cover goes.
        case .cover: return []
        case .away: return isLent ? [] : [.stopJob]
        }
    }

    mutating func suspend() -> [GuardAction] {
        guard screen == .cover else { return [] }
        screen = .away
        sorter.endCover()
        return [.cancel(.escapeKey), .sendToTerminal(cover.leave()), .releaseTerminal] + stopProgram(for: .person) + [.stopJob]
    }

    mutating func resume(_ isForeground: Bool) -> [GuardAction] {
        guard !isLent else { return [] }
        var actions = continueProgram(after: .person)
        if program == .stopped {
            program = .running
            actions.append(.send(signal: GuardSignals.continued, to: .programAndForeground))
        }
        guard isForeground else {
            if screen != .away { screen = .away }
            return actions
        }
        guard screen == .away else { return [.takeTerminal] + actions + (screen == .cover ? handleRepaint() : []) }
        return [.takeTerminal] + returnToTerminal() + actions
    }

    private mutating func handleRepaint() -> [GuardAction] {
        writer.invalidate()
        return paint()
    }

    /// Shows what belongs on the terminal after it has come back.
    private mutating func returnToTerminal() -> [GuardAction] {
        screen = .program
        defer { delayedQueries = [] }
        let queries: [GuardAction] = delayedQueries.isEmpty ? [] : [.sendToTerminal(delayedQueries)]
        if block != nil { return show() + queries }
        guard cover.isCovered else { return queries }
        return [.sendToTerminal(cover.comeBack())] + reveal() + queries
    }

    mutating func lend() -> [GuardAction] {
        guard screen == .cover else { return [] }
        screen = .away
        isLent = true
        sorter.endCover()
        return [.cancel(.escapeKey), .sendToTerminal(cover.leave()), .releaseTerminal, .didLend]
    }

    mutating func takeBack() -> [GuardAction] {
        guard isLent else { return [] }
        isLent = false
        return [.takeTerminal] + returnToTerminal() + finishIfDrained()
    }
}
