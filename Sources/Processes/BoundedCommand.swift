internal import CPty
import Foundation

/// A command whose output is read within limits: it has a session of its own without a terminal, and nothing on standard input.
///
/// It is killed at its limits and when this process ends, and what it has started in its process group with it, also after it has ended
/// by itself.
package struct BoundedCommand: Sendable {
    /// The variable in which the command finds the number of this process. A guard that the command leads to then only runs its
    /// program: asking again would never end.
    package static let askerVariable = "BELLEROPHON_GUARD_ASKS"

    /// The program and its arguments. A name without a slash is searched in `PATH`.
    package var arguments: [String]
    /// The variables of the command; nil for those of this process.
    package var environment: ProcessVariables?
    /// Variables that replace those of the environment; nil removes one.
    package var changes: [String: String?] = [:]
    /// The longest time that the command may take.
    package var limit: Duration
    /// The most bytes that are read of each of standard output and standard error.
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
        let (output, errors) = (try PipeReader(limit: outputLimit), try PipeReader(limit: outputLimit))
        let child = try ChildProcess(start(output: output.writeEnd, errors: errors.writeEnd))
        for stream in [output, errors] { stream.closeWriteEnd() }
        let cut = Self.wait(for: child, [output, errors], until: .now + limit) { signals.haveArrived }
        child.signalGroup(SIGKILL)
        // A process that the system holds, such as on a lost network file system, dies later.
        if cut != nil { Thread.detachNewThread { child.reap() } }
        return CommandOutput(bytes: output.bytes, errorBytes: errors.bytes, outcome: cut ?? .ended(child.reap()))
    }

    /// Reads the streams of a command until its end.
    /// - Returns: why it was not waited for to the end; nil if it has ended, and its output is read.
    private static func wait(
        for child: ChildProcess, _ streams: [PipeReader], until deadline: ContinuousClock.Instant, interrupted: () -> Bool
    ) -> CommandOutput.Outcome? {
        while true {
            // What was written before the end can be read after it. A process that it has left behind may keep the pipes open.
            let hasEnded = child.hasEnded
            for stream in streams { stream.read() }
            if streams.contains(where: \.isFull) { return .full }
            if hasEnded { return nil }
            if interrupted() { return .interrupted }
            guard ContinuousClock.now.duration(to: deadline) > .zero else { return .late }
            // The end of a process is no event of a descriptor.
            var pollers = streams.map { pollfd(fd: $0.isAtEnd ? -1 : $0.readEnd, events: Int16(POLLIN), revents: 0) }
            poll(&pollers, nfds_t(pollers.count), streams.allSatisfy(\.isAtEnd) ? 1 : 10)
        }
    }

    private func start(output: Int32, errors: Int32) -> ChildStart {
        var start = ChildStart(arguments)
        var variables = environment ?? .current
        variables[Self.askerVariable] = String(getpid())
        start.environment = variables.changed(by: changes)
        start.endsWithThisProcess = true
        start.descriptors = [.init(nil, as: 0), .init(output, as: 1), .init(errors, as: 2)]
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

    /// What was written to standard output.
    package var bytes: [UInt8]
    /// What was written to standard error, where programs also warn.
    package var errorBytes: [UInt8]
    package var outcome: Outcome

    package init(bytes: [UInt8], errorBytes: [UInt8] = [], outcome: Outcome) {
        (self.bytes, self.errorBytes, self.outcome) = (bytes, errorBytes, outcome)
    }

    /// Standard output; bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// Standard error; bytes that are not UTF-8 are replaced.
    package var errorText: String { String(decoding: errorBytes, as: UTF8.self) }
    /// Standard output, and standard error after it.
    package var allText: String { text + "\n" + errorText }
}

/// A pipe that a command writes to, and what was read of it. Its descriptors are closed with it.
private final class PipeReader {
    let readEnd: Int32
    private(set) var writeEnd: Int32
    private let limit: Int
    private(set) var bytes: [UInt8] = []
    private(set) var isAtEnd = false

    var isFull: Bool { bytes.count >= limit }

    init(limit: Int) throws(StartError) {
        var ends: [Int32] = [-1, -1]
        let error = cpty_make_pipe(&ends)
        guard error == 0 else { throw StartError(code: -error) }
        // The command writes as into any pipe.
        _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) & ~O_NONBLOCK)
        (readEnd, writeEnd, self.limit) = (ends[0], ends[1], limit)
    }

    deinit {
        closeWriteEnd()
        close(readEnd)
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }

    /// Reads what is there, without waiting.
    func read() {
        var buffer = [UInt8](repeating: 0, count: min(limit, 64 * 1024))
        while !isAtEnd, !isFull {
            let count = Foundation.read(readEnd, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            if count < 0 { return isAtEnd = errno != EAGAIN }
            isAtEnd = count == 0
            bytes += buffer[..<count]
        }
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
