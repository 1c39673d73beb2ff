import Bellerophon
import BellerophonBase
internal import CPty
import Foundation
import Processes

/// A command that prints the version of a guarded program, such as `psql --version`. It comes from a profile or a flag, never from
/// a status.
package struct VersionCommand: Equatable, Sendable {
    /// The program and its arguments. A name without a slash is searched in `PATH`.
    package let arguments: [String]

    /// The variable in which the command finds the process of the guard that asks.
    private static let variable = "BELLEROPHON_GUARD_ASKS"
    /// The most bytes of the output that are read.
    static let outputLimit = 4096

    /// - Returns: nil without a program, and for a text with a byte 0 or of more than 4096 bytes.
    package init?(_ arguments: [String]) {
        guard arguments.first?.isEmpty == false, arguments.count <= 64,
            arguments.allSatisfy({ $0.utf8.count <= 4096 && !$0.utf8.contains(0) })
        else { return nil }
        self.arguments = arguments
    }

    /// A command as a person writes it, with spaces between its words and no quotes.
    package init?(words text: String) {
        self.init(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Why the version is not known.
    package enum Problem: Error, Equatable, Sendable {
        case notStarted(code: Int32)
        /// It has not ended within the limit, and was killed.
        case timeout(Duration)
        case failed(ChildProcess.End)
        /// Its output, or the first ``outputLimit`` bytes of it, has no version.
        case noVersion(isCut: Bool)
        /// A signal that ends this process has arrived meanwhile.
        case interrupted
    }

    /// Whether this guard was started by the version command of a guard above it, because that command leads to a wrapper. It then
    /// only runs the program: asking again would never end.
    package static func isAsking(_ environment: [String: String]) -> Bool {
        guard let process = environment[variable].flatMap({ Int32($0) }) else { return false }
        return OwnProcess.isAncestor(process) && OwnExecutable.isRun(by: process)
    }

    /// Runs the command and takes the version from its output, standard error included.
    ///
    /// The command has a session of its own without a terminal, and nothing on standard input. It is killed at the limit, and what
    /// it has started in its process group with it, also after a reply. A signal that would end this process kills the command first.
    /// The thread waits.
    package func ask(limit: Duration = .seconds(2)) throws(Problem) -> String {
        let signals = HeldSignals()
        defer { signals.release() }
        var ends: [Int32] = [-1, -1]
        let error = cpty_make_pipe(&ends)
        guard error == 0 else { throw .notStarted(code: -error) }
        defer { close(ends[0]) }
        let child: ChildProcess
        do {
            defer { close(ends[1]) }
            child = try ChildProcess(start(output: ends[1]))
        } catch {
            throw .notStarted(code: error.code)
        }
        let reply = VersionReply(child, output: ends[0])
        let outcome = reply.wait(until: .now + limit, interrupted: { signals.haveArrived })
        child.signalGroup(SIGKILL)
        guard outcome == .ended else {
            // A process that the system holds, such as on a lost network file system, dies later.
            Thread.detachNewThread { child.reap() }
            switch outcome {
            case .full, .ended: return try version(in: reply.text, isCut: true)
            case .late: throw .timeout(limit)
            case .interrupted: throw .interrupted
            }
        }
        let end = child.reap()
        guard end == .exit(0) || end == .unknown else { throw .failed(end) }
        return try version(in: reply.text, isCut: false)
    }

    private func version(in text: String, isCut: Bool) throws(Problem) -> String {
        guard let version = ProgramVersion.first(in: text) else { throw .noVersion(isCut: isCut) }
        return version
    }

    private func start(output: Int32) -> ChildStart {
        var start = ChildStart(arguments)
        var environment = ProcessInfo.processInfo.environment
        environment[Self.variable] = String(getpid())
        start.environment = environment
        start.group = .session
        start.descriptors = [.init(nil, as: 0), .init(output, as: 1), .init(output, as: 2)]
        start.firstClosed = 3
        return start
    }
}

extension VersionCommand.Problem {
    /// The end of a sentence that begins with the command.
    package var text: String {
        switch self {
        case .notStarted(let code): "can't be started: \(String(cString: strerror(code)))"
        case .timeout(let limit): "did not end within \(limit.briefText)"
        case .failed(let end): end.description
        case .noVersion(isCut: false): "printed no version"
        case .noVersion(isCut: true): "printed no version in its first \(VersionCommand.outputLimit) bytes"
        case .interrupted: "was interrupted"
        }
    }
}

/// The output of a version command until its end.
private final class VersionReply {
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
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    init(_ child: ChildProcess, output: Int32) {
        self.child = child
        self.output = output
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func wait(until deadline: ContinuousClock.Instant, interrupted: () -> Bool) -> Outcome {
        while true {
            // What was written before the end can be read after it. A process that it has left behind may keep the pipe open.
            let hasEnded = child.hasEnded
            read()
            if bytes.count >= VersionCommand.outputLimit { return .full }
            if hasEnded { return .ended }
            if interrupted() { return .interrupted }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .late }
            pause(isAtEnd ? 1 : 10)
        }
    }

    /// Reads what is there, without waiting.
    private func read() {
        var buffer = [UInt8](repeating: 0, count: VersionCommand.outputLimit)
        while !isAtEnd, bytes.count < VersionCommand.outputLimit {
            let count = Foundation.read(output, &buffer, VersionCommand.outputLimit - bytes.count)
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
