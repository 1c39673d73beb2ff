internal import CPty
import Foundation

/// A command whose output is read within limits: it has a session of its own without a terminal, and nothing on standard input.
///
/// It is killed at its limits, and what it has started in its process group with it, also after it has ended by itself.
package struct BoundedCommand: Sendable {
    /// The variable in which the command finds the number of this process. A guard that the command leads to then only runs its
    /// program: asking again would never end.
    package static let askerVariable = "BELLEROPHON_GUARD_ASKS"

    /// The program and its arguments. A name without a slash is searched in `PATH`.
    package var arguments: [String]
    /// The variables of the command; nil for those of this process.
    package var environment: [String: String]?
    /// Variables that replace those of the environment; nil removes one.
    package var changes: [String: String?] = [:]
    /// The longest time that the command may take.
    package var limit: Duration
    /// The most bytes of the output that are read. Standard error counts as output.
    package var outputLimit: Int

    package init(_ arguments: [String], limit: Duration, outputLimit: Int = 64 * 1024) {
        self.arguments = arguments
        self.limit = limit
        self.outputLimit = max(1, outputLimit)
    }

    /// Runs the command to its end, or to a limit. The thread waits.
    ///
    /// A signal that would end this process kills the command first, and has its effect when this returns.
    package func run() throws(StartError) -> CommandOutput {
        let signals = HeldSignals()
        defer { signals.release() }
        var ends: [Int32] = [-1, -1]
        let error = cpty_make_pipe(&ends)
        guard error == 0 else { throw StartError(code: -error) }
        defer { close(ends[0]) }
        // The command writes as into any pipe.
        _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) & ~O_NONBLOCK)
        let child: ChildProcess
        do {
            defer { close(ends[1]) }
            child = try ChildProcess(start(output: ends[1]))
        }
        let reader = OutputReader(child, output: ends[0], limit: outputLimit)
        let outcome = reader.wait(until: .now + limit, interrupted: { signals.haveArrived })
        child.signalGroup(SIGKILL)
        guard outcome == .ended else {
            // A process that the system holds, such as on a lost network file system, dies later.
            Thread.detachNewThread { child.reap() }
            switch outcome {
            case .full, .ended: return CommandOutput(bytes: reader.bytes, outcome: .full)
            case .late: return CommandOutput(bytes: reader.bytes, outcome: .late)
            case .interrupted: return CommandOutput(bytes: reader.bytes, outcome: .interrupted)
            }
        }
        return CommandOutput(bytes: reader.bytes, outcome: .ended(child.reap()))
    }

    private func start(output: Int32) -> ChildStart {
        var start = ChildStart(arguments)
        var variables = environment ?? ProcessInfo.processInfo.environment
        variables[Self.askerVariable] = String(getpid())
        for (name, value) in changes { variables[name] = value }
        start.environment = variables
        start.group = .session
        start.descriptors = [.init(nil, as: 0), .init(output, as: 1), .init(output, as: 2)]
        start.firstClosed = 3
        return start
    }
}

/// What a ``BoundedCommand`` has printed, and how it ended.
package struct CommandOutput: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case ended(ChildProcess.End)
        /// The limit of the output was reached, and the command was killed.
        case full
        /// The limit of time was reached, and the command was killed.
        case late
        /// A signal that ends this process has arrived meanwhile, and the command was killed.
        case interrupted
    }

    /// The output and the standard error, in the order in which they were written.
    package var bytes: [UInt8]
    package var outcome: Outcome

    package init(bytes: [UInt8], outcome: Outcome) {
        (self.bytes, self.outcome) = (bytes, outcome)
    }

    /// The output; bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The output of a command until its end.
private final class OutputReader {
    enum Outcome: Equatable {
        /// The process has ended, and its output is read.
        case ended
        /// The limit of the output was reached.
        case full
        case late
        case interrupted
    }

    private let child: ChildProcess
    private let output: Int32
    private let limit: Int
    private(set) var bytes: [UInt8] = []
    private var isAtEnd = false

    init(_ child: ChildProcess, output: Int32, limit: Int) {
        (self.child, self.output, self.limit) = (child, output, limit)
    }

    func wait(until deadline: ContinuousClock.Instant, interrupted: () -> Bool) -> Outcome {
        while true {
            // What was written before the end can be read after it. A process that it has left behind may keep the pipe open.
            let hasEnded = child.hasEnded
            read()
            if bytes.count >= limit { return .full }
            if hasEnded { return .ended }
            if interrupted() { return .interrupted }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .late }
            pause(isAtEnd ? 1 : 10)
        }
    }

    /// Reads what is there, without waiting.
    private func read() {
        var buffer = [UInt8](repeating: 0, count: min(limit, 64 * 1024))
        while !isAtEnd, bytes.count < limit {
            let count = Foundation.read(output, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            if count < 0 { return isAtEnd = errno != EAGAIN }
            isAtEnd = count == 0
            bytes += buffer[..<count]
        }
    }

    /// Waits for output, at most the given milliseconds: the end of a process is no event of a descriptor.
    private func pause(_ milliseconds: Int32) {
        var poller = pollfd(fd: isAtEnd ? -1 : output, events: Int16(POLLIN), revents: 0)
        poll(&poller, 1, milliseconds)
    }
}

/// The signals of a person and of a closed terminal, kept from this thread until they are released.
private struct HeldSignals {
    private static let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
    private var former = sigset_t()

    init() {
        var set = sigset_t()
        sigemptyset(&set)
        // Ctrl-Z waits until the command has ended.
        for number in Self.ending + [SIGTSTP] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, &former)
    }

    /// Whether a signal waits that is not ignored.
    var haveArrived: Bool {
        var pending = sigset_t()
        sigemptyset(&pending)
        sigpending(&pending)
        return Self.ending.contains { sigismember(&pending, $0) == 1 && !cpty_was_ignored($0) }
    }

    /// A signal that waits has its effect now.
    func release() {
        var set = former
        pthread_sigmask(SIG_SETMASK, &set, nil)
    }
}
