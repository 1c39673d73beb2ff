import TerminalShadow
import TerminalUI

/// Decides what a guard does: when the program starts and ends, who has the terminal, what is shown on it, and where output
/// and keys go.
///
/// A value without input or output. ``Relay`` performs its actions.
package struct GuardMachine: Sendable {
    /// The state of the guarded program.
    package enum Program: Equatable, Sendable {
        /// It has not been started.
        case waiting
        case running
        /// It was stopped, but not by this machine.
        case stopped
        /// It has ended; its last output may still come.
        case ended(ProgramEnd)
    }

    /// What the user's terminal shows.
    package enum Screen: Equatable, Sendable {
        /// The program's screen.
        case program
        /// The program's screen, until a sequence that the terminal has a part of ends.
        case covering
        case cover
        /// The terminal belongs to another job or program.
        case away
    }

    package internal(set) var program = Program.waiting
    package internal(set) var screen = Screen.away
    var cover: ScreenCover
    var writer: FrameWriter
    var sorter = InputSorter()
    /// What blocks the program; nil while nothing does.
    var block: Block?
    /// Whether the status allows the program to start.
    var mayStart = false
    /// Whether the reply to the guard's own question for the cursor's place has not come.
    var awaitsCursorReport = false
    /// Whether the program is started only after that reply or its deadline.
    var delaysStart = false
    /// Why this machine has stopped the program.
    var stops: Set<StopReason> = []
    /// How the guard ends, if not as the program does.
    var end: GuardEnd?
    var hasFinished = false
    var isOutputEnded = false
    /// Queries of a covered program while the terminal belongs to another program.
    var delayedQueries: [UInt8] = []
    /// Whether the terminal was left to a program of the guard, which ends with ``GuardEvent/takeBack``.
    var isLent = false
    package internal(set) var size: Size

    /// A cover that is wanted.
    struct Block: Equatable, Sendable {
        var frame: Frame
        var response: GuardResponse
    }

    /// Why the machine has stopped the program with SIGSTOP.
    enum StopReason: Equatable, Hashable, Sendable {
        /// The response to the status is to pause the program.
        case status
        /// The person has stopped the job from the cover.
        case person
    }

    /// The longest time that the cover waits for the end of a sequence that the terminal has a part of.
    package static let coverDeadline = Duration.milliseconds(150)
    /// The longest time that the start waits for the terminal to say where the cursor is.
    static let cursorReportTime = Duration.milliseconds(200)
    /// How long the program may take to end after the person has quit from the cover.
    static let quitGrace = Duration.seconds(5)
    /// How long the program may take to end after a signal to the guard.
    static let signalGrace = Duration.seconds(2)
    /// How long output is read after the program's end while another process holds the pseudo-terminal.
    static let drainTime = Duration.milliseconds(200)
    /// How long an Escape waits for the rest of a key sequence.
    static let escapeTime = Duration.milliseconds(25)
    /// How long the program has a smaller size when it is asked to draw again.
    static let smallerSizeTime = Duration.milliseconds(30)

    package init(size: Size, writer: FrameWriter, hasAlternateScreen: Bool = true) {
        self.size = size
        self.writer = writer
        cover = ScreenCover(columns: size.columns, rows: size.rows, hasAlternateScreen: hasAlternateScreen)
    }

    /// Whether output of the program should be read.
    package var readsOutput: Bool { !cover.isFull && !isOutputEnded }
    /// Whether the program's screen is covered, or will be as soon as the terminal belongs to the guard again.
    package var isBlocked: Bool { block != nil }
    /// The bytes that bring the terminal into a usable state if the guard crashes.
    package var emergencyReset: [UInt8] {
        screen == .cover ? cover.departure : cover.reset
    }

    /// What ``emergencyReset`` depends on.
    package struct ResetState: Equatable, Sendable {
        let screen: Screen
        let shadow: ShadowTerminal.ResetState
    }

    package var resetState: ResetState { ResetState(screen: screen, shadow: cover.shadow.resetState) }

    // MARK: Output

    /// Takes output of the program.
    /// - Parameters:
    ///   - terminal: what is to be sent to the user's terminal is appended to it.
    ///   - program: what is to be sent to the program is appended to it.
    /// - Returns: further actions.
    package mutating func output(
        _ bytes: UnsafeBufferPointer<UInt8>, terminal: inout [UInt8], program: inout [UInt8]
    ) -> [GuardAction] {
        guard screen != .away || !cover.isCovered else {
            cover.relay(bytes, terminal: &delayedQueries, program: &program)
            return []
        }
        cover.relay(bytes, terminal: &terminal, program: &program)
        guard screen == .covering, cover.isBetweenSequences else { return [] }
        return [.cancel(.coverDeadline)] + show()
    }

    // MARK: Events

    /// Handles an event.
    package mutating func handle(_ event: GuardEvent) -> [GuardAction] {
        guard !hasFinished else { return [] }
        switch event {
        case .begun(let isForeground): return begin(isForeground)
        case .startAllowed:
            mayStart = true
            return startIfPossible()
        case .startRefused: return program == .waiting ? finish(.refused) : []
        case .block(let frame, let response): return block(frame, response)
        case .repaint:
            writer.invalidate()
            return screen == .cover ? paint() : []
        case .pass(let bytes): return screen == .cover ? [.sendToTerminal(bytes)] : []
        case .unblock: return unblock()
        case .quit: return quit()
        case .suspend: return suspend()
        case .lend: return lend()
        case .takeBack: return takeBack()
        case .typed(let bytes): return typed(bytes)
        case .inputEnded: return end(by: GuardSignals.hangUp)
        case .resized(let size): return resize(size)
        case .programEnded(let end): return programEnded(end)
        case .programStopped: return programStopped()
        case .programContinued:
            if program == .stopped { program = .running }
            return []
        case .outputEnded:
            isOutputEnded = true
            return finishIfDrained()
        case .resumed(let isForeground): return resume(isForeground)
        case .signal(let number): return signal(number)
        case .timer(let timer): return fire(timer)
        }
    }

    private mutating func fire(_ timer: GuardTimer) -> [GuardAction] {
        switch timer {
        case .cursorReport:
            delaysStart = false
            return startIfPossible()
        case .coverDeadline: return screen == .covering ? show() : []
        case .kill: return program.isAlive ? [.send(signal: GuardSignals.kill, to: .programAndForeground)] : []
        case .drain:
            isOutputEnded = true
            return finishIfDrained()
        case .escapeKey: return sorted(sorter.flush())
        case .realSize: return [.setSize(size)]
        }
    }
}

extension GuardMachine.Program {
    /// Whether the program was started and has not ended.
    var isAlive: Bool { self == .running || self == .stopped }
}

/// Numbers of signals that are the same on all supported systems, except those below.
enum GuardSignals {
    static let hangUp: Int32 = 1
    static let interrupt: Int32 = 2
    static let kill: Int32 = 9
    static let terminate: Int32 = 15
    #if canImport(Darwin)
    static let stop: Int32 = 17
    static let terminalStop: Int32 = 18
    static let continued: Int32 = 19
    static let user: [Int32] = [30, 31]
    #else
    static let stop: Int32 = 19
    static let terminalStop: Int32 = 20
    static let continued: Int32 = 18
    static let user: [Int32] = [10, 12]
    #endif
}
