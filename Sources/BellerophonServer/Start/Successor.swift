import Foundation
internal import Processes

/// A process that was started to replace this server.
package final class Successor: Sendable {
    /// The process identifier.
    package var process: pid_t { child.number }
    private let child: ChildProcess
    private let channel: HandoverChannel

    /// The time limit for a successor to become ready, and then again to accept connections.
    static let limit = Duration.seconds(30)

    private init(_ child: ChildProcess, _ channel: HandoverChannel) {
        self.child = child
        self.channel = channel
    }

    /// Starts a process with the listening socket and the lock. No connection may be accepted in the meantime: the
    /// process could inherit it.
    /// - Throws: ``ServerError`` if the process can't be started.
    static func start(_ program: ProgramStart, _ socket: ListeningSocket, _ lock: ServerLock) throws(ServerError) -> Successor {
        var ends: [Int32] = [-1, -1]
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        guard socketpair(AF_UNIX, SocketPlatform.stream, 0, &ends) == 0 else { throw failure("socketpair", errno) }
        let channel = HandoverChannel(ends[0])
        copies.append(ends[1])
        // All numbers are above those that the new process gets, so that no copy overwrites a descriptor that is still
        // needed.
        guard let listener = try? socket.duplicate(atLeast: 64) else { throw failure("dup", errno) }
        copies.append(listener)
        guard let held = lock.duplicate() else { throw failure("dup", errno) }
        copies.append(held)
        let end = fcntl(ends[1], F_DUPFD_CLOEXEC, 64)
        guard end >= 0 else { throw failure("dup", errno) }
        copies.append(end)
        let descriptors = [(listener, Handover.listener), (held, Handover.lock), (end, Handover.channel)]
        var variables = program.variables
        for name in SocketActivation.variables { variables[name] = nil }
        variables[Handover.variable] = socket.isActivated ? Handover.activatedSocket : Handover.ownSocket
        let started = ProgramStart(path: program.path, arguments: program.arguments, variables: variables)
        return Successor(try spawn(started, descriptors), channel)
    }

    private static func failure(_ call: String, _ number: Int32) -> ServerError {
        let reason = String(cString: strerror(number))
        return ServerError(
            "can't start another server (\(call): \(reason))", hint: "this one continues", kind: .init(errno: number))
    }

    /// The result of waiting for a successor's next step.
    enum Outcome: Equatable {
        case did
        /// The step failed. The text is the reason, as a part of a sentence.
        case failed(String)
    }

    /// Waits until the successor is ready.
    func ready(within limit: Duration = limit) async -> Outcome { await wait(for: .ready, limit) }

    /// Permits the successor to begin, and waits until it accepts connections.
    /// - Parameter serial: the newest row of the journal that this process has shown.
    func begin(after serial: Int64 = 0, within limit: Duration = limit) async -> Outcome {
        _ = channel.send(serial: serial) && channel.send(.begin)
        return await wait(for: .serving, limit)
    }

    private func wait(for word: Handover.Word, _ limit: Duration) async -> Outcome {
        while true {
            switch await channel.next(within: limit) {
            case .word(word): return .did
            case .nothing:
                end()
                return .failed("it was not ready within \(limit.components.seconds) s")
            case .end, .word, .serial: return .failed(Self.text(end()))
            }
        }
    }

    /// Kills the process unless it has ended by itself. It has no state to lose.
    @discardableResult
    func end() -> ChildProcess.End { child.killAndReap() }

    private static func text(_ end: ChildProcess.End) -> String {
        switch end {
        case .exit(let code): "it ended with code \(code); its messages are above"
        case .signal(let signal): "signal \(signal) ended it"
        case .unknown: "it ended"
        }
    }

    // MARK: Process creation

    /// Starts a program with the listed descriptors, the three standard ones and no others, so that it does not inherit
    /// accepted connections or the event loops' descriptors.
    private static func spawn(_ program: ProgramStart, _ descriptors: [(Int32, Int32)]) throws(ServerError) -> ChildProcess {
        var start = ChildStart([program.path] + program.arguments)
        start.environment = program.variables
        let standard = (0...2).filter { fcntl($0, F_GETFD) >= 0 }.map { ($0, $0) }
        start.descriptors = (descriptors + standard).map { .init($0.0, as: $0.1) }
        start.firstClosed = Handover.firstFree
        do {
            return try ChildProcess(start)
        } catch {
            throw failure(program.path, error.code)
        }
    }
}
