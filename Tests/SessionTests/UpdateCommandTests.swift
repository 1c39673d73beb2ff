import Foundation
import TestSupport
import Testing

/// `bellerophon update` of a program that no package manager has installed.
@Suite("The update of bellerophon itself", .timeLimit(.minutes(10)))
struct UpdateCommandTests {
    private func update(_ arguments: String..., environment: [String: String?] = [:]) async throws -> CommandResult {
        try await runCommand(try Products.path("bellerophon"), ["update"] + arguments, environment: environment)
    }

    @Test(arguments: [["--check"], [], ["--yes"]]) func aPlainFileIsSaidWithItsPath(flags: [String]) async throws {
        let program = try Products.path("bellerophon")
        let result = try await runCommand(program, ["update"] + flags)
        #expect(result.status == .exited(69))
        #expect(result.standardError == "")
        #expect(result.standardOutput.hasPrefix("bellerophon "))
        #expect(result.standardOutput.contains(" runs (\(program)). It was not installed by a package manager that is known"))
    }

    /// The settings are about the app that is watched.
    @Test func theSettingsOfTheAppAreNotRead() async throws {
        let result = try await update(
            "--check", "--json",
            environment: [
                "BELLEROPHON_UPDATE_COMMAND": "touch /tmp/never", "BELLEROPHON_UPDATE_AVAILABLE_COMMAND": "echo 99.0.0",
                "BELLEROPHON_CONFIG": "/nowhere/config.json",
            ])
        #expect(result.status == .exited(69))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any])
        #expect(json["command"] is NSNull && json["newest"] is NSNull && json["installed"] is NSNull)
        #expect(json["path"] as? String == (try Products.path("bellerophon")))
        #expect(json["available"] as? [String] == [] && json["problem"] is String)
    }

    @Test func aCheckRunsNothing() async throws {
        let result = try await update("--check", "--yes")
        #expect(result.status == .exited(64))
        #expect(result.standardError.contains("--check runs no command; leave out --yes"))
    }
}
