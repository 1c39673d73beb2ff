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

    private func run(_ arguments: [String], input: String = "") async throws -> CommandResult {
        try await runServerCommand(arguments, input: input, home: home)
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

    @Test(
        "Wrong input is refused before anything is published",
        arguments: [
            (["rules", "put", "nowhere.json"], "", 66, "rules put: can't read nowhere.json: no such file"),
            (["rules", "put", "-"], "[]", 65, "standard input: no rule is to be published or removed"),
            (["rules", "put", "-"], #"{"id":"A","effect":"pause"}"#, 65, "standard input: the rule #1 is not understood: "),
            (["rules", "remove", "min-1", "--yes"], "", 66, "there is no rule \"min-1\""),
            (["rules", "remove", "a", "a"], "", 64, "the rule \"a\" is named twice"),
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
