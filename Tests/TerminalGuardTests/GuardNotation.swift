import TerminalUI

@testable import TerminalGuard
@testable import TerminalShadow

/// A short notation of actions and states.
///
/// Actions: `take` and `release` the terminal, `ask` for the alternate screen and the cursor's place, `askEmoji` (how emoji are
/// drawn), `show A` (makes room and paints the frame A), `paint A` (on a cover that is shown), `painted` (the report of it),
/// `uncover`, `leave` the cover to another program, `back` (makes room again after that), `reset`, `type` (bytes for the program;
/// `type report` is the reply to `ask`), `press` (keys on the cover), `start`, `letGo` (of the pseudo-terminal), `TERM` (a signal
/// to the program and the foreground), `INT→program` (to the program only), `TERM→all` (to everything that it has started),
/// `pause`, `resume`, `killAll` and `watch` (everything that it has started), `toFront` and `toBehind` (the program's place in
/// its terminal), `hangUp` (the program's terminal), `giveBack` (input for the shell), `+kill(2s)` and `-kill` (timers), `-waits`
/// (the seven timers that wait for something of the terminal), `-all` (all timers), `-others` (all but that of the late reply).
enum GuardNotation {
    // MARK: Frames

    /// A frame full of one letter.
    static func frame(_ letter: Character, size: Size = GuardUnderTest.size) -> Frame {
        var frame = Frame(size)
        for row in 0..<size.rows { frame.write(String(repeating: letter, count: size.columns), at: Point(column: 0, row: row)) }
        return frame
    }

    /// The letter of the frame that bytes paint; nil if they paint none.
    static func frame(in bytes: [UInt8]) -> Character? {
        let text = String(decoding: bytes, as: UTF8.self)
        return ["A", "B"].first { text.contains(String(repeating: $0, count: 8)) }
    }

    // MARK: Actions

    static func text(_ actions: [GuardAction], from before: GuardMachine, to after: GuardMachine) -> String {
        var words: [String] = []
        for action in actions {
            if case .sendToTerminal(let bytes) = action {
                words += names(of: bytes, from: before, to: after)
            } else {
                words.append(word(action))
            }
        }
        var text = words.isEmpty ? "-" : words.joined(separator: ", ")
        let all = GuardTimer.allCases.map { "-\($0)" }
        text = text.replacing(all.joined(separator: ", "), with: "-all")
        text = text.replacing(all.filter { $0 != "-lateReport" }.joined(separator: ", "), with: "-others")
        return text.replacing(
            "-cursorReport, -lateReport, -coverDeadline, -escapeKey, -pasteEnd, -unitEnd, -replies", with: "-waits")
    }

    private static func word(_ action: GuardAction) -> String {
        switch action {
        case .sendToTerminal: ""
        case .sendToProgram(let bytes): "type " + visible(bytes).replacing(visible(report), with: "report")
        case .takeTerminal: "take"
        case .releaseTerminal: "release"
        case .startProgram(let inForeground): inForeground ? "start" : "startBehind"
        case .moveProgram(let toForeground): toForeground ? "toFront" : "toBehind"
        case .send(let signal, let target): name(of: signal) + suffix(target)
        case .pauseTree: "pause"
        case .resumeTree: "resume"
        case .killTree: "killAll"
        case .watchTree: "watch"
        case .hangUp: "hangUp"
        case .setSize(let size): "size \(size.columns)x\(size.rows)"
        case .releaseProgram: "letGo"
        case .stopJob(by: GuardSignals.terminalStop): "stopJob"
        case .stopJob(let number): "stopJob(\(name(of: number)))"
        case .returnInput(let late): "giveBack" + (late.isEmpty ? "" : " " + visible(late))
        case .schedule(.kill, let wait): "+kill(\(wait.components.seconds)s)"
        case .schedule(let timer, _): "+\(timer)"
        case .cancel(let timer): "-\(timer)"
        case .press(let keys): "press " + keys.map(\.label).joined(separator: " ")
        case .didLend: "lent"
        case .didPaint: "painted"
        case .failedEarly(let end): "failed " + name(of: .program(end))
        case .finish(let end): "finish " + name(of: end)
        }
    }

    static func suffix(_ target: GuardSignalTarget) -> String {
        switch target {
        case .program: "→program"
        case .programAndForeground: ""
        case .tree: "→all"
        }
    }

    /// Names bytes by what they are made of. The cover is asked for the parts, and not the machine that is tested.
    private static func names(of bytes: [UInt8], from before: GuardMachine, to after: GuardMachine) -> [String] {
        if bytes == before.screenQuestion.bytes { return ["ask"] }
        if bytes == TerminalDialect.emojiQuestion { return ["askEmoji"] }
        if bytes == copyRequest { return ["pass"] }
        var cover = before.cover
        let room = cover.isCovered ? cover.comeBack() : cover.cover()
        if let letter = frame(in: bytes) { return [(bytes.starts(with: room) ? "show " : "paint ") + String(letter)] }
        cover = before.cover
        // A cover that was left in the same list of actions comes back in another way.
        if before.screen == .cover, bytes == cover.leave() { return ["leave"] }
        cover = before.cover
        let parts = [("back", cover.comeBack()), ("uncover", cover.uncover()), ("reset", after.cover.reset)]
        var rest = bytes[...], names: [String] = []
        for (name, part) in parts where !part.isEmpty && rest.starts(with: part) {
            rest = rest.dropFirst(part.count)
            names.append(name)
        }
        return rest.isEmpty ? names : names + ["send " + visible(Array(rest))]
    }

    /// What a terminal with an alternate screen replies to the guard's questions.
    static let report = Array("\u{1B}[?1049;2$y\u{1B}[2;5R".utf8)

    /// Bytes that the cover passes on.
    static let copyRequest = Array("\u{1B}]52;c;eA==\u{07}".utf8)

    /// Bytes as text, with control characters in caret notation.
    static func visible(_ bytes: [UInt8]) -> String {
        bytes.map { $0 < 0x20 ? "^" + String(Character(Unicode.Scalar($0 + 0x40))) : String(Character(Unicode.Scalar($0))) }
            .joined()
    }

    static func name(of signal: Int32) -> String {
        let names = [
            (GuardSignals.hangUp, "HUP"), (GuardSignals.interrupt, "INT"), (GuardSignals.quit, "QUIT"),
            (GuardSignals.kill, "KILL"),
            (GuardSignals.terminate, "TERM"), (GuardSignals.stop, "STOP"), (GuardSignals.terminalStop, "TSTP"),
            (GuardSignals.continued, "CONT"), (GuardSignals.user[0], "USR1"), (GuardSignals.user[1], "USR2"),
            (GuardSignals.wantsInput, "TTIN"),
        ]
        return names.first { $0.0 == signal }?.1 ?? String(signal)
    }

    private static func name(of end: GuardEnd) -> String {
        switch end {
        case .program(.exited(let code)): "exit \(code)"
        case .program(.signaled(let number)): "killed by \(name(of: number))"
        case .program(.notStarted(let code)): "not started (\(code))"
        case .key(let number): "key \(name(of: number))"
        case .refused: "refused"
        case .restart: "restart"
        case .signal(let number): name(of: number)
        }
    }

    // MARK: States

    /// A state in words: what the terminal shows, what the program does, and what else decides about the future.
    static func text(_ machine: GuardMachine) -> String {
        if machine.hasFinished { return "finished" }
        if let end = machine.closing { return "closing (\(name(of: end)))" }
        let screen = machine.screen == .program ? "shown" : "\(machine.screen)"
        let program = machine.program.hasEnded ? "ended" : "\(machine.program)"
        let hidesBlock = machine.screen == .cover || machine.screen == .covering
        let flags: [(Bool, String)] = [
            (machine.question == .open, machine.asksForEmoji ? "asking(emoji)" : "asking"), (machine.question == .late, "late"),
            (machine.question == .overdue, "overdue"),
            (machine.program == .waiting && machine.mayStart, "allowed"),
            (machine.stops.contains(.status), "paused"), (machine.stops.contains(.person), "held"),
            (machine.waitsForTree, "waiting for the rest"), (machine.isOutputEnded, "drained"),
            (machine.block != nil && !hidesBlock, "blocked"),
        ]
        let ending = machine.ending.map {
            $0.cause == .signal ? "ending(\(name(of: $0.signal)))" : "ending(\($0.cause))"
        }
        return ([screen, program] + flags.filter(\.0).map(\.1) + (ending.map { [$0] } ?? [])).joined(separator: " ")
    }
}

extension GuardEvent {
    /// A status covers the program.
    static let kill = GuardEvent.block(GuardNotation.frame("A"), .cover)
    /// A status covers the program and stops it.
    static let pause = GuardEvent.block(GuardNotation.frame("A"), .pause)
    /// Control-Z has stopped the program.
    static let stopped = GuardEvent.programStopped(by: GuardSignals.terminalStop)
}
