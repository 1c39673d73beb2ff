internal import CPty
import Foundation
import TerminalIO

/// A guarded program, on a pseudo-terminal of its own or with the standard descriptors of this process, and the monitor process
/// that starts it.
///
/// The monitor leads the session of the pseudo-terminal. Without it the program's process group would be orphaned, and the kernel
/// would discard the stop signal of Ctrl-Z. It is also the parent of every descendant whose own parent has ended, and it decides
/// about the descendants if this process is killed. If the monitor is killed, its parent does so. The object is used by one thread.
package final class GuardedProgram {
    /// What the program's standard descriptors are.
    package enum Place {
        /// A new pseudo-terminal.
        /// - Parameters:
        ///   - modes: the modes of the new terminal; nil for the system's.
        ///   - size: its size.
        ///   - inheritsStandardError: whether the program's standard error is this process's instead of the new terminal, for a
        ///     standard error that was redirected.
        case terminal(modes: TerminalModes?, size: TerminalSize, inheritsStandardError: Bool)
        /// Those of this process.
        /// - Parameter sharesGroup: whether the program is in this process's group, because it may use a terminal. The keys that
        ///   send signals then send them to both.
        case standard(sharesGroup: Bool)
    }

    /// What does not depend on the terminal.
    package struct Options {
        package var inheritance = Inheritance.ofThisProcess
        /// What becomes of the descendants if this process is killed.
        package var orphans = OrphanPolicy.end
        /// The folder of the control group for the program and its descendants; -1 for none.
        package var controlGroup: Int32 = -1

        package init() {}
    }

    /// What the monitor reports.
    package enum Report: Equatable, Sendable {
        /// The program runs. The number is its process identifier.
        case started(Int32)
        /// A signal has stopped the program, which is still stopped.
        case stopped(Int32)
        case continued
        /// The program has ended, or could not be started. It is the last report.
        case ended(ProgramEnd)
    }

    /// The master of the pseudo-terminal, for poll(2); -1 without one and after `hangUp` or `close`.
    package private(set) var master: Int32
    /// The connection to the monitor, for poll(2); -1 after `close`.
    package private(set) var channel: Int32
    /// The program's process, from the report of its start until its end.
    package private(set) var process: Int32?
    package private(set) var end: ProgramEnd?
    /// The input that nobody had read when the program was released.
    package private(set) var unreadInput: [UInt8] = []
    package private(set) var isReleased = false
    /// The monitor's process, the ancestor of the program and of everything that it has started.
    package let monitor: Int32
    /// The monitor's parent, which ends the descendants if the monitor is killed.
    private let warden: Int32

    private let sharesGroup: Bool
    private var wasTold = false
    /// Signals for the program between `start` and the report of its start.
    private var early: [(number: Int32, toForeground: Bool)] = []
    private var messages = MonitorReports()
    /// Reports that came while a command was waited for.
    private var waiting: [Report] = []
    private var hasMoved = false
    /// The group that was in the foreground when the job went to the background.
    private var formerForeground: Int32?

    /// Makes the pseudo-terminal, if the place is one, and the monitor. The program starts only with `start`; if this process ends
    /// before, it never starts.
    package init(_ command: ProgramCommand, in place: Place, _ options: Options = Options()) throws(SystemError) {
        if command.isTruncated { throw SystemError("start \(command.name)", code: EINVAL) }
        let start = MonitorStart(command, in: place, options)
        monitor = try SystemError.check("start a process", start.monitor)
        (warden, master, channel) = (start.warden, start.master, start.channel)
        if case .standard(sharesGroup: true) = place { sharesGroup = true } else { sharesGroup = false }
    }

    deinit {
        close()
    }

    /// Starts the program. The next report is `started` or `ended`.
    /// - Parameter inForeground: false if the program belongs to a job in the background. It is then stopped when it reads from its
    ///   terminal or sets modes.
    package func start(inForeground: Bool = true) {
        wasTold = true
        // If it fails, the monitor has ended, and the channel's end says so.
        command(inForeground ? cpty_start_foreground : cpty_start_background)
    }

    private func command(_ command: Int) {
        if channel >= 0 { _ = cpty_command(channel, CChar(command)) }
    }

    // MARK: The monitor

    /// Whether reports wait that came while a command was waited for: the channel need not become readable for them.
    package var hasWaitingReports: Bool { !waiting.isEmpty }

    /// The reports that have arrived. If the monitor is killed, the kernel hangs up the program: that is reported as an end
    /// by SIGHUP.
    package func readReports() -> [Report] {
        guard channel >= 0 else { return [] }
        var reports = waiting
        waiting = []
        while end == nil {
            switch DescriptorIO.read(channel, limit: 8192) {
            case .bytes(let bytes):
                messages.append(bytes)
                reports += parsedReports()
            case .nothing: return reports
            case .ended: reports.append(finish(.signaled(SIGHUP)))
            }
        }
        return reports
    }

    private func parsedReports() -> [Report] {
        var reports: [Report] = []
        while end == nil, let message = messages.next() {
            if let report = report(message.kind, message.value) { reports.append(report) }
        }
        return reports
    }

    private func report(_ kind: Int, _ value: Int32) -> Report? {
        switch kind {
        case cpty_started:
            process = value
            for (number, toForeground) in early { send(number, toForeground: toForeground) }
            early = []
            return .started(value)
        // A report that comes late, after the program was continued, says nothing about now.
        case cpty_stopped: return isStopped ? .stopped(value) : nil
        case cpty_continued: return .continued
        case cpty_moved:
            hasMoved = true
            return nil
        case cpty_failed: return finish(.notStarted(value))
        case cpty_exited: return finish(.exited(value))
        case cpty_killed: return finish(.signaled(value))
        // Without its control group the program is held by signals, as the tree finds out by itself.
        default: return nil
        }
    }

    private func finish(_ end: ProgramEnd) -> Report {
        self.end = end
        // From here on the process identifier may be used again.
        process = nil
        command(cpty_end_noted)
        return .ended(end)
    }

    /// Whether a signal has stopped the program.
    package var isStopped: Bool { process.map { cpty_is_stopped($0) } ?? false }

    // MARK: The foreground

    /// How long the monitor may take to do a command, in milliseconds. Only a stopped monitor takes longer.
    private static let commandTime: Int32 = 200

    /// Puts the program's side of the pseudo-terminal into the foreground or the background, and waits until it is there. In the
    /// background the program is stopped by SIGTTIN when it reads and by SIGTTOU when it sets modes.
    package func move(toForeground: Bool) {
        guard master >= 0, process != nil else { return }
        if !toForeground { formerForeground = foregroundGroup }
        hasMoved = false
        command(toForeground ? cpty_to_foreground : cpty_to_background)
        while !hasMoved, end == nil {
            var probe = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
            guard poll(&probe, 1, Self.commandTime) > 0 else { return }
            waiting = readReports()
        }
    }

    // MARK: The terminal

    /// Reads the program's output. After the program's end, and on Linux only after `release`, `ended` follows the last
    /// byte; reading only until nothing is waiting would lose output.
    package func read(limit: Int = 65536) -> ReadResult {
        master < 0 ? .ended : DescriptorIO.read(master, limit: limit)
    }

    /// Writes to the program's input.
    package func write(_ bytes: ArraySlice<UInt8>) -> WriteResult {
        master < 0 ? .gone : isReleased ? .wrote(0) : DescriptorIO.write(master, bytes)
    }

    /// Sets the terminal's size. A change sends SIGWINCH to the terminal's foreground process group.
    package func resize(_ size: TerminalSize) {
        var system = size.system
        if master >= 0 { _ = cpty_set_size(master, &system) }
    }

    /// Takes the terminal away from the program: reads end, and writes fail. The descendants lose it, too.
    package func hangUp() {
        guard master >= 0 else { return }
        _ = cpty_close(master)
        master = -1
    }

    // MARK: Signals

    //
    // The program may have written output, and have started a job, before the report of its start is read: a signal that is sent
    // in between goes with the report. Nothing happens before `start` and after the end.

    /// Sends a signal to the program's process group.
    package func signal(_ number: Int32) { send(number, toForeground: false) }

    /// Sends a signal to the program's process group, and to the terminal's foreground process group if that is another. No
    /// process gets it twice.
    package func signalAll(_ number: Int32) { send(number, toForeground: true) }

    private func send(_ number: Int32, toForeground: Bool) {
        guard let process else {
            if wasTold, end == nil { early.append((number, toForeground)) }
            return
        }
        if sharesGroup { _ = kill(process, number) } else { _ = cpty_signal_group(process, number) }
        guard toForeground, let foreground = foregroundGroup, foreground != process else { return }
        _ = cpty_signal_group(foreground, number)
    }

    /// The group in the foreground of the pseudo-terminal, or the one that was there when the job went to the background.
    private var foregroundGroup: Int32? {
        let group = master >= 0 ? cpty_foreground_group(master) : -1
        // In the background, the monitor's own group is in the foreground.
        return group == monitor ? formerForeground : group > 1 ? group : nil
    }

    // MARK: The end

    /// After the program's end: lets the monitor end, which keeps the terminal open until then. `read` returns `ended` after
    /// the last byte, unless a process that the program left running still has the terminal open.
    ///
    /// Input that nobody has read is in ``unreadInput`` afterwards. Nothing more is written to the program.
    package func release() {
        guard end != nil, !isReleased else { return }
        isReleased = true
        command(cpty_leave)
        while true {
            while let message = messages.next() {
                if message.kind == cpty_unread { return unreadInput = message.unread }
            }
            var probe = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
            guard poll(&probe, 1, Self.commandTime) > 0 else { return }
            switch DescriptorIO.read(channel, limit: 8192) {
            case .bytes(let bytes): messages.append(bytes)
            case .nothing: break
            case .ended: return
            }
        }
    }

    /// Leaves the rest of the output to a process of its own, which copies it to a terminal while others have the
    /// pseudo-terminal open.
    package func relayRest(to terminal: Int32) {
        if master >= 0 { _ = cpty_relay_rest(master, terminal) }
    }

    /// Closes everything and waits for the monitor. What a program that still runs has started gets what ``OrphanPolicy`` says.
    package func close() {
        guard channel >= 0 else { return }
        _ = readReports()
        release()
        _ = cpty_close(channel)
        channel = -1
        // After the program's end the terminal is kept until its session has ended, so that nothing is hung up.
        if end == nil { hangUp() }
        cpty_reap(warden, monitor)
        hangUp()
    }
}

/// What becomes of everything that a guarded program has started if the guard is killed.
public enum OrphanPolicy: String, CaseIterable, Sendable {
    /// All of it is hung up (SIGHUP), and killed after 5 seconds.
    case end
    /// It goes on, also if the status had stopped it.
    case keep
}
