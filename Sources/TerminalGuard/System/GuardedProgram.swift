internal import CPty
import TerminalIO

/// A program on a pseudo-terminal of its own, and the monitor process that starts it.
///
/// The monitor leads the session of the pseudo-terminal. Without it the program's process group would be orphaned, and
/// the kernel would discard the stop signal of Ctrl-Z. The object is used by one thread.
package final class GuardedProgram {
    /// What the monitor reports.
    package enum Report: Equatable, Sendable {
        /// The program runs; its process identifier is also its process group.
        case started(Int32)
        /// A signal stopped the program.
        case stopped(Int32)
        case continued
        /// The program has ended, or could not be started. It is the last report.
        case ended(ProgramEnd)
    }

    /// The master of the pseudo-terminal, for poll(2); -1 after `close`.
    package private(set) var master: Int32
    /// The connection to the monitor, for poll(2); -1 after `close`.
    package private(set) var channel: Int32
    /// The program's process group, from the report of its start until `release`.
    package private(set) var group: Int32?
    package private(set) var end: ProgramEnd?

    private let monitor: Int32
    private var wasTold = false
    /// Signals for the program between `start` and the report of its start.
    private var early: [(number: Int32, receiver: Receiver)] = []
    private var unread: [UInt8] = []

    /// Makes the pseudo-terminal and the monitor. The program starts only with `start`; if this process ends before, it
    /// never starts.
    /// - Parameters:
    ///   - modes: the modes of the new terminal; nil for the system's.
    ///   - size: its size.
    ///   - inheritsStandardError: whether the program's standard error is this process's instead of the new terminal, for
    ///     a standard error that was redirected.
    package init(
        _ command: ProgramCommand, modes: TerminalModes?, size: TerminalSize, inheritsStandardError: Bool = false,
        inheritance: Inheritance = .ofThisProcess
    ) throws(SystemError) {
        if command.isTruncated { throw SystemError("start \(command.name)", code: EINVAL) }
        var master: Int32 = -1, channel: Int32 = -1
        let result = MonitorStart.open(
            command, modes: modes, size: size, inheritsStandardError: inheritsStandardError, inheritance: inheritance,
            &master, &channel
        )
        monitor = try SystemError.check("make a pseudo-terminal", result)
        self.master = master
        self.channel = channel
    }

    deinit {
        close()
    }

    /// Starts the program. The next report is `started` or `ended`.
    package func start() {
        wasTold = true
        // If it fails, the monitor has ended, and the channel's end says so.
        _ = cpty_start(channel)
    }

    // MARK: The monitor

    /// The reports that have arrived. If the monitor is killed, the kernel hangs up the program: that is reported as an end
    /// by SIGHUP.
    package func readReports() -> [Report] {
        guard channel >= 0, end == nil else { return [] }
        var reports: [Report] = []
        reading: while true {
            switch DescriptorIO.read(channel, limit: 512) {
            case .bytes(let bytes): unread += bytes
            case .nothing: break reading
            case .ended:
                reports += takeReports()
                if end == nil { reports.append(finish(.signaled(SIGHUP))) }
                return reports
            }
        }
        return reports + takeReports()
    }

    private func takeReports() -> [Report] {
        let size = MemoryLayout<cpty_report>.size
        let count = unread.count / size
        let reports = unread.withUnsafeBytes { bytes in
            (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: cpty_report.self) }
        }
        unread.removeFirst(count * size)
        return reports.compactMap(report)
    }

    private func report(_ report: cpty_report) -> Report? {
        guard end == nil else { return nil }
        switch Int(report.kind) {
        case cpty_started:
            group = report.value
            for (number, receiver) in early { send(number, to: receiver) }
            early = []
            return .started(report.value)
        case cpty_stopped: return .stopped(report.value)
        case cpty_continued: return .continued
        case cpty_failed: return finish(.notStarted(report.value))
        case cpty_exited: return finish(.exited(report.value))
        case cpty_killed: return finish(.signaled(report.value))
        default: return nil
        }
    }

    private func finish(_ end: ProgramEnd) -> Report {
        self.end = end
        return .ended(end)
    }

    // MARK: The terminal

    /// Reads the program's output. After the program's end, and on Linux only after `release`, `ended` follows the last
    /// byte; reading only until nothing is waiting would lose output.
    package func read(limit: Int = 65536) -> ReadResult {
        master < 0 ? .ended : DescriptorIO.read(master, limit: limit)
    }

    /// Writes to the program's input.
    package func write(_ bytes: ArraySlice<UInt8>) -> WriteResult {
        master < 0 ? .gone : DescriptorIO.write(master, bytes)
    }

    /// Sets the terminal's size. A change sends SIGWINCH to the terminal's foreground process group.
    package func resize(_ size: TerminalSize) {
        var system = size.system
        if master >= 0 { _ = cpty_set_size(master, &system) }
    }

    // MARK: Signals

    //
    // The program may have written output, and have started a job, before the report of its start is read: a signal that is sent
    // in between goes with the report. Nothing happens before `start` and after `release`.

    /// Who gets a signal.
    private enum Receiver { case program, foreground, both }

    /// Sends a signal to the program's process group.
    package func signal(_ number: Int32) { send(number, to: .program) }

    /// Sends a signal to the terminal's foreground process group: the program's own, or that of a job of a shell.
    package func signalForeground(_ number: Int32) { send(number, to: .foreground) }

    /// Sends a signal to the program's process group, and to the terminal's foreground process group if that is another. No
    /// process gets it twice.
    package func signalAll(_ number: Int32) { send(number, to: .both) }

    private func send(_ number: Int32, to receiver: Receiver) {
        guard let group else {
            if wasTold, end == nil { early.append((number, receiver)) }
            return
        }
        if receiver != .foreground { _ = cpty_signal_group(group, number) }
        guard receiver != .program else { return }
        let foreground = cpty_foreground_group(master)
        guard foreground > 1, receiver == .foreground || foreground != group else { return }
        _ = cpty_signal_group(foreground, number)
    }

    // MARK: The end

    /// After the program's end: lets the monitor end, which keeps the terminal open until then. `read` returns `ended` after
    /// the last byte, unless a process that the program left running still has the terminal open.
    package func release() {
        guard channel >= 0, end != nil else { return }
        // From here on the process identifier may be used again.
        group = nil
        _ = cpty_release(channel)
    }

    /// Closes everything and waits for the monitor. A program that still runs is hung up (SIGHUP and SIGCONT).
    package func close() {
        guard master >= 0 else { return }
        _ = readReports()
        group = nil
        _ = cpty_close(channel)
        // After the program's end the monitor must not be hung up: it would pass that on to what the program left running.
        if end != nil { cpty_reap(monitor, false) }
        _ = cpty_close(master)
        if end == nil { cpty_reap(monitor, true) }
        master = -1
        channel = -1
    }
}
