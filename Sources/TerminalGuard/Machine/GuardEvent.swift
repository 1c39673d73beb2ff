import Bellerophon
import TerminalUI

/// What a kill or a required update does to the program besides covering its screen.
public enum GuardResponse: Equatable, Sendable {
    /// The program continues under the cover.
    case cover
    /// The program continues under the cover. After an update the guard ends it with SIGTERM, kills it after this time, and starts
    /// the new version.
    case restart(grace: Duration)
    /// The program is stopped while the cover is shown, with everything that it has started. Its network connections may end
    /// meanwhile.
    case pause
    /// The program is asked to end with SIGTERM, and is killed after this time.
    case terminate(grace: Duration)

    /// The time between SIGTERM and SIGKILL if none is given.
    package static let usualGrace = Duration.seconds(10)

    /// The one that does most to the program; nil without any.
    static func strongest(_ responses: [GuardResponse?]) -> GuardResponse? {
        responses.compactMap(\.self).max { $0.strength < $1.strength }
    }

    /// Whether what the program has started is ended with it.
    var holdsTree: Bool { strength > Self.restart(grace: .zero).strength }

    private var strength: Int {
        switch self {
        case .cover: 0
        case .restart: 1
        case .pause: 2
        case .terminate: 3
        }
    }
}

/// What happens to a guard. Output of the program has a method of its own: ``GuardMachine/output(_:terminal:program:)``.
package enum GuardEvent: Equatable, Sendable {
    /// The guard has opened the pseudo-terminal. `isForeground`: it may use the user's terminal.
    case begun(isForeground: Bool)
    /// A line of the guard's own that the terminal shows before the program's output, after those that came before it. It comes
    /// before ``GuardEvent/startAllowed``.
    case announce(String)
    /// The status allows the program to start.
    case startAllowed
    /// The status does not allow the program to start, and the guard must not wait.
    case startRefused
    /// A status blocks the program. Shows the frame, or replaces the one that is shown.
    case block(Frame, GuardResponse)
    /// Bytes without an effect on the screen, such as a request to copy a text, for the terminal that shows the cover.
    case pass([UInt8])
    /// The frame that is shown is to be sent again, every cell of it.
    case repaint
    /// The status blocks the program no longer.
    case unblock
    /// A notice stands over the program's screen from now on, or none with nil. It takes no keys, and waits under a cover.
    case notice(Banner?)
    /// A notice for somebody who does not see the screen: a line of its own before the program's start, else a row that is painted
    /// once and gone when the program changes it. ``GuardEvent/notice(_:)`` takes it away.
    case tell(line: String, Banner)
    /// The person wants to leave from the cover, which ends the program.
    case quit
    /// A newer version of the program is installed, and the person wants to go on with it. The program is asked to end, and killed
    /// after this time.
    case restart(grace: Duration)
    /// The person wants to stop the job from the cover (Control-Z).
    case suspend
    /// The cover leaves the terminal to another program, such as the update command.
    case lend
    /// The other program has ended.
    case takeBack
    /// The person typed, or the terminal replied.
    case typed([UInt8])
    /// The terminal is gone. The guard goes on without one, as long as its program does.
    case inputEnded
    /// The terminal has a new size.
    case resized(Size)
    /// The program could not be started, or has ended.
    case programEnded(ProgramEnd)
    /// The program was stopped by this signal, and still is.
    case programStopped(by: Int32)
    /// The program continues after a stop.
    case programContinued
    /// Nothing more of the program's output will come.
    case outputEnded
    /// Nothing that the program has started runs any more, or what is left can't be ended, as ``GuardAction/watchTree`` wanted.
    case treeEnded
    /// The guard has got SIGCONT, or its job has come to the foreground. It may come again without a change.
    case resumed(isForeground: Bool)
    /// The guard has got a signal: SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGTSTP, SIGUSR1 or SIGUSR2.
    case signal(Int32)
    /// A timer of ``GuardAction/schedule(_:after:)`` has fired.
    case timer(GuardTimer)
    /// The program must not start until ``GuardEvent/startAllowed`` comes again. No effect after its start.
    case startHeld
}

/// A timer of the machine. Each runs at most once at a time.
package enum GuardTimer: Equatable, Hashable, Sendable, CaseIterable {
    /// The terminal did not say where the cursor is.
    case cursorReport
    /// The terminal has not said it later either.
    case lateReport
    /// A sequence that the cover waits for has not ended.
    case coverDeadline
    /// The time to end is over: for the program and everything that it has started, or for a paused program that got a signal.
    case kill
    /// Something in the background keeps the pseudo-terminal open after the program's end.
    case drain
    /// An Escape was typed and nothing after it.
    case escapeKey
    /// A paste has begun, and nothing more of it has come.
    case pasteEnd
    /// The program was told a smaller size so that it draws again; it gets the real one now.
    case realSize
    /// A sequence or string has begun in the input, and nothing more of it has come.
    case unitEnd
    /// The terminal has not replied to the program's questions.
    case replies
    /// The program has run for long enough to count as started.
    case youth
}

/// Whom a signal goes to.
package enum GuardSignalTarget: Equatable, Sendable {
    /// The program's process group.
    case program
    /// The program's group and the group in the foreground of the pseudo-terminal.
    case programAndForeground
    /// Everything that the program has started.
    case tree
}

/// What the relay must do. Actions are performed in order.
package enum GuardAction: Equatable, Sendable {
    /// Send bytes to the user's terminal.
    case sendToTerminal([UInt8])
    /// Send bytes to the program's terminal.
    case sendToProgram([UInt8])
    /// Put the user's terminal into raw mode and read from it.
    case takeTerminal
    /// Give the user's terminal its former mode back and do not read from it.
    case releaseTerminal
    /// Start the program, in the foreground or in the background of its terminal.
    case startProgram(inForeground: Bool)
    /// Put the program into the foreground or the background of its terminal. In the background it is stopped when it reads.
    case moveProgram(toForeground: Bool)
    /// Send a signal.
    case send(signal: Int32, to: GuardSignalTarget)
    /// Stop everything that the program has started, until ``resumeTree``.
    case pauseTree
    /// Let everything that ``pauseTree`` has stopped go on. If the program was stopped before, or by others meanwhile,
    /// ``GuardEvent/programStopped(by:)`` follows.
    case resumeTree
    /// End everything that the program has started, by SIGKILL.
    case killTree
    /// Report ``GuardEvent/treeEnded`` as soon as nothing is left of what the program has started.
    case watchTree
    /// Take the pseudo-terminal away from the program, as a terminal's end does. No output follows.
    case hangUp
    /// Set the size of the program's terminal.
    case setSize(Size)
    /// Let go of the pseudo-terminal, so that the end of the output becomes visible.
    case releaseProgram
    /// Stop the guard's job by the signal that has stopped the program. After it has been continued,
    /// ``GuardEvent/resumed(isForeground:)`` follows. It is the last action of its list.
    case stopJob(by: Int32)
    /// Give the shell what was typed and nobody has read: what the program has left, and these bytes after it.
    case returnInput([UInt8])
    /// Start a timer, or start it again.
    case schedule(GuardTimer, after: Duration)
    /// Stop a timer.
    case cancel(GuardTimer)
    /// Keys were pressed on the cover.
    case press([Key])
    /// The terminal was left to another program, as ``GuardEvent/lend`` wanted.
    case didLend
    /// The bytes before this action show the frame of the last ``GuardEvent/block(_:_:)``, or the program again.
    case didPaint
    /// The new version of the program has failed right after its start. The guard goes on until the person leaves it: a cover is
    /// awaited.
    case failedEarly(ProgramEnd)
    /// The guard is done.
    case finish(GuardEnd)
}

/// How a guard ends.
package enum GuardEnd: Equatable, Sendable {
    /// As the program ended.
    case program(ProgramEnd)
    /// By the signal of a key that has ended the program. A terminal sends it to the guard's whole group.
    case key(Int32)
    /// A status has refused or ended the program. The message is for standard error; the session adds it.
    case refused(message: String = "")
    /// The program has ended so that its new version can start: the guard starts again.
    /// - version: the version that is installed now; nil if it is not known. The session adds it.
    case restart(version: String? = nil)
    /// By this signal, which the guard has got.
    case signal(Int32)

    /// Whether the program has ended by itself.
    var isProgramsOwn: Bool {
        switch self {
        case .program, .key: true
        case .refused, .restart, .signal: false
        }
    }
}
