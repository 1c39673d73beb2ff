import Foundation
import TestSupport
import Testing

/// The language of views and messages, by flag, configuration and locale.
@Suite("Languages of the commands")
struct LanguageCommandTests {
    private static let paused = #"""
        {"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at noon.",
         "userMessages":{"de":"Mittags zurück.","fr":"De retour à midi.","sv":"Tillbaka vid tolv."}}
        """#

    @Test(
        "The flag counts before the configuration, that before LANGUAGE, and that before the locale",
        arguments: [
            (["--lang", "sv"], "Tillbaka vid tolv."), (["--lang", "pl,de-AT"], "Mittags zurück."), ([], "De retour à midi."),
        ])
    func order(flags: [String], message: String) async throws {
        let server = try HostileServer(.status(Self.paused))
        let home = try TestFolder()
        let file = try home.write(#"{"display":{"language":"fr"}}"#, to: "config.json")
        let arguments = ["check", server.address, "--config", file] + flags
        let environment = ["LANGUAGE": "de", "LANG": "sv_SE.UTF-8"]
        let result = try await bellerophon(arguments, environment: environment, home: home)
        #expect(result.standardOutput.contains("message:  \(message)\n"), "\(result)")
        let json = try await bellerophon(arguments + ["--json"], environment: environment, home: home)
        #expect(json.standardOutput.contains(#""message":"Back at noon.""#), "what programs read has the default message")
    }

    @Test(
        "Without a flag and a setting the environment counts",
        arguments: [
            (["LANGUAGE": "fr", "LANG": "de_DE.UTF-8"], "De retour à midi."), (["LANG": "de_DE.UTF-8"], "Mittags zurück."),
            (["BELLEROPHON_LANGUAGE": "sv", "LANG": "de_DE.UTF-8"], "Tillbaka vid tolv."), (["LANG": "C"], "Back at noon."),
        ] as [([String: String], String)])
    func environment(variables: [String: String], message: String) async throws {
        let server = try HostileServer(.status(Self.paused))
        let result = try await bellerophon(["check", server.address], environment: variables)
        #expect(result.standardOutput.contains("message:  \(message)\n"), "\(result)")
    }

    @Test(
        "render takes only the flag, and views without words of a language are in English",
        arguments: [
            (["--lang", "de"], ["DIENST PAUSIERT", "Mittags zurück."]),
            (["--lang", "sv"], ["SERVICE PAUSED", "Tillbaka vid tolv."]),
            ([], ["SERVICE PAUSED", "Back at noon."]),
        ])
    func render(flags: [String], texts: [String]) async throws {
        let result = try await bellerophon(
            ["render", "--status", "-"] + flags, environment: ["LANG": "fr_FR.UTF-8"], input: Self.paused)
        for text in texts { #expect(result.standardOutput.contains(text), "\(result.standardOutput)") }
    }

    @Test(
        "A tag that is not well formed is an error",
        arguments: [
            ["check", "http://127.0.0.1:1/status"], ["render", "--status", "-"], ["watch", "http://127.0.0.1:1/status"], ["demo"],
        ])
    func badTag(command: [String]) async throws {
        let result = try await bellerophon(command + ["--lang", "german language"], input: Self.paused)
        #expect(result.status == .exited(64))
        let problem = "bellerophon: --lang: expected a language tag such as de or pt-BR, or several with commas, found "
        #expect(result.standardError.hasPrefix(problem), "\(result.standardError)")
    }

    @Test(
        "A view over a program is in the language of the flag",
        arguments: [
            ["demo", "--scenario", "paused", "--lang", "de"], ["guard", "--scenario", "paused", "--lang", "de", "--", "cat"],
        ])
    func view(arguments: [String]) async throws {
        let terminal = try await TerminalUnderTest("bellerophon", arguments: arguments)
        try await terminal.wait(for: "DIENST PAUSIERT", "q Ende")
    }
}
