import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// A server that listens on a Unix socket.
struct UnixSocketTests {
    private let store: ServedStore
    private var path: String { store.home.path("server.sock") }

    init() throws {
        store = try ServedStore()
    }

    private func serve() throws -> RunningProgram { try store.serve(["--set", "server.socket=\(path)"]) }

    private func listening(_ program: RunningProgram) async throws {
        let path = path
        _ = try await onOwnThread {
            try program.wait(for: "address") { $0.contains("unix:\(path)") ? () : nil }
        }
    }

    private func ask() async throws -> String {
        let path = path
        return try await onOwnThread {
            let client = try WireClient(path: path)
            try client.get("/status", "Connection: close")
            guard case .closed(let text) = try client.readToEnd() else { throw TestError("a connection was reset") }
            return text
        }
    }

    @Test("Statuses and streams are served on a Unix socket, also after a restart")
    func unixSocketSurvivesRestart() async throws {
        let program = try serve()
        try await listening(program)
        #expect(try await ask().hasPrefix("HTTP/1.1 200 OK"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o660, "owner and group may connect, others may not")
        let path = path
        let stream = try await onOwnThread {
            let client = try WireClient(path: path)
            try client.get("/events")
            _ = try client.readHead()
            return try client.read(through: "}\n\n")
        }
        #expect(stream.contains("event: status"))
        #expect(try await store.command("restart").status == .exited(0))
        #expect(try await ask().hasPrefix("HTTP/1.1 200 OK"))
        #expect(try await store.command("kill", "--yes").status == .exited(0))
        try await eventually("the kill is served") { try await ask().contains(#""apiInactive":true"#) ? () : nil }
        try await store.stop()
    }

    @Test func theSocketOfAnEndedServerIsReplaced() async throws {
        let first = try serve()
        try await listening(first)
        kill(try #require(store.process), SIGKILL)
        try await eventually("end of the server") { ServerLock.isHeld(store.folder) ? nil : true }
        #expect(FileManager.default.fileExists(atPath: path), "nobody has removed it")
        let second = try serve()
        try await listening(second)
        #expect(try await ask().hasPrefix("HTTP/1.1 200 OK"))
        try await store.stop()
    }

    @Test func aSocketInUseAndAnotherFileStay() async throws {
        let socket = try ListeningSocket.bound(to: .file(path))
        let inUse = try await refusal()
        #expect(inUse.contains("is in use by another program"), "\(inUse)")
        let path = path
        try await onOwnThread { _ = try WireClient(path: path) }
        socket.close()
        unlink(path)
        try store.home.write("notes", to: "server.sock")
        #expect(try await refusal().contains("another kind of file"))
        #expect(store.home.text("server.sock") == "notes")
    }

    private func refusal() async throws -> String {
        let program = try serve()
        return try await onOwnThread {
            let end = try program.waitForEnd()
            #expect(end != .exited(0))
            return program.log
        }
    }

    @Test(arguments: ["server.sock", "/" + String(repeating: "x", count: 103), ""])
    func aPathThatCannotBeOneIsNamed(path: String) async throws {
        let result = try await store.command("serve", "--set", "server.socket=\(path)")
        #expect(result.status == .exited(78) && result.standardError.contains("server.socket"), "\(result)")
    }

    @Test func aSocketOfASupervisorIsTaken() throws {
        let made = try ListeningSocket.bound(to: .file(path))
        let inherited = try #require(ListeningSocket(inherited: try made.duplicate(), isActivated: true))
        #expect(inherited.path == path && inherited.isLoopback && inherited.isAt(.file(path)))
        #expect(!inherited.isAt(.file(path + "2")) && !inherited.isAt(.port(host: "127.0.0.1", port: 0)))
    }
}
