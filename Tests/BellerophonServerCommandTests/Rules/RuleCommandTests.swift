import ArgumentParser
import BellerophonBase
import BellerophonStore
import Foundation
import StatusModel
import TestSupport
import Testing

@testable import BellerophonServerCommand

/// The rules that the commands build from their arguments.
@Suite("Rules of commands") struct RuleCommandTests {
    /// 2026-11-26 12:00:00 UTC, a Thursday.
    private let now = Date(timeIntervalSince1970: 1_795_694_400)

    /// The rules of a command line. Each must be understood by a client without a remark.
    private func rules(_ arguments: [String]) throws -> [String] {
        let command = try BellerophonServerCommand.parseAsRoot(arguments)
        let drafts: [RuleDraft] =
            switch command {
            case let command as UpdateCommand: [try command.draft(now: now)]
            case let command as OfferCommand: [try command.draft(now: now)]
            case let command as NoticeCommand: [try command.draft(now: now)]
            case let command as PauseCommand: [try command.draft(now: now)]
            case let command as MaintenanceAnnounceCommand: try command.drafts(now: now)
            default: throw TestError("no command of rules: \(command)")
            }
        let nodes = drafts.map(\.node)
        let document = try StatusDocument(rules: nodes.map { $0.compactText() })
        #expect(document.remarks == [])
        #expect(document.rules.count == nodes.count)
        return nodes.map { $0.compactText() }
    }

    @Test("A message for a language comes from a file, without the end of its last line")
    func readsMessages() throws {
        let german = try file("Suche ist schreibgeschützt.\n"), french = try file("Recherche en lecture seule.")
        defer { for path in [german, french] { try? FileManager.default.removeItem(atPath: path) } }
        let arguments = ["--message", "Search is read-only.", "--message-file", "fr=\(french)", "--message-file", "de=\(german)"]
        let messages =
            #","message":"Search is read-only.","#
            + #""messages":{"de":"Suche ist schreibgeschützt.","fr":"Recherche en lecture seule."}}"#
        for command in [
            ["notice"], ["pause"], ["offer", "--to", "1.7"], ["update", "--below", "1.7"],
            ["maintenance", "announce", "--from", "2026-12-05", "--for", "1h"],
        ] {
            let rules = try rules(command + arguments)
            #expect(rules.count == 1)
            #expect(rules.allSatisfy { $0.hasSuffix(messages) || $0.hasSuffix(#","level":"info"\#(messages)"#) }, "\(rules)")
        }
    }

    @Test("A file of a message that can't be used is named")
    func refusesMessages() throws {
        let text = try file("Guten Tag."), long = try file(String(repeating: "x", count: 4097))
        let binary = try file(Data([0xFF, 0xFE]))
        defer { for path in [text, long, binary] { try? FileManager.default.removeItem(atPath: path) } }
        func problem(_ options: [String]) -> String? {
            do {
                _ = try rules(["notice", "--message", "Hello."] + options.flatMap { ["--message-file", $0] })
                return nil
            } catch {
                return (error as? CommandError)?.message
            }
        }
        let form = "--message-file: expected a language and a file such as de=message.de.txt, found "
        #expect(problem(["de"]) == form + #""de""#)
        #expect(problem(["de="]) == form + #""de=""#)
        #expect(problem(["de=\(text)", "de=\(text)"]) == "--message-file: the language de is there twice")
        #expect(problem(["de=\(binary)"]) == "--message-file: \(binary) is not UTF-8")
        #expect(problem(["de=\(long)"])?.hasPrefix("--message-file: can't read \(long): ") == true)
        #expect(problem(["de=\(text).none"])?.hasPrefix("--message-file: can't read \(text).none: ") == true)
        #expect(problem(["de=\(text)"]) == nil)
    }

    private func file(_ text: String) throws -> String { try file(Data(text.utf8)) }

    /// A new file with this content.
    private func file(_ content: Data) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("message-\(UUID().uuidString)").path
        try content.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "A command makes a rule with its members in the order of the contract",
        arguments: [
            (
                [
                    "update", "--below", "1.5.2", "--from", "2026-12-15", "--announce", "14d", "--share", "10%", "--except",
                    "ci=true", "--message", "1.4 loses data.", "--url", "https://a.example/get", "--until", "2027-01-01",
                ],
                #"{"id":"min-1.5.2","effect":"update","only":{"versions":[{"below":"1.5.2"}],"share":"10%"},"#
                    + #""except":[{"is":{"ci":["true"]}}],"announce":"2026-12-01T00:00:00Z","from":"2026-12-15T00:00:00Z","#
                    + #""until":"2027-01-01T00:00:00Z","to":"1.5.2","link":"https://a.example/get","message":"1.4 loses data."}"#
            ),
            (
                ["update", "--to", "1.6.4", "--only", "version>=1.6,<1.6.4", "--only", "os=linux", "--for", "2h"],
                #"{"id":"update-1.6.4","effect":"update","only":{"versions":[{"from":"1.6","below":"1.6.4"}],"#
                    + #""is":{"os":["linux"]}},"until":"2026-11-26T14:00:00Z","to":"1.6.4"}"#
            ),
            (
                ["update", "--below", "1.5.0", "--to", "1.6.0", "--id", "floor"],
                #"{"id":"floor","effect":"update","only":{"versions":[{"below":"1.5.0"}]},"to":"1.6.0"}"#
            ),
            (
                ["update", "--below", "v1.5+Build.7"],
                #"{"id":"min-v1.5-build.7","effect":"update","only":{"versions":[{"below":"v1.5+Build.7"}]},"to":"v1.5+Build.7"}"#
            ),
            (
                ["offer", "--to", "1.7.0", "--share", "2.5%", "--draw", "17"],
                #"{"id":"offer-1.7.0","effect":"offer","only":{"versions":[{"below":"1.7.0"}],"share":"2.5%","draw":"17"},"#
                    + #""to":"1.7.0"}"#
            ),
            (
                ["offer", "--to", "1.7.0", "--only", "version>=1.6"],
                #"{"id":"offer-1.7.0","effect":"offer","only":{"versions":[{"from":"1.6"}]},"to":"1.7.0"}"#
            ),
            (
                ["notice", "--message", "Search is read-only.", "--level", "warn", "--only", "region=eu"],
                #"{"id":"notice-20261126-1200","effect":"notice","only":{"is":{"region":["eu"]}},"level":"warn","#
                    + #""message":"Search is read-only."}"#
            ),
            (
                ["pause", "--only", "version<1.5", "--from", "sat 23:00", "--zone", "Europe/Berlin", "--for", "90m"],
                #"{"id":"pause-20261128-2200","effect":"pause","only":{"versions":[{"below":"1.5"}]},"#
                    + #""from":"2026-11-28T22:00:00Z","until":"2026-11-28T23:30:00Z"}"#
            ),
            (
                [
                    "maintenance", "announce", "--from", "2026-12-05T22:00", "--for", "90m", "--announce", "2026-12-04",
                    "--message", "Back soon.", "--everyone",
                ],
                #"{"id":"mw-20261205-2200","effect":"pause","announce":"2026-12-04T00:00:00Z","from":"2026-12-05T22:00:00Z","#
                    + #""until":"2026-12-05T23:30:00Z","message":"Back soon."}"#
            ),
        ])
    func buildsRule(arguments: [String], expected: String) throws {
        #expect(try rules(arguments) == [expected])
    }

    @Test func weeklyWindowsAreARuleEach() throws {
        let arguments = [
            "maintenance", "announce", "--from", "2027-03-20 23:00", "--for", "90m", "--every", "sat", "--zone", "Europe/Berlin",
            "--count", "3", "--announce", "24h",
        ]
        #expect(
            try rules(arguments) == [
                #"{"id":"mw-20270320-2200","effect":"pause","announce":"2027-03-19T22:00:00Z","from":"2027-03-20T22:00:00Z","#
                    + #""until":"2027-03-20T23:30:00Z"}"#,
                #"{"id":"mw-20270327-2200","effect":"pause","announce":"2027-03-26T22:00:00Z","from":"2027-03-27T22:00:00Z","#
                    + #""until":"2027-03-27T23:30:00Z"}"#,
                #"{"id":"mw-20270403-2100","effect":"pause","announce":"2027-04-02T21:00:00Z","from":"2027-04-03T21:00:00Z","#
                    + #""until":"2027-04-03T22:30:00Z"}"#,
            ])
        let named = try rules(arguments + ["--id", "night"])
        #expect(named.map { String($0.prefix(14)) } == [#"{"id":"night","#, #"{"id":"night-2"#, #"{"id":"night-3"#])
    }

    @Test(
        "Arguments that contradict each other are refused",
        arguments: [
            (["update", "--below", "1.5", "--required-version", "2"], "--required-version belongs to the status itself"),
            (["update", "--below", "1.5", "--retry-interval", "9"], "--retry-interval belongs to the status itself"),
            (["update", "--below", "1.x"], "--below: expected a version such as 1.5.2, found \"1.x\""),
            (["update", "--below", "1.5", "--to", "new"], "--to: expected a version such as 1.5.2, found \"new\""),
            (["update", "--below", "1.5", "--url", "ftp://a.example"], "--url: expected an http or https address"),
            (["update", "--below", "1.5", "--only", "version>=1"], "--below and --only both select versions"),
            (["update", "--below", "1.5", "--announce", "1d"], "--announce: needs --from"),
            (["pause", "--for", "1h", "--until", "2027-01-01"], "--for and --until contradict each other"),
            (["pause", "--for", "soon"], "--for: expected a time such as 90s"),
            (["notice"], "notice: needs --message"),
            (["notice", "--message", " "], "notice: needs --message"),
            (["maintenance", "announce", "--for", "1h"], "maintenance announce: needs --from"),
            (["maintenance", "announce", "--from", "+1h"], "maintenance announce: needs --from"),
            (
                ["maintenance", "announce", "--from", "+1h", "--for", "1h", "--count", "2"],
                "--count: means nothing without --every"
            ),
            (
                [
                    "maintenance", "announce", "--from", "sat 23:00", "--for", "1h", "--every", "sat", "--count", "2",
                    "--announce",
                    "2026-11-27",
                ], "--announce: with --every it must be a length"
            ),
        ])
    func refusesArguments(arguments: [String], message: String) {
        let error = #expect(throws: CommandError.self) { try rules(arguments) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    // MARK: Ids

    private func current(_ rules: String...) throws -> CurrentRules {
        CurrentRules(try rules.map { try JSONReader.read(Data($0.utf8)) })
    }

    @Test func aDefaultIDOfATimeBecomesUnique() throws {
        let present = try current(#"{"id":"mw-1","effect":"offer"}"#, #"{"id":"mw-1-2","effect":"offer"}"#)
        let drafts = [RuleDraft(id: "mw-1", effect: .pause), RuleDraft(id: "mw-2", effect: .pause)]
        #expect(try present.named(drafts, given: false, isTimed: true).map(\.id) == ["mw-1-3", "mw-2"])
        #expect(try present.named(drafts, given: true, isTimed: true).map(\.id) == ["mw-1", "mw-2"])
    }

    @Test func aDefaultIDOfAVersionIsNotTakenFromAnotherRule() throws {
        let present = try current(#"{"id":"min-1","effect":"pause"}"#)
        let error = #expect(throws: CommandError.self) {
            try present.named([RuleDraft(id: "min-1", effect: .update)], given: false, isTimed: false)
        }
        #expect(error?.hint == "--id min-1 replaces it, and another --id adds a rule")
        // The same rule once more is the request that is sent again.
        let same = RuleDraft(id: "min-1", effect: .pause)
        #expect(try present.named([same], given: false, isTimed: false).map(\.id) == ["min-1"])
    }

    // MARK: Texts of rules

    @Test(
        "A file has one rule, a list or a document",
        arguments: [
            (#"{"id":"a","effect":"pause"}"#, ["a"]),
            (#"[{"id":"a","effect":"pause"},{"id":"b","effect":"pause"}]"#, ["a", "b"]),
            (#"{"apiInactive":false,"rules":[{"id":"b","effect":"pause"}]}"#, ["b"]),
        ])
    func readsFile(text: String, ids: [String]) throws {
        #expect(try RuleTexts.rules(Data(text.utf8), origin: "f").map(RuleTexts.id) == ids)
    }

    @Test(
        "A rule that a client would not understand is refused",
        arguments: [
            (
                #"{"id":"a","effect":"stop"}"#,
                #"f: the rule a is not understood: "effect" must be one of notice, offer, pause, update"#
            ),
            ("{", "f: "), ("7", "f: expected a rule, a list of rules, or a status document"),
            (#"{"rules":{}}"#, "f: expected a rule, a list of rules, or a status document"),
        ])
    func refusesRule(text: String, message: String) {
        let error = #expect(throws: CommandError.self) {
            try RuleTexts.validate(try RuleTexts.rules(Data(text.utf8), origin: "f"), origin: "f")
        }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    // MARK: Lists

    @Test func theListSaysWhomARuleCoversAndWhen() throws {
        let present = try current(
            #"{"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"from":"2026-12-15T00:00:00Z"}"#,
            #"{"id":"new","effect":"freeze"}"#)
        let lines = try present.text().split(separator: "\n")
        #expect(
            lines.first?.split(separator: " ") == ["ID", "EFFECT", "ANNOUNCED", "FROM", "UNTIL", "COVERS", "MESSAGE"])
        #expect(
            lines.dropFirst() == [
                "min-15  update  -          2026-12-15 00:00Z  -      version below 1.5.2",
                "new     -       -          -                  -      nobody: \"effect\" must be one of notice, offer, pause, update",
            ])
        #expect(try CurrentRules([]).text() == "there are no rules")
    }
}
