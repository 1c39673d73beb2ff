#if Server && os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BellerophonStore

/// A server with the view of the machine that the unit gives it.
@Suite(.enabled(if: UnitSandbox.isPossible, "this machine lets nobody make process and mount namespaces"))
struct UnitClockProof {
    private let home: TestFolder
    private let store: Store

    /// A store whose machine had the right time until its clock went three hours ahead.
    init() throws {
        home = try TestFolder()
        let system = StoreClock.system
        let clock = StoreClock(
            wall: { Date().addingTimeInterval(-3 * 3600) }, steady: system.steady, boot: system.boot)
        store = try Store(folder: home.url.appendingPathComponent("store"), creates: true, clock: clock)
    }

    private func serve(_ unit: String) async throws -> (server: RunningProgram, port: UInt16) {
        let (program, arguments) = try UnitSandbox(unit).command(
            Products.path("bellerophon-server"), ["serve", "--store", store.folder.path, "--port", "0"])
        let server = try RunningProgram(program, arguments, home: home)
        let port = try #require(URL(string: await server.serverAddress())?.port)
        return (server, UInt16(port))
    }

    private func get(_ path: String, _ port: UInt16) throws -> Reply {
        let client = try WireClient(port: port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return try Reply(bytes: client.readBytesToEnd())
    }

    @Test func `a server that starts while the clock is ahead keeps a timed kill until a person accepts the clock`() async throws
    {
        _ = try await store.publish(Publication(action: .kill, endsAfter: .seconds(3600)), by: "ada")
        await store.keepClock()
        let (server, port) = try await serve(DeployFolder.text("bellerophon-server.service"))
        #expect(try get("/status", port).text.contains(#""apiInactive":true"#))
        let ready = try get("/ready", port)
        #expect(ready.status == 503)
        #expect(ready.text.firstMatch(of: /clock was set 10(79|80)\d s ahead while it ran/) != nil, "\(ready)")
        #expect(!server.log.contains("the run of the machine"))
        // An operator's command sees the whole machine.
        let accepted = try await runCommand(
            "bellerophon-server", ["store", "clock", "--accept", "--store", store.folder.path], home: home)
        #expect(accepted.status == .exited(0), "\(accepted.standardError)")
        try await eventually("ready") { try get("/ready", port).status == 200 ? true : nil }
        try await eventually("end of the kill") { try get("/status", port).text.contains(#""apiInactive":true"#) ? nil : true }
    }

    @Test func `a server that cannot know the run of the machine says so and what to do`() async throws {
        let unit = try DeployFolder.text(
            "bellerophon-server.service", replacing: [("\nEnvironment=BELLEROPHON_BOOT_ID=%b\n", "\n")])
        let (server, _) = try await serve(unit)
        try await onOwnThread {
            _ = try server.wait(for: "warning") { $0.contains("add Environment=BELLEROPHON_BOOT_ID=%b") ? true : nil }
        }
    }
}
#endif
