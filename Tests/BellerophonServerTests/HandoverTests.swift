import Foundation
import Logging
import NIOCore
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonStore

/// The steps of a restart, tested separately.
@Suite struct HandoverTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func start(_ script: String) throws -> Successor {
        let environment = ["PATH": "/usr/bin:/bin", "LISTEN_FDS": "1"]
        let program = ProgramStart(path: "/bin/sh", arguments: ["-c", script], environment: environment)
        return try Successor.start(
            program, try ListeningSocket.bound(to: "127.0.0.1", 0), try ServerLock(folder: folder.url))
    }

    // MARK: Another process

    /// What an older server sends before a successor may begin.
    private static let readLine = "read -r line <&5"

    @Test("A successor process reports when it is ready and when it serves, and is told the newest row in between")
    func successorReportsReadiness() async throws {
        let file = folder.path("heard")
        let successor = try start(
            """
            echo ready >&5
            \(Self.readLine); echo "$line" > "\(file)"
            echo serving >&5
            exec sleep 600
            """)
        try await successor.ready()
        try await successor.begin(after: 407)
        #expect(folder.text("heard")?.trimmingCharacters(in: .newlines) == "begin 407")
        successor.end()
    }

    private static func problem(_ step: () async throws -> Void) async -> String? {
        do {
            try await step()
            return nil
        } catch {
            return "\(error)".split(separator: ": ").last.map(String.init)
        }
    }

    @Test func aSuccessorThatEndsIsNoServer() async throws {
        let ended = try start("exit 3")
        #expect(await Self.problem { try await ended.ready() } == "it ended with code 3; its messages are above")
        let late = try start("echo ready >&5; \(Self.readLine); exit 4")
        try await late.ready()
        #expect(await Self.problem { try await late.begin() } == "it ended with code 4; its messages are above")
    }

    @Test func aSuccessorThatIsNotReadyInTimeIsEnded() async throws {
        let successor = try start("exec sleep 600")
        let problem = await Self.problem { try await successor.ready(within: .milliseconds(50)) }
        #expect(problem == "it was not ready within 0 s")
        #expect(kill(successor.process, 0) != 0, "it was waited for")
    }

    @Test func aProgramThatIsNotThereIsAProblem() throws {
        let lock = try ServerLock(folder: folder.url)
        let socket = try ListeningSocket.bound(to: "127.0.0.1", 0)
        let program = ProgramStart(path: "/nowhere", arguments: [], environment: [:])
        #expect(throws: ServerError.self) { try Successor.start(program, socket, lock) }
    }

    #if os(Linux)
    @Test func aSuccessorInheritsNothingElse() async throws {
        // A stray descriptor without close-on-exec, as a library may open it.
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC), stray = fcntl(null, F_DUPFD, 200)
        defer { [null, stray].forEach { close($0) } }
        let file = folder.path("state")
        let script = """
            ls /proc/$$/fd > "\(file).new"
            echo "$BELLEROPHON_HANDOVER $LISTEN_FDS" >> "\(file).new"
            mv "\(file).new" "\(file)"; echo ready >&5; exec sleep 600
            """
        let successor = try start(script)
        try await successor.ready()
        successor.end()
        // The shell duplicates descriptors to numbers from 10 on.
        let lines = try #require(folder.text("state")).split(separator: "\n").map(String.init).filter { line in
            Int(line).map { !(10..<100).contains($0) } ?? true
        }
        #expect(stray >= 200)
        #expect(lines == ["0", "1", "2", "3", "4", "5", "own"], "and no word of a supervisor's socket")
    }
    #endif

    // MARK: The lock

    @Test func theLockIsNeverFreeWhileItIsHandedOn() async throws {
        var older: ServerLock? = try ServerLock(folder: folder.url)
        let copy = try #require(older?.duplicate())
        #expect(ServerLock(inherited: copy, folder: try TestFolder().url) == nil, "it is of another store")
        var newer = ServerLock(inherited: copy, folder: folder.url)
        older?.giveUp()
        older = nil
        #expect(throws: ServerError.self) { try ServerLock(folder: folder.url) }
        #expect(newer != nil)
        newer = nil
        // A child process of another test has a copy of a lock that was handed on, until it executes its program.
        try await eventually("free lock") { ServerLock.isHeld(folder.url) ? nil : () }
        #expect(throws: Never.self) { try ServerLock(folder: folder.url) }
    }

    @Test("A waiting command receives the outcome of its own request")
    func commandReceivesOutcome() async throws {
        let lock = try ServerLock(folder: folder.url)
        lock.report(.reload, isSuccess: false, "an old one")
        let server = try RunningServer.find(folder.url)
        #expect(server.process == getpid())
        lock.report(.restart, isSuccess: false, "not\nthis one")
        #expect(await server.answer(to: .reload, within: .milliseconds(1)) == .silent)
        lock.report(.reload, isSuccess: true, "done")
        #expect(
            await server.answer(to: .reload, within: patience) == .outcome(.init(request: .reload, isSuccess: true, text: "done"))
        )
        lock.giveUp()
        #expect(await server.answer(to: .reload, within: patience) == .gone)
        #expect(throws: ServerError.self) { try RunningServer.find(folder.url) }
    }

    // MARK: The end of the old process

    /// A server that waits for its clients as long as a test does: a busy machine may run them late.
    private static func patientServer(_ store: Store) async throws -> StatusServer {
        var configuration = ServerConfiguration()
        configuration.port = 0
        (configuration.limits.firstRequestTime, configuration.limits.shutdownTime) = (patience, patience)
        return try await StatusServer(configuration, store: store, logger: .silent)
    }

    /// - Parameter isUsed: the connection had requests before, and another process takes over.
    @Test("An open connection is answered once more while the server stops", arguments: [false, true])
    func waitingConnectionIsAnswered(isUsed: Bool) async throws {
        let store = try Store(folder: folder.url.appendingPathComponent("store"), creates: true)
        let server = try await Self.patientServer(store)
        let port = UInt16(server.port)
        let isOpen = Watched(false)
        let answer = Task {
            try await onOwnThread {
                let silent = try WireClient(port: port)
                for _ in 0..<(isUsed ? 10 : 0) {
                    _ = try silent.answer(to: "/alive")
                }
                let stream = try WireClient(port: port)
                try stream.get("/events")
                _ = try stream.readHead()
                isOpen.update { $0 = true }
                _ = try stream.readToEnd()
                // The end of this connection shows that the server has begun to stop.
                try silent.get("/alive")
                return try silent.readToEnd()
            }
        }
        _ = try await isOpen.wait(for: "stream") { $0 ? true : nil }
        if isUsed { #expect(await server.retire()) }
        await server.stop(isLimited: !isUsed)
        guard case .closed(let text) = try await answer.value else { throw TestError("the connection was reset") }
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix("777"))
    }

    /// A client that has not been told of the end sends another request after its download: a process that only stops answers it.
    @Test("A download ends whole, and only a server without a successor answers one more request", arguments: [false, true])
    func downloadEndsWhole(isRelieved: Bool) async throws {
        let size = 24_000_000
        let store = try Store(folder: folder.url.appendingPathComponent("store"), creates: true)
        try await store.put("large", String(repeating: "x", count: size))
        let server = try await Self.patientServer(store)
        let port = UInt16(server.port)
        let isOpen = Watched(false)
        let onlyTransfersAreLeft = DispatchSemaphore(value: 0)
        let answer = Task {
            try await onOwnThread {
                let (client, stream) = (try WireClient(port: port), try WireClient(port: port))
                try stream.get("/events")
                _ = try stream.readHead()
                // The head comes before the end is announced, the rest after it.
                try client.get("/GBCloudBoxResourcesData/large/1")
                #expect(try !client.readHead().contains("Connection: close"))
                isOpen.update { $0 = true }
                _ = try stream.readToEnd()
                onlyTransfersAreLeft.wait()
                _ = try client.readBytes(size)
                try client.get("/alive")
                return try client.readToEnd()
            }
        }
        _ = try await isOpen.wait(for: "the head") { $0 ? true : nil }
        if isRelieved { #expect(await server.retire()) }
        onlyTransfersAreLeft.signal()
        await server.stop(isLimited: !isRelieved)
        guard case .closed(let text) = try await answer.value else { throw TestError("the connection was reset") }
        #expect(isRelieved ? text.isEmpty : text.contains("\r\nConnection: close\r\n") && text.hasSuffix("777"))
    }

    @Test("A publish that is still on its way when another process takes over is refused, and can be sent again")
    func unfinishedPublish() async throws {
        try await LiveServer.run({ $0.limits.firstRequestTime = .milliseconds(100) }) { live in
            let token = try await live.token()
            let isRead = Watched(false)
            let answer = Task {
                try await live.talk { client in
                    try client.begin("/status", 20, token: token, WireClient.waiting)
                    #expect(try client.readHead().hasPrefix("HTTP/1.1 100 "))
                    isRead.update { $0 = true }
                    return try client.answer().code
                }
            }
            _ = try await isRead.wait(for: "a body that is read") { $0 ? true : nil }
            #expect(await live.server.retire())
            #expect(try await answer.value == 408)
            #expect(try live.store.journal().allSatisfy { $0.scope == nil })
        }
    }

    @Test("A server with a change that still waits for the store gives up a restart, and goes on")
    func changeThatWaits() async throws {
        try await LiveServer.run({ $0.limits.firstRequestTime = .milliseconds(100) }) { live in
            let token = try await live.token()
            let (store, isHeld, isDone) = (live.store, Watched(false), DispatchSemaphore(value: 0))
            let holder = Task {
                try await store.database.writeHere { _ in
                    isHeld.update { $0 = true }
                    isDone.wait()
                }
            }
            _ = try await isHeld.wait(for: "a store that is held") { $0 ? true : nil }
            let body = #"{"action":"kill"}"#
            let isSent = Watched(false)
            let publish = Task {
                try await live.talk { client throws in
                    #expect(try client.answer(to: "/alive").code == 200)
                    try client.begin("/status", body.utf8.count, token: token, body: body)
                    isSent.update { $0 = true }
                    return try client.answer().code
                }
            }
            _ = try await isSent.wait(for: "a publish") { $0 ? true : nil }
            #expect(await live.server.retire(changeTime: .milliseconds(1)) == false)
            await live.server.goOn()
            try await live.talk { client throws in #expect(try client.answer(to: "/status").code == 200) }
            isDone.signal()
            try await holder.value
            #expect(try await publish.value == 201)
        }
    }

    @Test("A handover that fails late leaves the server running unchanged")
    func failedHandoverKeepsServing() async throws {
        try await LiveServer.run { live in
            let lock = try ServerLock(folder: live.store.folder)
            let script = "echo ready >&5; \(Self.readLine); exit 4"
            let program = ProgramStart(path: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
            await #expect(throws: ServerError.self) { try await live.server.handOver(to: program, lock) }
            #expect(ServerLock.isHeld(live.store.folder), "it keeps the lock")
            try await live.talk { client in
                for _ in 1...10 {
                    #expect(try client.answer(to: "/status").field("Connection") == nil)
                }
                let stream = try WireClient(port: live.port)
                try stream.get("/events")
                #expect(try stream.readHead().hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
        }
    }

    @Test("A server does not resume with an older journal row than its predecessor showed")
    func resumeNeedsNewestRow() async throws {
        try await LiveServer.run { live in
            let row = try await live.store.publish(Publication(action: .kill), by: "test").id
            try await live.server.resume(atLeast: row)
            try await live.server.resume(atLeast: nil)
            await #expect(throws: ServerError.self) { try await live.server.resume(atLeast: row + 1) }
        }
    }

    @Test(
        "The reconnect window grows with the number of streams",
        arguments: [(0, 1000), (5000, 1000), (10_000, 2000), (100_000, 20_000), (1_000_000, 30_000)])
    func reconnectWindowGrows(streams: Int, milliseconds: Int) throws {
        let window = StreamEvent.returnWindow(streams: streams)
        #expect(window == .milliseconds(milliseconds))
        for _ in 0..<100 {
            let text = String(buffer: StreamEvent.goodbye(within: window))
            let retry = try #require(text.wholeMatch(of: /retry: (\d+)\n: the server is going down\n\n/).flatMap { Int($0.1) })
            #expect((1...milliseconds).contains(retry))
        }
    }

    // MARK: Messages from and to a supervisor

    @Test("Socket activation ignores descriptors meant for another process and refuses more than one")
    func foreignSocketIsIgnored() throws {
        #expect(try SocketActivation.socket([:]) == nil)
        #expect(try SocketActivation.socket(["LISTEN_PID": "1", "LISTEN_FDS": "1"]) == nil)
        #expect(throws: ServerError.self) { try SocketActivation.socket(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2"]) }
    }

    @Test("A service manager is notified through a path or an abstract socket")
    func serviceManagerIsNotified() async throws {
        var names = [folder.path("notify")]
        #if os(Linux)
        names.append("@bellerophon-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
        #endif
        for name in names {
            let manager = try NotifySocket(name)
            let notifier = ServiceNotifier(["NOTIFY_SOCKET": name])
            notifier.send(.mainProcess, .ready)
            #expect(try await manager.next() == ["MAINPID=\(getpid())", "READY=1"])
            notifier.send(.reloading)
            #expect(try await manager.next() == ["RELOADING=1", "MONOTONIC_USEC"])
        }
        ServiceNotifier([:]).send(.ready)
        ServiceNotifier(["NOTIFY_SOCKET": folder.path("nobody")]).send(.ready)
    }

    @Test(arguments: [("127.0.0.1", true), ("127.8.0.1", true), ("0.0.0.0", false)])
    func whichAddressesAreThisMachinesOwn(host: String, isLoopback: Bool) throws {
        let socket = try ListeningSocket.bound(to: host, 0)
        #expect(socket.isLoopback == isLoopback)
        let port = try #require(socket.address.port)
        #expect(socket.isAt(host, port) && socket.isAt(host, 0))
        #expect(!socket.isAt(host, port == 1 ? 2 : 1))
        #expect(!socket.isAt("127.9.9.9", port))
    }
}
