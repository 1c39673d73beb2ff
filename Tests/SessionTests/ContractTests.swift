import Foundation
import TestSupport
import Testing

/// Two clients that share no code pass every case of the contract, and agree on documents that nobody has looked at.
@Suite("The contract of the status document")
struct ContractTests {
    private static let folder = repository.appending(path: "Contract").path

    private static let python = ["python3", "-B", folder + "/client.py"]

    private func run(_ arguments: [String]) async throws -> CommandResult {
        // It computes all the time, and on a busy machine that takes minutes.
        try await runCommand("/usr/bin/env", ["python3", "-B", Self.folder + "/run.py"] + arguments, within: .seconds(3600))
    }

    @Test func theProgramPassesEveryCase() async throws {
        let result = try await run(["--", try Products.path("bellerophon"), "contract"])
        #expect(result.status == .exited(0), "\(result.standardOutput.suffix(2000))\(result.standardError)")
    }

    @Test func theClientInPythonPassesEveryCase() async throws {
        let result = try await run(["--"] + Self.python)
        #expect(result.status == .exited(0), "\(result.standardOutput.suffix(2000))\(result.standardError)")
    }

    @Test(arguments: [("fields", 200), ("rules", 600), ("texts", 250), ("sequence", 200), ("signed", 20), ("wire", 250)])
    func bothAgreeOnRandomDocuments(level: String, count: Int) async throws {
        let result = try await run(
            [
                "--random", "\(count)", "--seed", "\(Seed.of("contract", default: 29))", "--level", level, "--",
                try Products.path("bellerophon"), "contract", "--",
            ]
                + Self.python)
        #expect(result.status == .exited(0), "\(result.standardOutput.suffix(2000))\(result.standardError)")
    }

    @Test func aLineThatIsNoCaseHasAReply() async throws {
        let lines = [
            "", "{", "7", #"{"level":"moon"}"#, #"{"level":"rules","document":7}"#, #"{"level":"sequence","steps":[{}]}"#,
            #"{"level":"sequence","client":{},"steps":[{"at":-1}]}"#, #"{"level":"sequence","client":{},"steps":[{"at":0.5}]}"#,
            #"{"level":"sequence","client":{},"steps":[{"at":0,"restart":false}]}"#,
            #"{"level":"wire","client":{},"steps":[{"at":0}]}"#,
            #"{"level":"wire","client":{},"keys":[],"steps":[]}"#,
            #"{"level":"wire","client":{},"whenUnknown":null,"steps":[]}"#,
        ]
        let input = lines.map { $0 + "\n" }.joined()
        for program in [[try Products.path("bellerophon"), "contract"], Self.python] {
            let result = try await runCommand("/usr/bin/env", program, input: input)
            #expect(result.standardOutput.filter { $0 != " " } == String(repeating: "{\"valid\":false}\n", count: lines.count))
            #expect(result.status == .exited(0))
        }
    }

    @Test func aLineThatIsNotUTF8IsNoCase() async throws {
        for program in [[try Products.path("bellerophon"), "contract"], Self.python] {
            let bytes = #"'{"level":"fields","document":"\377","client":{},"now":null}\n'"#
            let result = try await runCommand(
                "/bin/sh", ["-c", "printf \(bytes) | \"$@\"", "sh", "/usr/bin/env"] + program)
            #expect(result.standardOutput == "{\"valid\":false}\n")
        }
    }

    @Test func theNumberOfTheContractIsPrinted() async throws {
        let result = try await bellerophon(["contract", "--version"])
        #expect(result.standardOutput == "1.0\n")
        let page = try String(contentsOfFile: Self.folder + "/README.md", encoding: .utf8)
        #expect(page.hasPrefix("# The contract of the status document, 1.0\n"))
    }

    /// The first case of the page, copied whole.
    @Test func theFirstCaseHasTheReplyOfThePage() async throws {
        let page = try String(contentsOfFile: Self.folder + "/README.md", encoding: .utf8)
        let command = try #require(page.split(separator: "\n").first { $0.hasPrefix("printf ") })
        let reply = try #require(page.split(separator: "\n").first { $0.hasPrefix("{\"valid\":true") })
        let result = try await runCommand("/bin/sh", ["-c", "cd \"$1\" && \(command)", "sh", Self.folder + "/.."])
        #expect(result.standardOutput == reply + "\n")
    }

    /// A reply that is wrong, and the reason for it, are one line each, with the case in a line that can be sent again.
    @Test func aWrongReplyIsPrintedWithItsCase() async throws {
        let result = try await run([
            "--level", "texts", "--", "/bin/sh", "-c", "while read line; do echo '{\"valid\":false}'; done",
        ])
        let lines = result.standardOutput.split(separator: "\n")
        #expect(result.status == .exited(1))
        #expect(lines.first == "texts texts-default: expected a reply, found {\"valid\": false}")
        let sent = try #require(lines.dropFirst(2).first).trimmingCharacters(in: .whitespaces)
        let again = try await bellerophon(["contract"], input: sent + "\n")
        #expect(again.standardOutput.contains("Back soon."))
    }
}
