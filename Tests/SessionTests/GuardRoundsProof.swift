#if os(Linux)
import Foundation
import TestSupport
import Testing

/// Some of the rounds of `make guard-test`, with small trees of processes.
@Suite(
    "Sessions: a guard and its tree at random moments",
    .enabled("Python 3.11 or later is not installed") { try await hasRecentPython() })
struct GuardRoundsProof {
    /// One round of each way to end.
    @Test("Every process is paused, continued and ended as the status demands in random rounds")
    func guardRoundsSucceed() async throws {
        let result = try await runCommand(
            "/usr/bin/env",
            [
                "python3", "-B", repository.appendingPathComponent("Scripts/guard-rounds").path, try Products.path("bellerophon"),
                try Products.path("TreeProbe"), "--rounds", "4",
                "--processes", "20", "--seed", "\(Seed.of("guard rounds", default: 1))",
            ],
            // Another user, which some rounds run as, can't enter the folder of a test.
            environment: ["TMPDIR": nil], within: patience * 10)
        #expect(result.status == .exited(0), "\(result.standardOutput)\(result.standardError)")
        #expect(result.standardOutput.contains("ok: 4 rounds"), "\(result.standardOutput)")
    }
}

/// Whether the script can run.
private func hasRecentPython() async throws -> Bool {
    guard let python = Products.find("python3") else { return false }
    let check = "import sys; sys.exit(sys.version_info < (3, 11))"
    return try await runCommand(python, ["-c", check]).status == .exited(0)
}
#endif
