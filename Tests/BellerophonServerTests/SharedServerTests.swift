#if Postgres
import BellerophonBase
import BellerophonStore
import Foundation
import TestSupport
import Testing

/// Two servers that share a store in PostgreSQL, as processes.
@Suite(
    "Servers with a shared store", .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedServerTests {
    /// A running server with its own copy of the store.
    private final class Origin: Sendable {
        let home: TestFolder
        let program: RunningProgram
        let port: UInt16

        init(_ address: String) throws {
            home = try TestFolder()
            program = try RunningProgram(
                try Products.path("bellerophon-server"), ["serve", "--store", address, "--port", "0"], home: home,
                environment: ["BELLEROPHON_SERVER_COPY": home.path("copy")])
            port = try ServedStore.port(program)
        }

        /// The reply to a request, its header included.
        func get(_ path: String) throws -> String { try ServedStore.ask(path, port) }
    }

    private func command(_ arguments: [String], _ address: String, _ origin: Origin) async throws -> CommandResult {
        try await runServerCommand(
            arguments + ["--store", address],
            environment: ["BELLEROPHON_SERVER_COPY": origin.home.path("copy")])
    }

    @Test("Two servers with a shared store serve the same document, and one of them leads")
    func sharedServersAgree() async throws {
        let address = try await PostgresServer.makeDatabase()
        let bare = try await runServerCommand(["serve", "--store", address, "--port", "0"])
        #expect(bare.status == .exited(78))
        #expect(bare.standardError.contains("store migrate"))
        let made = try await runServerCommand(["store", "migrate", "--store", address])
        #expect(made.standardOutput == "made the tables\n")

        let (a, b) = (try Origin(address), try Origin(address))
        let kill = try await command(["kill", "--message", "Back soon.", "--yes"], address, a)
        #expect(kill.status == .exited(0), "\(kill.standardError)")
        // A server looks for rows on its own too, so that this ends without a notification.
        let tags = try await eventually("the kill on both servers") {
            let replies = try await onOwnThread { [a, b] in try [a.get("/status"), b.get("/status")] }
            guard replies.allSatisfy({ $0.contains("Back soon.") }) else { return [Substring?]?.none }
            return replies.map { $0.firstMatch(of: /ETag: ("1-[0-9a-f]{32}")/)?.1 }
        }
        #expect(tags[0] != nil && tags[0] == tags[1])
        let ready = try await eventually("one leader") {
            let figures = try await onOwnThread { [a, b] in try [a.get("/metrics"), b.get("/metrics")] }
            guard figures.count(where: { $0.contains("\nbellerophon_shared_store_leader 1\n") }) == 1 else {
                return [String]?.none
            }
            return try await onOwnThread { [a, b] in try [a.get("/ready"), b.get("/ready")] }
        }
        #expect(ready.count { $0.contains(#""shared":{"leads":true,"standbys":null}"#) } == 1, "\(ready)")
    }

    @Test("A store is copied to a database only when no server runs")
    func storeIsCopiedToDatabase() async throws {
        let home = try TestFolder()
        let (program, store) = (try Products.path("bellerophon-server"), home.path("store"))
        for arguments in [["init"], ["kill", "--message", "Back soon.", "--yes"]] {
            #expect(try await runCommand(program, arguments + ["--store", store]).status == .exited(0))
        }
        let address = try await PostgresServer.makeDatabase()
        let copy = ["store", "copy", "--from", store, "--to", address]
        let bare = try await runCommand(program, copy)
        #expect(bare.status != .exited(0) && bare.standardError.contains("store migrate"))
        #expect(try await runCommand(program, ["store", "migrate", "--store", address]).status == .exited(0))
        let server = try RunningProgram(program, ["serve", "--store", store, "--port", "0"], home: home)
        _ = try await onOwnThread { try server.wait(for: "server") { $0.contains("listening") ? () : nil } }
        let running = try await runCommand(program, copy)
        #expect(running.status == .exited(75) && running.standardError.contains("stop it before"))
        server.send(SIGTERM)
        _ = try await onOwnThread { try server.waitForEnd() }
        let copied = try await runCommand(program, copy)
        #expect(copied.status == .exited(0) && copied.standardOutput.hasPrefix("copied 1 rows and 0 files; "), "\(copied)")
        let status = try await runCommand(
            program, ["status", "--store", address], environment: ["BELLEROPHON_SERVER_COPY": store])
        #expect(status.standardOutput.contains("Back soon."), "the folder is a copy now: \(status)")
    }
}
#endif
