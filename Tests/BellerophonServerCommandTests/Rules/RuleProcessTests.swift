import BellerophonStore
import Foundation
import TestSupport
import Testing

/// The commands of rules, run as processes on a store.
@Suite("Rule commands") struct RuleProcessTests {
    private let home: TestFolder
    private let store: Store

    init() throws {
        home = try TestFolder()
        store = try Store(folder: home.url.appendingPathComponent(".local/share/bellerophon-server"), creates: true)
    }

    private func run(_ arguments: [String], editor: String? = nil, input: String = "") async throws -> CommandResult {
        try await runServerCommand(arguments, environment: ["EDITOR": editor], input: input, home: home)
    }

    /// The folders that `rules edit` has left.
    private func kept() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.url.path).filter { $0.hasPrefix("bellerophon-rules-") }
    }

    @Test func aStatusWithoutRulesHasNone() async throws {
        for arguments in [["rules"], ["rules", "list"]] {
            let result = try await run(arguments)
            #expect(result.standardOutput == "there are no rules\n")
            #expect(result.status == .exited(0))
        }
        #expect(try await run(["rules", "list", "--json"]).standardOutput == "[]\n")
    }

    @Test("A removal that is sent again with its key is confirmed, and a restore names the rules that are left")
    func repeatedRemovalAndRestore() async throws {
        for bound in ["1.5", "1.6"] {
            #expect(try await run(["update", "--app", "notes", "--new", "--below", bound, "--yes"]).status == .exited(0))
        }
        let removal = ["rules", "remove", "min-1.5", "--app", "notes", "--yes", "--request-key", "k1"]
        let first = try await run(removal), second = try await run(removal)
        #expect(first.status == .exited(0) && second.status == .exited(0), "\(second.standardError)")
        #expect(first.standardOutput == second.standardOutput && first.standardOutput.contains("-min-1.5"))
        let restored = try await run(["restore", "--app", "notes"])
        #expect(restored.standardError.contains("the rule min-1.6 still stops some"))
        #expect(restored.standardError.contains("rules remove min-1.6 --app notes\n"))
        #expect(try store.journal().count == 4)
    }

    @Test func anEditThatChangesNothingPublishesNothing() async throws {
        let result = try await run(["rules", "edit", "--yes"], editor: "true")
        #expect(result.standardError == "nothing was changed, so nothing is published\n")
        #expect(result.status == .exited(0))
        #expect(try kept().isEmpty)
        #expect(try store.journal().isEmpty)
    }

    @Test("The text of an edit that can't be used is kept in a private folder")
    func unusableTextIsKept() async throws {
        let editor = try home.write("#!/bin/sh\necho '[{\"id\":' > \"$1\"\n", to: "my editor")
        let result = try await run(["rules", "edit", "--yes"], editor: "sh '\(editor)'")
        #expect(result.status == .exited(65))
        let folder = try #require(try kept().first)
        #expect(home.text("\(folder)/rules.json") == #"[{"id":"#)
        let attributes = try FileManager.default.attributesOfItem(atPath: home.path(folder))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(result.standardError.contains("your text is kept in \(home.path(folder))/rules.json\n"))
        #expect(result.standardError.contains("bellerophon-server: nothing was published: the edited text can't be used\n"))
        #expect(try store.journal().isEmpty)
    }

    @Test func anEditorThatFailsPublishesNothing() async throws {
        let result = try await run(["rules", "edit", "--yes"], editor: "false")
        #expect(result.status == .exited(1))
        #expect(result.standardError.contains("bellerophon-server: nothing was published: the editor \"false\" failed\n"))
    }

    @Test(
        "Wrong input is refused before anything is published",
        arguments: [
            (["rules", "put", "nowhere.json"], "", 66, "can't read nowhere.json: no such file"),
            (["rules", "put", "-"], "[]", 65, "standard input: has no rules"),
            (["rules", "put", "-"], #"{"id":"A","effect":"pause"}"#, 65, "standard input: the rule #1 is not understood: "),
            (["rules", "remove", "min-1"], "", 66, "there is no rule \"min-1\""),
            (["rules", "remove", "a", "a"], "", 64, "the id \"a\" stands twice"),
            (
                ["pause", "--until", "2026-11-01", "--from", "2026-12-01", "--yes"], "", 64,
                "the rule pause-20261201-0000 is not understood"
            ),
            (["update", "--from", "2026-12-15"], "", 64, "update: conditions and times belong to a rule"),
            (["pause", "--only", "version", "--yes"], "", 64, "--only: expected a condition such as"),
        ] as [([String], String, Int32, String)])
    func refusesInput(arguments: [String], input: String, code: Int32, message: String) async throws {
        let result = try await run(arguments, input: input)
        #expect(result.status == .exited(code))
        #expect(result.standardError.hasPrefix("bellerophon-server: \(message)"), "\(result.standardError)")
        #expect(result.standardOutput == "")
        #expect(try store.journal().isEmpty)
    }
}
