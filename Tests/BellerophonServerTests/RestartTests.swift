import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// A restart into a new process while clients send requests and hold streams.
@Suite(.serialized) struct RestartTests {
    private let store: ServedStore

    init() throws {
        store = try ServedStore()
    }

    /// The process identifiers in a restart's output.
    private static func processes(_ result: CommandResult) throws -> (new: pid_t, old: pid_t) {
        let match = try #require(
            result.standardOutput.wholeMatch(of: /process (\d+) took over from process (\d+)\n/), "\(result)")
        return (try #require(pid_t(match.1)), try #require(pid_t(match.2)))
    }

    @Test("A download goes on after a restart for as long as its client reads, until the old process is told to stop")
    func downloads() async throws {
        try store.home.write(#"{"limits":{"shutdownTime":0}}"#, to: "server.json")
        let program = try store.serve(["--config", store.home.path("server.json")])
        let port = try await store.port(program)
        // More than the system keeps for a client that does not read.
        let size = 32 << 20
        let file = try store.home.write(String(repeating: "x", count: size), to: "big")
        #expect(try await store.command("resource", "put", "big", file).status == .exited(0))
        /// The server shows a moment later what the command has published.
        func download() async throws -> WireClient {
            try await eventually("a download") {
                let client = try WireClient(port: port)
                try client.get("/GBCloudBoxResourcesData/big")
                return try client.readHead().hasPrefix("HTTP/1.1 200") ? client : nil
            }
        }
        let (first, second) = (try await download(), try await download())
        let (new, old) = try Self.processes(try await store.command("restart"))
        #expect(new != old)
        #expect(try first.readBytesToEnd().count == size)
        kill(old, SIGTERM)
        #expect(try second.readBytesToEnd().count < size)
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))
        try await store.stop()
    }

    /// A client that sends one request after the other on a connection, until a reply says that it ends.
    private final class BusyClient {
        private let port: UInt16
        private var client: WireClient
        /// The newest row that this client has seen.
        var newest: Int64 = 0

        init(port: UInt16) throws {
            self.port = port
            client = try WireClient(port: port)
        }

        func ask(_ request: String) throws -> WireAnswer {
            // This client was idle for so long that the old server has closed its connection.
            if client.hasInput { client = try WireClient(port: port) }
            try client.send(request)
            let answer = try client.answer()
            if answer.field("Connection") == "close" { client = try WireClient(port: port) }
            return answer
        }
    }

    @Test func `a restart refuses and resets no connection, answers every request, and shows nothing older`() async throws {
        let program = try store.serve()
        let port = try await store.port(program)
        let made = try await store.command("token", "create", "--name", "ops", "--scope", "publish")
        let token = try #require(made.standardOutput.firstMatch(of: /blp_[A-Za-z0-9_-]{43}/)).0
        let seen = Watched(Seen())
        let isDone = Watched(false)
        @Sendable func run(_ work: @escaping @Sendable (BusyClient) throws -> Void) -> Task<Void, Never> {
            Task {
                do {
                    try await onOwnThread {
                        let client = try BusyClient(port: port)
                        while !isDone.value { try work(client) }
                    }
                } catch {
                    seen.update { $0.problem = "\(error)" }
                }
            }
        }
        let readers = (0..<12).map { number in
            run { client in
                // Some connect anew for each request.
                let field = number < 2 ? "Connection: close\r\n" : ""
                let least = max(seen.value.acknowledged, client.newest)
                let answer = try client.ask("GET /status HTTP/1.1\r\nHost: test\r\n\(field)\r\n")
                let row = answer.field("ETag")?.firstMatch(of: /"(\d+)-/).flatMap { Int64($0.1) } ?? -1
                guard answer.code == 200, row >= least else { throw TestError("#\(row) after #\(least)", detail: answer.head) }
                client.newest = row
                seen.update { $0.answers += 1 }
            }
        }
        let publisher = run { client in
            let answer = try client.ask(
                "PUT /status HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(token)\r\nContent-Length: 20\r\n\r\n"
                    + #"{"action":"restore"}"#)
            let row = answer.body.firstMatch(of: /"id":(\d+)/).flatMap { Int64($0.1) }
            guard answer.code == 201, let row else { throw TestError("not published", detail: answer.head + answer.body) }
            seen.update { $0.acknowledged = row }
        }
        func goOn() async throws {
            let before = seen.value
            let found = try await seen.wait(for: "answers and publishes") {
                $0.problem != nil || $0.answers > before.answers + 100 && $0.acknowledged > before.acknowledged + 3 ? $0 : nil
            }
            try #require(found.problem == nil, "\(program.log)")
        }
        let streams = Task {
            try await onOwnThread {
                let streams = try (0..<20).map { _ in
                    let stream = try WireClient(port: port)
                    try stream.openStream()
                    seen.update { $0.streams += 1 }
                    return stream
                }
                return try streams.map { stream in
                    guard case .closed(let text) = try stream.readToEnd() else { throw TestError("a stream was reset") }
                    return text
                }
            }
        }
        _ = try await seen.wait(for: "streams") { $0.streams == 20 ? true : nil }
        var process = program.pid
        for _ in 1...3 {
            try await goOn()
            let (new, old) = try Self.processes(try await store.command("restart"))
            #expect(old == process && new != old && store.process == new)
            process = new
        }
        try await goOn()
        let retries = try await streams.value.map { text in
            try #require(text.firstMatch(of: /\nretry: (\d+)\n: the server is going down\n\n$/).flatMap { Int($0.1) }, "\(text)")
        }
        #expect(retries.count == 20 && retries.allSatisfy { (1...1000).contains($0) })
        #expect(Set(retries).count > 1, "each stream has a time of its own")
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))
        isDone.update { $0 = true }
        for client in readers + [publisher] { await client.value }
        #expect(seen.value.problem == nil, "\(program.log)")
        try await store.stop()
    }

    /// What the busy clients have seen.
    private struct Seen: Sendable {
        /// The newest row whose publish was acknowledged.
        var acknowledged: Int64 = 0
        var answers = 0
        var streams = 0
        var problem: String?
    }

    @Test func `a service manager hears of each step`() async throws {
        let manager = try NotifySocket(store.home.path("notify"))
        let program = try store.serve(environment: ["NOTIFY_SOCKET": manager.name])
        #expect(try await manager.next() == ["READY=1"])
        #expect(try await store.command("reload").status == .exited(0))
        #expect(try await manager.next() == ["RELOADING=1", "MONOTONIC_USEC"])
        #expect(try await manager.next() == ["READY=1"])
        let (new, _) = try Self.processes(try await store.command("restart"))
        #expect(try await manager.next() == ["RELOADING=1", "MONOTONIC_USEC"])
        #expect(try await manager.next() == ["MAINPID=\(new)", "READY=1"])
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))
        try await store.stop()
        #expect(try await manager.next() == ["STOPPING=1"], "the old process said nothing of the kind")
    }

    @Test func `a successor that can't begin leaves the old server as it is`() async throws {
        let file = try store.home.write(#"{"limits":{"idleTime":30}}"#, to: "server.json")
        let program = try store.serve(["--config", file])
        let port = try await store.port(program)
        try store.home.write(#"{"limits":{"idelTime":30}}"#, to: "server.json")
        let result = try await store.command("restart")
        #expect(result.status == .exited(69))
        #expect(
            result.standardError.hasPrefix("bellerophon-server: the restart failed; process \(program.pid) continues unchanged: ")
        )
        #expect(result.standardError.contains("it ended with code 78"))
        #expect(program.log.contains("did you mean limits.idleTime?"))
        #expect(store.process == program.pid)
        #expect(try ServedStore.ask("/alive", port).hasSuffix("777"))
        try store.home.write("{}", to: "server.json")
        #expect(try Self.processes(try await store.command("restart")).old == program.pid)
        #expect(try ServedStore.ask("/alive", port).hasSuffix("777"))
        try await store.stop()
    }

    @Test func `a new port counts after a restart`() async throws {
        let (first, second) = (try freePort(), try freePort())
        let file = try store.home.write(#"{"server":{"port":\#(first)}}"#, to: "server.json")
        let program = try RunningProgram(
            Products.path("bellerophon-server"), ["serve", "--create", "--store", store.folder.path, "--config", file],
            home: store.home)
        #expect(try await store.port(program) == first)
        try store.home.write(#"{"server":{"port":\#(second)}}"#, to: "server.json")
        _ = try Self.processes(try await store.command("restart"))
        #expect(try ServedStore.ask("/alive", second).hasSuffix("777"))
        try await store.stop()
    }

    /// The supervisor's socket replaces the address in the settings, in the next process too.
    @Test func `a socket of a supervisor is served and handed on`() async throws {
        let script = """
            import os, socket, sys
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            listener.listen(16)
            os.dup2(listener.fileno(), 3)
            os.set_inheritable(3, True)
            os.environ["LISTEN_FDS"] = "1"
            os.environ["LISTEN_PID"] = str(os.getpid())
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let server = try Products.path("bellerophon-server")
        let arguments = ["python3", "-c", script, server, "serve", "--create", "--store", store.folder.path, "--port", "1"]
        let program = try RunningProgram("/usr/bin/env", arguments, home: store.home)
        let port = try await store.port(program)
        #expect(port != 1)
        #expect(try ServedStore.ask("/alive", port).hasSuffix("777"))
        _ = try Self.processes(try await store.command("restart"))
        #expect(try ServedStore.ask("/alive", port).hasSuffix("777"))
        try await store.stop()
    }

    @Test func `no server, and one of another system, get no signal`() async throws {
        let alone = try await store.command("restart")
        #expect(alone.status == .exited(69))
        #expect(alone.standardError.contains("no server runs on the store \(store.folder.path)"))
        #if os(Linux)
        let program = try store.serve()
        _ = try await store.port(program)
        let bystander = try RunningProgram("/bin/sleep", ["600"], home: try TestFolder())
        let lock = store.folder.appendingPathComponent("server.lock")
        let mark = try String(contentsOf: lock, encoding: .utf8)
        try Data(mark.replacing("\(program.pid)", with: "\(bystander.pid)").utf8).write(to: lock, options: [])
        let foreign = try await store.command("restart")
        #expect(foreign.status == .exited(69))
        #expect(foreign.standardError.contains("is not a process of this system"))
        #expect(bystander.status == nil)
        program.send(SIGTERM)
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))
        #endif
    }
}
