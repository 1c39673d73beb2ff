#if Postgres
import Foundation
import TestSupport
import Testing

/// Servers with a store in PostgreSQL and a standby, while parts of them are taken away: what `make cluster-test` runs.
@Suite("A cluster", .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct ClusterTests {
    /// Two servers behind nginx.
    @Test(.enabled(if: Nginx.isThere, "\(Nginx.advice)")) func partsThatAreAwayLoseNoRowAndLiftNoKill() async throws {
        let result = try await runCommand(
            repository.appendingPathComponent("deploy/cluster.sh").path,
            [try Products.path("bellerophon-server"), try #require(Nginx.path), "--check"],
            // PostgreSQL's user can't enter the folder of a test.
            environment: ["TMPDIR": nil], within: patience * 5)
        #expect(result.status == .exited(0), "\(result.standardOutput)\(result.standardError)")
        #expect(result.standardOutput.split(separator: "\n").count { $0.hasPrefix("ok: ") } == 6)
    }

    private func chaos(_ arguments: [String]) async throws -> CommandResult {
        try await runCommand(
            "/usr/bin/env",
            [
                "python3", "-B", repository.appendingPathComponent("Scripts/chaos").path,
                try Products.path("bellerophon-server"), try Products.path("bellerophon"),
            ] + arguments, environment: ["CI": ProcessInfo.processInfo.environment["CI"]], within: patience * 10)
    }

    /// The named faults of `make cluster-test`. The one that can't be made everywhere needs the right to mount a file system; with
    /// `CI=true` that is an error.
    @Test func eachNamedFaultHidesNoKillAndLiftsNone() async throws {
        let result = try await chaos(["--case", ""])
        #expect(result.status == .exited(0), "\(result.standardOutput)\(result.standardError)")
        let lines = result.standardOutput.split(separator: "\n")
        let skipped = lines.filter { $0.hasPrefix("skipped: a full disk on one server: ") }
        for line in skipped { print(line) }
        let faults = [
            "a full disk on one server", "a lift that no standby has", "an address that accepts and closes",
            "content on a slow link", "late requests", "clocks that are two hours off", "a row of a newer version",
        ]
        let made = lines.compactMap { $0.firstMatch(of: /^ok: ([^:]+):/).map { String($0.1) } }
        #expect(made == Array(faults.dropFirst(skipped.count)), "\(lines)")
    }
}
#endif
