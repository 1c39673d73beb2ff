#if Server
@testable import BellerophonServer
import Foundation
import TestSupport
import Testing

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

    @Test func `a restart refuses and resets no connection`() async throws {
        let program = try store.serve()
        let port = try await store.port(program)
        let asked = Watched(0)
        let isDone = Watched(false)
        let flows = (0..<2).map { _ in
            Task {
                try await onOwnThread {
                    while !isDone.value {
                        let answer = try ServedStore.ask("/status", port)
                        guard answer.hasPrefix("HTTP/1.1 200 OK"), answer.hasSuffix("}") else {
                            throw TestError("no answer", detail: answer)
                        }
                        asked.update { $0 += 1 }
                    }
                }
            }
        }
        let open = Watched(0)
        let streams = Task {
            try await onOwnThread {
                let streams = try (0..<20).map { _ in
                    let stream = try WireClient(port: port)
                    try stream.get("/events")
                    _ = try stream.readHead()
                    _ = try stream.read(through: "\n\n")
                    open.update { $0 += 1 }
                    return stream
                }
                return try streams.map { stream in
                    guard case .closed(let text) = try stream.readToEnd() else { throw TestError("a stream was reset") }
                    return text
                }
            }
        }
        _ = try await open.wait(for: "streams") { $0 == 20 ? true : nil }
        _ = try await asked.wait(for: "answers") { $0 > 20 ? true : nil }

        let (new, old) = try Self.processes(try await store.command("restart"))
        #expect(old == program.pid)
        #expect(new != old)
        #expect(store.process == new)
        let retries = try await streams.value.map { text in
            try #require(text.firstMatch(of: /\nretry: (\d+)\n: the server is going down\n\n$/).flatMap { Int($0.1) }, "\(text)")
        }
        #expect(retries.count == 20)
        #expect(retries.allSatisfy { (1...1000).contains($0) })
        #expect(Set(retries).count > 1, "each stream has a time of its own")
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))

        let before = asked.value
        _ = try await asked.wait(for: "answers of the new process") { $0 > before + 20 ? true : nil }
        isDone.update { $0 = true }
        for flow in flows { try await flow.value }
        try await store.stop()
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
        try Data("\(bystander.pid)\n".utf8).write(to: store.folder.appendingPathComponent("server.lock"), options: [])
        let foreign = try await store.command("restart")
        #expect(foreign.status == .exited(69))
        #expect(foreign.standardError.contains("is not a process of this system"))
        #expect(bystander.status == nil)
        program.send(SIGTERM)
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))
        #endif
    }
}
#endif
