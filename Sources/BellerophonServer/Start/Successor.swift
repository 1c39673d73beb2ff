import Foundation
internal import Processes

/// A process that was started to replace this server.
struct Successor: Sendable {
    /// The process identifier.
    var process: pid_t { child.number }
    private let child: ChildProcess
    private let channel: HandoverChannel

    /// The time limit for a successor to become ready, and then again to accept connections.
    static let limit = Duration.seconds(30)

    /// Starts a process with the listening socket, the lock, a channel and the three standard descriptors. It inherits no others, such
    /// as those of the event loops. No connection may be accepted in the meantime: the process could inherit it.
    /// - Throws: ``ServerError`` if the process can't be started.
    static func start(_ program: ProgramStart, _ socket: ListeningSocket, _ lock: ServerLock) throws(ServerError) -> Successor {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, SocketPlatform.stream, 0, &ends) == 0 else { throw failure("socketpair", errno) }
        let channel = HandoverChannel(ends[0])
        // All numbers are above those that the new process gets, so that no copy overwrites a descriptor that is still
        // needed.
        let copies = [try? socket.duplicate(atLeast: 64), lock.duplicate(), fcntl(ends[1], F_DUPFD_CLOEXEC, 64)].map { $0 ?? -1 }
        defer { for copy in copies + [ends[1]] where copy >= 0 { close(copy) } }
        guard copies.allSatisfy({ $0 >= 0 }) else { throw failure("dup", errno) }
        var start = ChildStart([program.path] + program.arguments)
        start.environment = program.variables
        for name in SocketActivation.variables { start.environment?[name] = nil }
        start.environment?[Handover.variable] = socket.isActivated ? Handover.activatedSocket : Handover.ownSocket
        start.descriptors = zip(copies, [Handover.listener, Handover.lock, Handover.channel]).map { .init($0, as: $1) }
        start.descriptors += (0...2).filter { fcntl($0, F_GETFD) >= 0 }.map { .init($0, as: $0) }
        start.firstClosed = Handover.firstFree
        do {
            return Successor(child: try ChildProcess(start), channel: channel)
        } catch {
            throw failure(program.path, error.code)
        }
    }

    private static func failure(_ call: String, _ number: Int32) -> ServerError {
        let reason = String(cString: strerror(number))
        return ServerError(
            "can't start another server (\(call): \(reason))", hint: "this one continues", kind: .init(errno: number))
    }

    /// Waits until the successor is ready.
    /// - Throws: ``ServerError`` if it is not within the limit; it has ended then.
    func ready(within limit: Duration = limit) async throws(ServerError) { try await wait(for: Handover.ready, limit) }

    /// Permits the successor to begin, and waits until it accepts connections.
    /// - Parameter serial: the newest row of the journal that this process has shown.
    /// - Throws: ``ServerError`` if it does not within the limit; it has ended then.
    func begin(after serial: Int64 = 0, within limit: Duration = limit) async throws(ServerError) {
        channel.send("\(Handover.begin) \(serial)")
        try await wait(for: Handover.serving, limit)
    }

    private func wait(for line: String, _ limit: Duration) async throws(ServerError) {
        let incoming = await channel.next(within: limit)
        if incoming == .line(line) { return }
        let end = end()
        let reason = incoming == .nothing ? "it was not ready within \(limit.components.seconds) s" : Self.text(end)
        throw ServerError("process \(process) did not take over: \(reason)")
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
}
