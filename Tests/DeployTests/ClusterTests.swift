#if Postgres
import Foundation
import TestSupport
import Testing

/// Two servers with a store in PostgreSQL and a standby, behind nginx, while parts of them are taken away: what
/// `make cluster-test` runs.
@Suite(
    "A cluster", .enabled(if: Nginx.isThere, "\(Nginx.advice)"),
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"), .timeLimit(.minutes(10)))
struct ClusterTests {
    @Test func partsThatAreAwayLoseNoRowAndLiftNoKill() async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Scripts/cluster.sh").path
        let result = try await runCommand(
            script, [try Products.path("bellerophon-server"), try #require(Nginx.path), "--check"],
            // PostgreSQL's user can't enter the folder of a test.
            environment: ["TMPDIR": nil], within: patience * 5)
        #expect(result.status == .exited(0), "\(result.standardOutput)\(result.standardError)")
        #expect(result.standardOutput.split(separator: "\n").count { $0.hasPrefix("ok: ") } == 5)
    }
}
#endif
