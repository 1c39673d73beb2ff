import Bellerophon
import TerminalIO
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
        /// The terminal belongs to another job: the guard's job is stopped or in the background.
        case away
        /// The terminal belongs to a program of the guard, which ends with ``GuardEvent/takeBack``.
        case lent
        /// There is no terminal any more.
        case gone
    }

    /// Where the program runs.
    package enum Place: Equatable, Sendable {
        /// In a terminal of its own, over which the cover is shown.
        case terminal
        /// On the standard descriptors of the guard: nothing is shown over it.
        /// - Parameter sharesKeys: whether the keys that send signals send them to the program, too.
        case standard(sharesKeys: Bool)
    }

    let place: Place
    package internal(set) var program = Program.waiting
    package internal(set) var screen = Screen.away
    var cover: ScreenCover
    var writer: FrameWriter
    var sorter: InputSorter
    /// What blocks the program, and is shown over it as soon as the guard has the terminal; nil while nothing does.
    var block: Block?
    /// The notice over the program's screen, also while a cover is shown instead.
    var banner: Banner?
    /// Whether the guard may use the terminal and the program.
    var hasBegun = false
    /// Whether the status allows the program to start.
    var mayStart = false
    /// The guard's own lines before the program's output.
    var announcements: [String] = []
    /// How the notice is shown.
    var noticeUse = NoticeUse.standing
    var question = CursorQuestion.none
    var screenQuestion: AlternateScreenQuestion
    /// Whether the report that is missing is the reply to the question how emoji are drawn, which is the last one.
    var asksForEmoji = false
    var reportFilter = CursorReportFilter()
    /// Why this machine has stopped the program.
    var stops: Set<StopReason> = []
    /// The signals of keys that were typed for the program.
    var typedSignals: Set<Int32> = []
    /// Whether the program was told that the terminal is gone.
    var hasHungUp = false
    /// Whether the program was asked to end by a signal that the guard has got.
    var wasAskedToEnd = false
    /// Why and how the guard ends before the program ends by itself.
    var ending: Ending?
    /// How the start of a new version goes; it is watched only after an update.
    package internal(set) var start = WatchedStart.unwatched
    /// How the guard ends as soon as the terminal has replied, or the time for that is over; nil before the end.
    var closing: GuardEnd?
    /// What was typed after the program's end.
    var lateInput: [UInt8] = []
    var hasFinished = false
    /// Whether the guard does nothing more than to end.
    var isEnding: Bool { hasFinished || closing != nil }
    var isOutputEnded = false
    /// Whether the output goes on after the program's end.
    var hasGivenUpOutput = false
    /// Whether nothing is left of what the program has started.
    var isTreeEnded = false
    /// The event that gives the terminal away as soon as it has replied, or the time for that is over: its next user must not get the
    /// reply to the guard's question as input. nil for none.
    var heldDeparture: GuardEvent?
    /// Queries of a covered program while the terminal belongs to another program.
    var delayedQueries: [UInt8] = []
    package internal(set) var size: Size

    /// The start of a program right after its update.
    package enum WatchedStart: Equatable, Sendable {
        /// It does not follow an update, or the program has run for long enough.
        case unwatched
        /// It was not started yet, or a moment ago.
        case young
        /// It has failed. Its last output may still come.
        case failed
        /// The person is told of it, and leaves the guard with a key.
        case told
    }

    /// How the notice is shown over the program's screen.
    enum NoticeUse: Equatable, Sendable {
        /// It is painted again whenever the program has changed the row.
        case standing
        /// It is painted once, as soon as the guard has the terminal.
        case once
        /// It is painted once, and the cover knows it.
        case told
    }

    /// A cover that is wanted.
    struct Block: Equatable, Sendable {
        var frame: Frame
        var response: GuardResponse
    }

    /// The guard's own questions at its start. The terminal replies to each with the cursor's place. One is open at a time.
    enum CursorQuestion: Equatable, Sendable {
        /// It was not asked, or the terminal has replied.
        case none
        /// The start waits for the reply.
        case open
        /// The start waits no longer, but the end of the guard does. The cursor may be elsewhere by now.
        case late
        /// Nothing waits for the reply. It is still taken out of the input.
        case overdue
    }

    /// Why the machine has stopped the program.
    enum StopReason: Equatable, Hashable, Sendable {
        /// The response to the status is to pause the program with everything that it has started.
        case status
        /// The person has stopped the job from the cover.
        case person
    }

    /// An end that the program did not choose.
    struct Ending: Equatable, Sendable {
        enum Cause: Equatable, Sendable { case status, person, signal, restart }

        var cause: Cause
        /// The signal that asks the program to end.
        var signal: Int32
        /// How long the program may take to end, from the request on.
        var grace = Duration.zero
        /// Whether everything that the program has started is ended with it.
        var isWholeTree = false

        /// How the guard ends if the program was not started.
        var end: GuardEnd {
            switch cause {
            case .signal: .signal(signal)
            case .restart: .restart()
            case .status, .person: .refused()
            }
        }
    }

    /// The longest time that the cover waits for the end of a sequence that the terminal has a part of.
    package static let coverDeadline = Duration.milliseconds(150)
    /// The longest time that the start waits for the terminal to say where the cursor is.
    static let cursorReportTime = Duration.milliseconds(200)
    /// The same for a terminal that is known to reply. Only load or a slow connection delays it then, and a cover over a screen that
    /// can't be brought back would be worse than a late start.
    static let sureReportTime = Duration.seconds(2)
    /// How much longer the end of the guard waits for that, so that no shell gets the reply as input. Some terminals never reply; one that
    /// has replied before gets ``replyTime``.
    static let lateReportTime = Duration.seconds(2)
    /// How long the program may take to end after the person has quit from the cover.
    static let quitGrace = Duration.seconds(5)
    /// How soon after its start a new version has to fail so that the person is told, and does not find the shell.
    static let youth = Duration.seconds(3)
    /// How long a paused program may run to act on a signal that the guard has got.
    static let signalGrace = Duration.seconds(5)
    /// How long the rest may take to end after a paused program has ended.
    static let restGrace = Duration.seconds(5)
    /// How long output is read after the program's end while another process holds the pseudo-terminal.
    static let drainTime = Duration.milliseconds(200)
    /// How long an Escape waits for the rest of a key sequence.
    static let escapeTime = Duration.milliseconds(25)
    /// How long it waits while the program or the guard waits for a reply that may begin with it.
    static let replyPartTime = Duration.milliseconds(500)
    /// How long a sequence or string in the input waits for its next byte. Meanwhile keys are taken for a part of it.
    static let unitTime = Duration.seconds(1)
    /// How long it waits while a reply is awaited, which may come over a slow connection.
    static let replyTime = Duration.seconds(5)
    /// How long a paste waits for more of it. A shorter time would take the rest of a slow one for keys.
    static let pasteTime = Duration.seconds(5)
    /// How long the program has a smaller size when it is asked to draw again.
    static let smallerSizeTime = Duration.milliseconds(30)
    /// The most bytes of queries that wait for the terminal. Later ones are dropped.
    static let queryLimit = 4096

    /// - Parameters:
    ///   - dialect: what control sequences mean on the terminal.
    ///   - alternateScreen: what is known of the terminal's alternate screen before it is asked.
    ///   - isUpdated: whether the program is started right after its update, so that its start is watched.
    package init(
        size: Size, writer: FrameWriter, dialect: TerminalDialect = TerminalDialect(),
        alternateScreen: AlternateScreenClaim = .described, isUpdated: Bool = false, place: Place = .terminal
    ) {
        (self.size, self.place) = (size, place)
        if place != .terminal { screen = .gone }
        start = isUpdated ? .young : .unwatched
        self.writer = writer
        sorter = InputSorter(isUTF8: dialect.isUTF8)
        screenQuestion = AlternateScreenQuestion(alternateScreen)
        cover = ScreenCover(
            columns: size.columns, rows: size.rows, dialect: dialect, hasAlternateScreen: alternateScreen.isBelieved,
            keepsMainScreen: true)
    }

    /// Whether output of the program should be read. What is left after the program's end is always read.
    package var readsOutput: Bool { !isOutputEnded && (!cover.isFull || program.hasEnded) }
    /// Whether the end of the output was not waited for, because something in the background may write more of it.
    package var leavesOutput: Bool { hasGivenUpOutput && !hasHungUp }
    /// The bytes that bring the terminal into a usable state if the guard crashes.
    package var emergencyReset: [UInt8] {
        screen == .cover ? cover.departure : cover.emergencyReset
    }

    /// What ``emergencyReset`` depends on.
    package struct ResetState: Equatable, Sendable {
        let screen: Screen
        let cover: ScreenCover.ResetState
    }

    package var resetState: ResetState { ResetState(screen: screen, cover: cover.resetState) }

    /// Whether the guard has the user's terminal.
    var holdsTerminal: Bool { screen != .away && screen != .lent && screen != .gone }
    /// Whether the program has ended, and the guard ends what it has left running.
    var waitsForTree: Bool { program.hasEnded && ending?.isWholeTree == true && !isTreeEnded }
    /// Whether the guard is about to end, so that a cover is of no use.
    var isAboutToFinish: Bool { !holdsFailure && (program.hasEnded && !waitsForTree || program == .waiting && ending != nil) }
    /// Whether the guard goes on after the program's end, so that the person can read why a new version has failed.
    var holdsFailure: Bool { start == .failed || start == .told }

    // MARK: Output

    /// Takes output of the program.
    /// - Parameters:
    ///   - terminal: what is to be sent to the user's terminal is appended to it.
    ///   - program: what is to be sent to the program is appended to it.
    /// - Returns: further actions.
    package mutating func output(
        _ bytes: UnsafeBufferPointer<UInt8>, terminal: inout [UInt8], program: inout [UInt8]
    ) -> [GuardAction] {
        guard !isEnding, screen != .gone else { return [] }
        guard holdsTerminal || !cover.isCovered else {
            // The cover stands, so these are queries only.
            var queries: [UInt8] = []
            cover.relay(bytes, terminal: &queries, program: &program)
            if delayedQueries.count + queries.count <= Self.queryLimit { delayedQueries += queries }
            return []
        }
        cover.relay(bytes, terminal: &terminal, program: &program)
        let replies = expectReplies()
        guard screen == .covering, cover.isBetweenSequences else { return replies }
        return replies + [.cancel(.coverDeadline)] + show()
    }

    // MARK: Events

    /// Handles an event.
    package mutating func handle(_ event: GuardEvent) -> [GuardAction] {
        guard !hasFinished else { return [] }
        if let closing { return handle(event, whileClosing: closing) }
        switch event {
        case .begun(let isForeground): return begin(isForeground)
        case .announce(let line): announcements.append(line)
        case .startAllowed:
            mayStart = true
            return startIfPossible()
        case .startRefused:
            return program == .waiting ? finishBeforeStart(Ending(cause: .status, signal: GuardSignals.terminate)) : []
        case .block(let frame, let response): return block(frame, response)
        case .repaint: return repaint()
        case .pass(let bytes): return screen == .cover ? [.sendToTerminal(bytes)] : []
        case .unblock: return unblock()
        case .notice(let banner): return notice(banner, .standing)
        case .tell(let line, let banner): return notifyOnce(line, banner)
        case .quit: return quit()
        case .restart(let grace): return restart(grace: grace)
        case .suspend: return suspend()
        case .lend: return lend()
        case .takeBack: return takeBack()
        case .typed(let bytes): return typed(bytes)
        case .inputEnded: return terminalEnded()
        case .resized(let size): return resize(size)
        case .programEnded(let end): return programEnded(end)
        case .programStopped(let number): return programStopped(by: number)
        case .programContinued: return programContinued()
        case .outputEnded:
            isOutputEnded = true
            return finishIfDue()
        case .treeEnded: return treeEnded()
        case .resumed(let isForeground): return resume(isForeground)
        case .signal(let number): return signal(number)
        case .timer(let timer): return fire(timer)
        case .startHeld: mayStart = false
        }
        return []
    }

    private mutating func fire(_ timer: GuardTimer) -> [GuardAction] {
        switch timer {
        case .cursorReport: return endQuestion()
        case .lateReport:
            if question == .late { question = .overdue }
            return departIfHeld()
        case .coverDeadline: return screen == .covering ? show() : []
        case .kill: return kill()
        case .youth: if start == .young { start = .unwatched }
        case .drain:
            guard program.hasEnded, !isOutputEnded else { break }
            isOutputEnded = true
            hasGivenUpOutput = true
            return finishIfDue()
        case .escapeKey: return escapeTimeEnded()
        case .pasteEnd: sorter.abandonPaste()
        case .realSize: return program.isAlive ? [.setSize(size)] : []
        case .unitEnd: sorter.abandonUnit()
        case .replies: sorter.expectNothing()
        }
        return []
    }
}

extension GuardMachine.Program {
    /// Whether the program was started and has not ended.
    var isAlive: Bool { self == .running || self == .stopped }

    var hasEnded: Bool {
        if case .ended = self { true } else { false }
    }
}
