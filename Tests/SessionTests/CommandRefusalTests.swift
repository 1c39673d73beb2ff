import Foundation
import TestSupport
import Testing

/// What a command refuses before it starts.
@Suite("Commands that refuse to start")
struct CommandRefusalTests {
    @Test(arguments: ["run", "demo", "watch", "guard", "check"], [5, 8, 10, 12, 16, 20, 24])
    func tooFewOpenFilesAreAnErrorInWords(command: String, limit: Int) async throws {
        let flags = command == "demo" ? "" : "--status-url http://127.0.0.1:9/status"
        let end = command == "guard" ? "-- true" : ""
        let script = "ulimit -n \(limit); exec \"$0\" \(command) \(flags) \(end)"
        let result = try await runCommand("/bin/sh", ["-c", script, try Products.path("bellerophon")])
        #expect(result.status == .exited(71))
        #expect(result.standardError.hasPrefix("bellerophon: too few open files are allowed: 32 are needed and "))
        #expect(result.standardError.hasSuffix(" are free; raise the limit, for example with `ulimit -n 256`\n"))
        #expect(result.standardOutput == "")
    }

    @Test(arguments: [
        "render --status /dev/null", "config list", "barricade status",
    ])
    func commandsThatEndAtOnceNeedFewOpenFiles(command: String) async throws {
        for limit in [8, 10, 12, 16, 20, 24] {
            let script = "ulimit -n \(limit); exec \"$0\" \(command)"
            let result = try await runCommand("/bin/sh", ["-c", script, try Products.path("bellerophon")])
            guard case .exited = result.status else {
                Issue.record("\(limit): \(result.status) \(result.standardError)")
                return
            }
        }
    }

    @Test(arguments: [
        ("--on-kill", "restart", "restart starts the new version after an update, and a kill brings none"),
        ("--on-kill", "restart=5", "restart starts the new version after an update, and a kill brings none"),
        ("--on-kill", "stop", "expected cover, pause or terminate[=SECONDS]"),
        ("--on-kill", "cover=1", "expected cover, pause or"),
        ("--on-update", "restart=", "is invalid for '--on-update"),
        ("--on-update", "restart=3601", "is invalid for '--on-update"),
        ("--on-update", "restart=30m5h", "is invalid for '--on-update"),
        ("--start-timeout", "11m", "--start-timeout: expected a time of at most 10 minutes, such as 2, 90s or 5m"),
        ("--on-update", "pause=3", "is invalid for '--on-update"),
    ])
    func aResponseThatCanNotBeIsRefused(flag: String, value: String, problem: String) async throws {
        let arguments = ["guard", "--status-url", "http://127.0.0.1:9/status", flag, value, "--", "true"]
        let result = try await bellerophon(arguments)
        #expect(result.status == .exited(64))
        #expect(result.standardError.contains(problem), "\(result.standardError)")
    }

    private static let oneKey = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

    /// Each command that checks a status, with the flags or the variable of a script whose own variable is not set.
    @Test(arguments: [["check"], ["watch"], ["run", "--plain"], ["guard"]])
    func anEmptyTrustKeyIsAnErrorOfEveryCommand(command: [String]) async throws {
        let flags = [["--trust-key", ""], ["--trust-key", " "], ["--trust-key", Self.oneKey, "--trust-key", ""], []]
        for keys in flags {
            let variables = keys.isEmpty ? ["BELLEROPHON_TRUST_KEYS": ""] : [:]
            let origin = keys.isEmpty ? "BELLEROPHON_TRUST_KEYS" : "--trust-key"
            let end = command == ["guard"] ? ["--", "true"] : []
            let result = try await bellerophon(
                command + ["--status-url", "http://a.example/status"] + keys + end, environment: variables)
            #expect(result.status == .exited(64), "\(keys)")
            #expect(result.standardError.hasPrefix("bellerophon: \(origin): expected at least one public key"))
            #expect(result.standardError.hasSuffix("; leave it out only if unsigned statuses are to count\n"))
        }
    }
}
