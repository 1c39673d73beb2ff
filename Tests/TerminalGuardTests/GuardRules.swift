import TerminalIO
import TerminalShadow
import TerminalUI

@testable import TerminalGuard

/// A rule that every event keeps in every state.
struct GuardRule: Sendable {
    /// The rule as a sentence.
    let sentence: String
    let isKept: @Sendable (GuardStep) -> Bool

    init(_ sentence: String, _ isKept: @escaping @Sendable (GuardStep) -> Bool) {
        (self.sentence, self.isKept) = (sentence, isKept)
    }

    static let all = terminal + program + input + end

    // MARK: The terminal

    private static let terminal = [
        GuardRule("The guard has the terminal exactly while it shows the program or the cover") { step in
            step.after.end != nil || step.after.holdsTerminal == step.after.machine.holdsTerminal
        },
        GuardRule("A cover shows exactly while a status blocks a program that does not end by itself") { step in
            let machine = step.after.machine
            guard !machine.isEnding, !machine.isAboutToFinish, machine.question != .open else { return true }
            switch machine.screen {
            case .cover: return machine.block != nil && step.after.terminal.isFull(of: machine.block?.frame.letter ?? " ")
            case .covering: return machine.block != nil && step.after.timers[.coverDeadline] != nil
            case .program: return machine.block == nil
            case .away, .lent, .gone: return true
            }
        },
        GuardRule("Who gets the terminal from the guard does not get the cover") { step in
            guard step.before.holdsTerminal, !step.after.holdsTerminal, !step.isAny("inputEnded") else { return true }
            return !["A", "B"].contains { step.after.terminal.isFull(of: $0) }
        },
        GuardRule("Who gets the terminal from the guard does not get a notice") { step in
            guard !step.after.holdsTerminal, !step.isAny("inputEnded"), step.machine.screen != .gone else { return true }
            // This terminal keeps its size.
            guard step.after.machine.size == GuardUnderTest.size else { return true }
            return !step.after.terminal.lines.contains { $0.contains("NOTICE") }
        },
        GuardRule("The job stops only after the terminal was given back, and the program is behind it then") { step in
            guard step.contains({ if case .stopJob = $0 { true } else { false } }) else { return true }
            let hasPlace = step.after.machine.program.isAlive && step.after.machine.screen == .away
            return !step.after.holdsTerminal && !(hasPlace && step.after.isProgramInForeground)
        },
        GuardRule("A program is in the foreground of its terminal exactly while its job is") { step in
            guard step.after.hasStarted, step.after.machine.program.isAlive else { return true }
            switch step.after.machine.screen {
            case .program, .covering, .cover: return step.after.isProgramInForeground
            case .away: return !step.after.isProgramInForeground
            case .lent, .gone: return true
            }
        },
        GuardRule("The keys of a cover do nothing where there is none") { step in
            guard step.isAny("quit", "suspend", "lend", "pass", "repaint"), step.machine.screen != .cover else { return true }
            return step.actions.isEmpty
        },
        GuardRule("A repaint sends the whole frame") { step in
            guard step.isAny("repaint"), step.machine.screen == .cover, !step.machine.isEnding else { return true }
            return step.contains { action in
                if case .sendToTerminal(let bytes) = action { GuardNotation.frame(in: bytes) != nil } else { false }
            }
        },
        GuardRule("The program's terminal gets every new size") { step in
            guard step.isAny("resized"), !step.machine.isEnding, step.machine.screen != .gone else { return true }
            return step.after.machine.size == Size(columns: 30, rows: 5)
        },
    ]

    // MARK: The program

    private static let program = [
        GuardRule("A program starts once, when the status allows it and the terminal has been asked") { step in
            guard !step.before.hasStarted, step.after.hasStarted else { return true }
            return step.after.machine.mayStart && step.after.machine.question != .open && step.after.machine.screen != .lent
        },
        GuardRule("Nothing is signalled before the start or after the end, except what is left after the end") { step in
            let isAllowed = step.before.hasStarted || step.after.hasStarted
            guard isAllowed || step.signals.isEmpty else { return false }
            guard step.machine.program.hasEnded else { return true }
            return step.signals.allSatisfy { $0 == "killAll" && step.machine.waitsForTree }
        },
        GuardRule("Everything is paused exactly while a status pauses it") { step in
            let machine = step.after.machine
            guard step.after.isPaused == machine.stops.contains(.status) else { return false }
            return !step.after.isPaused || machine.program.isAlive && machine.ending == nil && machine.screen != .program
        },
        GuardRule("A status that blocks twice in the same way is asked for once") { step in
            guard step.isAny("blockA", "pauseA", "terminateA") else { return true }
            return GuardStep([], step.name, step.event, in: step.after).signals.isEmpty
        },
        GuardRule("Unblocking twice is unblocking once") { step in
            guard step.isAny("unblock"), !step.after.isJobStopped else { return true }
            return GuardStep([], step.name, step.event, in: step.after).actions.isEmpty
        },
        GuardRule("A signal that a program may handle is passed on once and does nothing else") { step in
            guard step.isAny("USR1", "INT", "QUIT"), step.machine.program.isAlive, !step.machine.isEnding else { return true }
            // A key of the update command is not the program's.
            if step.machine.screen == .lent, !step.isAny("USR1") { return step.actions.isEmpty }
            return step.signals == ["\(step.name)→program"] && step.actions.count == 1
        },
        GuardRule("SIGTERM reaches the program, and a paused one is let go so that it can act on it") { step in
            guard step.isAny("TERM"), step.machine.program.isAlive, !step.machine.isEnding else { return true }
            return step.signals == ["TERM→program"] + (step.before.isPaused ? ["resume"] : []) && !step.after.isPaused
        },
        GuardRule("The end of the terminal hangs the program up, continues it and does not end the guard") { step in
            guard step.isAny("inputEnded"), step.machine.program.isAlive, !step.machine.isEnding else { return true }
            let isTold = step.machine.hasHungUp || step.signals.starts(with: ["HUP", "CONT"])
            return isTold && step.after.end == nil && step.after.machine.screen == .gone && step.contains { $0 == .hangUp }
        },
        GuardRule("Quitting the cover of a program asks it to end and gives it a time") { step in
            guard step.isAny("quit"), step.machine.screen == .cover, step.machine.program.isAlive,
                step.machine.ending?.cause != .person
            else { return true }
            return step.signals.first?.hasPrefix("HUP") == true && step.after.timers[.kill] != nil && !step.after.isPaused
        },
    ]

    // MARK: Input

    private static let input = [
        GuardRule("A key on the cover is pressed there and does not reach the program") { step in
            guard step.isAny("key", "ctrlC"), step.machine.screen == .cover, !step.machine.sorter.isIncomplete else {
                return true
            }
            return step.typed.isEmpty && step.pressed == 1
        },
        GuardRule("A key on the program's screen reaches the program and nobody else") { step in
            guard step.isAny("key"), [.program, .covering].contains(step.machine.screen), !step.machine.isEnding,
                !step.machine.program.hasEnded, !step.machine.reportFilter.isAmbiguous
            else { return true }
            return step.typed == Array("j".utf8) && step.pressed == 0
        },
        GuardRule("The reply to the guard's own question reaches nobody") { step in
            guard step.isAny("report"), step.machine.question != .none, !step.machine.isEnding else { return true }
            return step.typed.isEmpty && step.pressed == 0
                && (step.after.machine.question == .none || step.after.machine.asksForEmoji)
        },
        GuardRule("A timer runs exactly while something is waited for") { step in
            let killFired = step.isAny("kill") || step.path.contains("kill")
            return step.after.machine.isEnding || step.after.timerFaults(killFired: killFired).isEmpty
        },
        GuardRule("Output shows while the program's screen does, and otherwise waits") { step in
            var test = step.after
            guard !test.isJobStopped else { return true }
            let machine = test.machine
            let shown = test.output("x").terminal
            let isShown = machine.screen == .program || machine.screen == .away && !machine.cover.isCovered
            return shown == (isShown && !machine.isEnding ? Array("x".utf8) : [])
        },
    ]

    // MARK: The end

    private static let end = [
        GuardRule("A guard that has ended does nothing") { step in
            step.before.end == nil || step.actions.isEmpty
        },
        GuardRule("A guard ends without timers, without the terminal and without a paused program") { step in
            guard step.after.end != nil else { return true }
            return step.after.timers.isEmpty && !step.after.holdsTerminal && !step.after.isPaused
        },
        GuardRule("The guard does not end while its program runs") { step in
            step.after.end == nil || !step.after.machine.program.isAlive
        },
        GuardRule("The end of the program lets go of its terminal, unless something is left to be ended") { step in
            guard step.isAny("exited", "notStarted"), step.machine.program.isAlive else { return true }
            let hasLetGo = step.contains { $0 == .releaseProgram }
            return hasLetGo != step.after.machine.waitsForTree
                && (hasLetGo || step.after.isTreeWatched) && (!step.before.isPaused || step.after.machine.waitsForTree)
        },
        GuardRule("After the program's end its last output is awaited for a time only") { step in
            let machine = step.after.machine
            guard machine.program.hasEnded, !machine.waitsForTree, !machine.isEnding else { return true }
            return machine.isOutputEnded || step.after.timers[.drain] != nil
        },
        GuardRule("What a status has ended or refused is reported as refused") { step in
            guard case .programEnded = step.event, let ending = step.machine.ending, ending.cause != .signal else { return true }
            return step.after.end.map { $0 == .refused() } ?? true
        },
    ]
}

extension Frame {
    /// The letter that fills it, as in ``GuardNotation/frame(_:size:)``.
    fileprivate var letter: Character { self[0, 0].text.first ?? " " }
}
