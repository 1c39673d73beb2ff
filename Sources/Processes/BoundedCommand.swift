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
    /// The longest time that the command may take.
    package var limit: Duration
    /// The most bytes that are read of each of standard output and standard error.
    package var outputLimit: Int

    package init(_ arguments: [String], limit: Duration, outputLimit: Int = 64 * 1024) {
        self.arguments = arguments
        self.limit = limit
        self.outputLimit = max(1, outputLimit)
    }

    /// Runs the command to its end, or to a limit. The thread waits. Ctrl-Z waits until the command has ended.
    package func run() -> CommandOutput {
        var stops = sigset_t(), former = sigset_t()
        sigemptyset(&stops)
        sigaddset(&stops, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &stops, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        do throws(StartError) {
            return try runToEnd()
        } catch {
            return CommandOutput(bytes: [], outcome: .notStarted(error))
        }
    }

    private func runToEnd() throws(StartError) -> CommandOutput {
        let (output, errors) = (try PipeReader(limit: outputLimit), try PipeReader(limit: outputLimit))
        let child = try ChildProcess(start(output: output.writeEnd, errors: errors.writeEnd))
        for stream in [output, errors] { stream.closeWriteEnd() }
        let cut = Self.wait(for: child, [output, errors], until: .now + limit)
        child.signalGroup(SIGKILL)
        // A process that the system holds, such as on a lost network file system, dies later.
        if cut != nil { Thread.detachNewThread { child.reap() } }
        return CommandOutput(bytes: output.bytes, errorBytes: errors.bytes, outcome: cut ?? .ended(child.reap()))
    }

    /// Reads the streams of a command until its end.
    /// - Returns: why it was not waited for to the end; nil if it has ended, and its output is read.
    private static func wait(
        for child: ChildProcess, _ streams: [PipeReader], until deadline: ContinuousClock.Instant
    ) -> CommandOutput.Outcome? {
        while true {
            // What was written before the end can be read after it. A process that it has left behind may keep the pipes open.
            let hasEnded = child.hasEnded
            for stream in streams { stream.read() }
            if streams.contains(where: \.isFull) { return .full }
            if hasEnded { return nil }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .late }
            var pollers = (streams.map { $0.isAtEnd ? -1 : $0.readEnd } + [child.life]).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            // A process that another library has just forked may keep the command's end from being noticed.
            poll(&pollers, nfds_t(pollers.count), Int32(min(left, .seconds(1)) / .milliseconds(1)) + 1)
            // The connection ends a moment before the process does.
            if pollers[streams.count].revents != 0 { child.waitForExit() }
        }
    }

    private func start(output: Int32, errors: Int32) -> ChildStart {
        var start = ChildStart(arguments)
        var variables = environment ?? .current
        variables[Self.askerVariable] = String(getpid())
        start.environment = variables
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
        case notStarted(StartError)
        /// The limit of the output was reached, and the command was killed.
        case full
        /// The limit of time was reached, and the command was killed.
        case late
    }

    /// What was written to standard output.
    package var bytes: [UInt8]
    /// What was written to standard error, where programs also warn.
    package var errorBytes: [UInt8]
    package var outcome: Outcome

    package init(bytes: [UInt8], errorBytes: [UInt8] = [], outcome: Outcome) {
        (self.bytes, self.errorBytes, self.outcome) = (bytes, errorBytes, outcome)
    }

    /// Standard output of a command that has succeeded; nil for any other.
    package var result: String? { outcome == .ended(.exit(0)) || outcome == .ended(.unknown) ? text : nil }
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
            let count = cpty_read(readEnd, &buffer, min(buffer.count, limit - bytes.count))
            guard count > 0 else { return isAtEnd = count != -Int(EAGAIN) }
            bytes += buffer[..<count]
        }
    }
}
