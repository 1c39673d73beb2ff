import Foundation
import TestSupport
import Testing

/// Two clients that share no code pass every case of the contract, and agree on documents that nobody has looked at.
@Suite("The contract of the status document", .timeLimit(.minutes(10)))
struct ContractTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Contract").standardized.path

    private static let python = ["python3", "-B", folder + "/client.py"]

    private func run(_ arguments: [String]) async throws -> CommandResult {
        try await runCommand("/usr/bin/env", ["python3", "-B", Self.folder + "/run.py"] + arguments)
    }

    @Test func theProgramPassesEveryCase() async throws {
        let result = try await run(["--", try Products.path("bellerophon"), "contract"])
        #expect(result.status == .exited(0), "\(result.standardOutput.suffix(2000))\(result.standardError)")
    }

    @Test func theClientInPythonPassesEveryCase() async throws {
        let result = try await run(["--"] + Self.python)
        #expect(result.status == .exited(0), "\(result.standardOutput.suffix(2000))\(result.standardError)")
    }

    @Test(arguments: ["rules", "sequence"]) func bothAgreeOnRandomDocuments(level: String) async throws {
        let count = level == "rules" ? "1500" : "300"
        let result = try await run(
            [
                "--random", count, "--seed", "\(Seed.of("contract", default: 29))", "--level", level, "--",
                try Products.path("bellerophon"), "contract", "--",
            ]
                + Self.python)
        #expect(result.status == .exited(0), "\(result.standardOutput.suffix(2000))\(result.standardError)")
    }

    @Test func aLineThatIsNoCaseHasAReply() async throws {
        let lines = [
            "", "{", "7", #"{"level":"moon"}"#, #"{"level":"rules","document":7}"#, #"{"level":"sequence","steps":[{}]}"#,
        ]
        let result = try await runCommand(
            try Products.path("bellerophon"), ["contract"], input: lines.map { $0 + "\n" }.joined())
        #expect(result.standardOutput == String(repeating: "{\"valid\":false}\n", count: lines.count))
        #expect(result.status == .exited(0))
    }
}
