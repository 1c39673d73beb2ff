import Bellerophon
import TerminalIO
import TerminalShadow
import TerminalUI

// The cover: what shows it, paints it and takes it away.
extension GuardMachine {
    mutating func block(_ frame: Frame, _ response: GuardResponse) -> [GuardAction] {
        guard !isAboutToFinish else { return [] }
        block = Block(frame: frame, response: response)
        guard hasBegun else { return [] }
        switch screen {
        // The terminal has not said yet whether it has an alternate screen.
        case .program: return question == .open ? [] : beginCover()
        case .covering: return []
        case .cover: return paint() + respond()
        case .away, .lent, .gone: return respond()
        }
    }

    mutating func beginCover() -> [GuardAction] {
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

    mutating func repaint() -> [GuardAction] {
        writer.invalidate()
        return screen == .cover ? paint() : []
    }

    /// Does to the program what the status wants besides the cover.
    mutating func respond() -> [GuardAction] {
        guard let block, program.isAlive, ending == nil else { return [] }
        switch block.response {
        case .cover, .restart: return endPause()
        case .pause: return pause()
        case .terminate(let grace):
            return endProgram(Ending(cause: .status, signal: GuardSignals.terminate, grace: grace, isWholeTree: true))
        }
    }

    mutating func unblock() -> [GuardAction] {
        block = nil
        let continued = endPause()
        switch screen {
        case .program, .lent, .gone: return continued + startIfPossible()
        case .away:
            let output = uncoverInBackground()
            return continued + (output.isEmpty ? [] : [.sendToTerminal(output)]) + startIfPossible()
        case .covering:
            screen = .program
            return [.cancel(.coverDeadline)] + continued
        case .cover: return continued + reveal() + startIfPossible() + stopIfProgramIsStopped()
        }
    }

    /// Takes the cover away and brings the program's screen back.
    ///
    /// The time limit of an Escape on the cover goes on: what follows the Escape may belong to it.
    mutating func reveal() -> [GuardAction] {
        screen = .program
        sorter.endCover()
        let actions: [GuardAction] = [.sendToTerminal(cover.uncover()), .didPaint]
        guard program == .running, ending == nil, cover.isInexact, cover.isRepainted, size.rows > 1 else { return actions }
        return actions + [
            .setSize(Size(columns: size.columns, rows: size.rows - 1)),
            .schedule(.realSize, after: Self.smallerSizeTime),
        ]
    }

    /// Ends the cover in the background, and returns what a program wrote under it: there it writes as every job in the
    /// background does. A screen that is painted again waits for the foreground.
    mutating func uncoverInBackground() -> [UInt8] {
        guard cover.isCovered, !cover.isRepainted else { return [] }
        delayedQueries = []
        let bytes = cover.comeBack() + cover.uncover()
        return program == .waiting ? [] : bytes
    }

    mutating func resize(_ size: Size) -> [GuardAction] {
        self.size = size
        let moved = cover.resize(columns: size.columns, rows: size.rows)
        writer.invalidate()
        // In a narrower terminal the reply means something else.
        asksForEmoji = false
        // The cursor may be elsewhere now.
        let notice = (moved.isEmpty ? [] : [GuardAction.sendToTerminal(moved)]) + layNotice()
        return [.cancel(.realSize), .setSize(size)] + notice + (question == .open ? [.cancel(.cursorReport)] + endQuestion() : [])
    }
}

// The notice: a row over the program's screen.
extension GuardMachine {
    mutating func notice(_ banner: Banner?, _ use: NoticeUse) -> [GuardAction] {
        (self.banner, noticeUse) = (banner, use)
        return layNotice()
    }

    /// Says a notice to somebody who does not see the screen.
    mutating func notifyOnce(_ line: String, _ banner: Banner) -> [GuardAction] {
        guard program != .waiting else {
            announcements.append(line)
            return []
        }
        return notice(banner, .once)
    }

    /// Puts the notice on the terminal, if the guard has it. Under a cover it waits.
    mutating func layNotice() -> [GuardAction] {
        guard holdsTerminal, !isEnding, noticeUse != .told else { return [] }
        let bytes = cover.setNotice(screenNotice)
        if noticeUse == .once { noticeUse = .told }
        return bytes.isEmpty ? [] : [.sendToTerminal(bytes)]
    }

    private var screenNotice: ScreenNotice? {
        guard let banner else { return nil }
        let columns = banner.area(in: size).columns
        guard columns > 0, let line = banner.rows.first else { return nil }
        var frame = Frame(Size(columns: columns, rows: 1))
        frame.write(line, in: frame.bounds)
        return ScreenNotice(
            frame, at: banner.edge == .top ? .top : .bottom, writer: writer, isPaintedOnce: noticeUse != .standing)
    }
}
