import BellerophonStore
import Foundation
import TestSupport
import Testing

/// The operator commands of `bellerophon-server`, run as processes on a store.
@Suite("Operator commands")
struct OperatorCommandTests {
    private let home: TestFolder
    private let folder: URL
    private let store: Store

    init() throws {
        home = try TestFolder()
        folder = home.url.appendingPathComponent(".local/share/bellerophon-server")
        store = try Store(folder: folder, creates: true)
    }

    private func run(
        _ arguments: String..., environment: [String: String?] = ["USER": "ada"], input: String = ""
    ) async throws -> CommandResult {
        try await runServerCommand(arguments, environment: environment, input: input, home: home)
    }

    private func document() throws -> String {
        String(decoding: try #require(try store.status(.main)).body, as: UTF8.self)
    }

    /// The message after a command that named the wrong store.
    private var nobodyServes: String {
        "no server runs on the store \(folder.path); clients see this once one does, or after an export\n"
    }

    // MARK: Publishing

    @Test func aKillStandsInTheStoreAndSaysWho() async throws {
        let result = try await run("kill", "--message", "Back at noon.", "--for", "1h30m", "--reason", "disk swap", "--yes")
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.hasPrefix("#1  default/main killed, until 20"))
        #expect(result.standardOutput.hasSuffix(" (the store \(folder.path))\n"))
        #expect(result.standardError == nobodyServes)
        #expect(
            try document().hasPrefix(
                #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at noon.","backAt":"20"#))
        let entry = try #require(try store.journal().first)
        // The account is recorded, not the environment's user name.
        #expect(entry.author == Author.thisProcess([:]) && !entry.who.hasPrefix("ada@"))
        #expect(entry.reason == "disk swap")
        #expect(entry.endsAt == entry.at.addingTimeInterval(5400))
    }

    @Test("A kill and an update take the message in several languages from files")
    func messagesByLanguage() async throws {
        let file = try home.write("Ab Mittag wieder da.\n", to: "noon.de.txt")
        let translated = ["--message", "Back at noon.", "--message-file", "de=\(file)", "--yes"]
        for command in [["update", "--required-version", "2"], ["kill"]] {
            let result = try await runServerCommand(command + translated, home: home)
            #expect(result.status == .exited(0), "\(result.standardError)")
            let messages = #""userMessages":{"de":"Ab Mittag wieder da."}}"#
            #expect(try document().contains(#""userMessage":"Back at noon.","#) && document().hasSuffix(messages))
        }
        let preview = try await run("kill", "--message", "Back at one.", "--dry-run")
        #expect(preview.standardError == "the message is missing in de; other messages are published in these languages\n")
        let document = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at one."}"#
        #expect(preview.standardOutput == document + "\n")
        let alone = try await run("kill", "--message-file", "de=\(file)", "--yes")
        #expect(alone.status != .exited(0) && alone.standardError.contains("messages has no default"))
        #expect(try store.journal().count == 2)
    }

    @Test func anUpdateAndARestoreOfAChannel() async throws {
        let update = try await run(
            "update", "--new", "--app", "notes", "--channel", "beta", "--required-version", "1.5.2", "--url",
            "https://a.example/get",
            "--retry-interval", "30", "--yes", "--json"
        )
        let row = try StoreJSON.value(JournalEntry.self, from: Data(update.standardOutput.utf8))
        #expect(
            row.document
                == #"{"apiInactive":false,"forceUpdate":true,"retryInterval":30,"userMessage":null,"requiredVersion":"1.5.2","updateURL":"https://a.example/get"}"#
        )
        #expect(row.scope == (try Scope(app: "notes", channel: "beta")))
        let restore = try await run("restore", "--new", "--app", "notes", "--channel", "beta")
        #expect(restore.standardOutput == "#2  notes/beta restored (the store \(folder.path))\n")
        #expect(try store.status(Scope(app: "notes", channel: "beta"))?.isBlocking == false)
    }

    @Test("Restoring a channel of a stopped app reports that the channel stays stopped")
    func restoredChannelOfStoppedApp() async throws {
        _ = try await run("kill", "--new", "--app", "notes", "--yes")
        let result = try await run("restore", "--new", "--app", "notes", "--channel", "beta")
        #expect(result.standardError == "notes/beta stays stopped: its app is ■ PAUSED\n" + nobodyServes)
    }

    @Test("Restoring an app reports each of its channels that a status of its own keeps stopped")
    func stoppedChannelsOfRestoredApp() async throws {
        for scope in [["--app", "notes"], ["--app", "notes", "--channel", "beta"], ["--app", "other", "--channel", "beta"]] {
            let kill = try await runServerCommand(["kill", "--new", "--yes"] + scope, home: home)
            #expect(kill.status == .exited(0), "\(kill.standardError)")
        }
        let result = try await run("restore", "--app", "notes")
        let who = try #require(try store.journal().first?.who)
        let lines = result.standardError.split(separator: "\n", maxSplits: 1)
        #expect(lines.first?.hasPrefix("ends #1 kill by \(who) at ") == true)
        #expect(
            lines.last ?? ""
                == "notes/beta stays stopped by its own status: ■ PAUSED, by \(who); to lift it: "
                + "bellerophon-server restore --app notes --channel beta\n" + nobodyServes)
    }

    @Test func theServersSettingsNameItsStore() async throws {
        let file = try home.write(#"{"store":"\#(home.path("other"))","server":{"port":8443}}"#, to: "server.json")
        let other = try Store(folder: home.url.appendingPathComponent("other"), creates: true)
        #expect(try await run("kill", "--yes", "--config", file).status == .exited(0))
        #expect(try other.journal().map(\.action) == ["kill"])
        #expect(try store.journal().isEmpty)
        #expect(try await run("kill", "--yes", "--config", file, "--store", folder.path).status == .exited(0))
        #expect(try store.journal().count == 1)
        let missing = try await run("kill", "--yes", "--config", home.path("nowhere.json"))
        #expect(missing.standardError == "bellerophon-server: --config: can't read \(home.path("nowhere.json")): no such file\n")
        #expect(missing.status == .exited(66))
        let wrong = try await run("kill", "--yes", "--config", try home.write("{", to: "wrong.json"))
        #expect(wrong.status == .exited(78))
    }

    @Test(
        "Without a terminal and without --yes nothing is published",
        arguments: [["kill"], ["update", "--required-version", "2"]])
    func publishNeedsTerminalOrYes(arguments: [String]) async throws {
        let result = try await runServerCommand(arguments, input: "y\n", home: home)
        #expect(result.status == .exited(64))
        #expect(
            result.standardError == """
                bellerophon-server: not published: there is no terminal to confirm \(arguments[0] == "kill" ? "a kill" : "an update") on
                  give --yes to publish it, or --dry-run to see what would be published

                """)
        #expect(try store.journal().isEmpty)
    }

    @Test("On a terminal a kill is described and published after confirmation")
    func terminalAsksForConfirmation() async throws {
        let terminal = try await TerminalUnderTest(
            "bellerophon-server",
            arguments: ["kill", "--new", "--app", "notes", "--message", "Back at noon.", "--for", "2h", "--reason", "disk swap"],
            columns: 100, home: home
        )
        let screen = try await terminal.wait(for: "Publish this? [y/N]")
        for text in [
            "■ PAUSED", "the app notes, every channel", "Back at noon.", "2h, until 20", "then the app is live", "disk swap",
            "nothing was published for this app yet", #"{"apiInactive":true"#,
        ] {
            #expect(screen.contains(text), "\(text)")
        }
        #expect(try store.journal().isEmpty)
        try await terminal.type("y\n")
        #expect(try await terminal.waitForExit() == .exited(0))
        #expect(try store.journal().map(\.action) == ["kill"])
    }

    @Test(
        "A kill that ends earlier than the one that stands is replaced by name, in a terminal by the question, and never by --yes"
    )
    func whatStandsIsNamed() async throws {
        #expect(try await run("kill", "--reason", "leak", "--yes").status == .exited(0))
        let refused = try await run("kill", "--for", "90s", "--yes")
        #expect(refused.status == .exited(65) && refused.standardError.contains("default/main is stopped by #1 kill by "))
        #expect(
            refused.standardError.contains(": leak; this kill would end earlier") && refused.standardError.contains("--replace 1")
        )
        #expect(try await run("update", "--required-version", "2", "--yes", "--replace", "7").status == .exited(65))
        #expect(try await run("update", "--below", "2", "--replace", "1", "--yes").status == .exited(64))
        let terminal = try await TerminalUnderTest(
            "bellerophon-server", arguments: ["kill", "--for", "90s"], columns: 100, home: home)
        let screen = try await terminal.wait(for: "Publish this, and replace #1? [y/N]")
        #expect(screen.contains("replaces") && screen.contains("#1 kill by"))
        try await terminal.type("y\n")
        #expect(try await terminal.waitForExit() == .exited(0))
        #expect(try await run("kill", "--for", "60s", "--replace", "2", "--yes").status == .exited(0))
        #expect(try store.journal().map(\.plan?.replaces) == [2, 1, nil])
    }

    @Test("A restore lists the kill and the update that it ends, and status shows what stands under a kill")
    func aRestoreListsWhatItEnds() async throws {
        _ = try await run("update", "--required-version", "2", "--reason", "old protocol", "--yes")
        _ = try await run("kill", "--for", "1h", "--reason", "leak", "--yes")
        let rules = RulesEdit(put: [#"{"id":"n","effect":"notice","message":"Soon."}"#], everyone: true)
        _ = try await store.publish(Publication(scope: .main, rules: rules, reason: "search"), by: "carol")
        let status = try await run("status").standardOutput
        #expect(status.contains("leak") && !status.contains("carol") && !status.contains("search"))
        #expect(status.contains("#1 update by ") && status.contains(": old protocol"))
        let restore = try await run("restore")
        let lines = restore.standardError.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix("ends #2 kill by ") == true && lines.dropFirst().first?.hasPrefix("ends #1 update by ") == true
        )
        #expect(try document().contains(#""apiInactive":false,"forceUpdate":false"#))
    }

    @Test(arguments: ["\n", "n\n", "yup\n"])
    func everyAnswerButYesIsNo(answer: String) async throws {
        let terminal = try await TerminalUnderTest("bellerophon-server", arguments: ["kill"], home: home)
        try await terminal.wait(for: "Publish this? [y/N]")
        try await terminal.type(answer)
        #expect(try await terminal.waitForExit() == .exited(1))
        #expect(terminal.output.contains("nothing was published"))
        #expect(try store.journal().isEmpty)
    }

    @Test(arguments: [
        (
            ["kill", "--for", "soon", "--yes"],
            "--for: expected a time such as 90s, 5m or 1h30m, or a number of seconds; found \"soon\""
        ),
        (["update", "--url", "https://a.example", "--for", "90", "--yes"], "--for: \"90\" has no unit"),
        (["kill", "--for", "400d", "--yes"], "endsAfter must be 1 second to 366 days, found 34560000 s"),
        (["kill", "--app", "No/Such", "--yes"], "\"No/Such\" is not a valid name of an app"),
        (
            ["status", "--server", "ftp://a.example"],
            "--server: expected an http or https address such as https://status.example.com, found \"ftp://a.example\""
        ),
        (["status", "--token-file", "t"], "--token-file: means nothing without --server URL"),
        (
            ["status", "--server", "http://127.0.0.1:9", "--store", "s"],
            "--server and --store contradict each other: give one of them"
        ),
        (["history", "--limit", "0"], "--limit: expected 1 to 1000, found 0"),
        (["token", "create", "--name", "a", "--scope", "all"], "\"all\" is not a token scope"),
        (["token", "create", "--name", "A", "--scope", "read"], "\"A\" is not a valid name of a token"),
        (["resource", "put", "a"], "resource put: name a file, or an address with --url"),
        (["resource", "put", "a", "f", "--url", "https://a.example"], "resource put: a file and --url can't both be the bytes"),
        (["resource", "put", "a", "--url", "https://a.example", "--sha256", "zz"], "sha256 must be 64 hexadecimal digits"),
        (["export", "x", "--public-url", "nowhere"], "--public-url: expected an http or https address, found \"nowhere\""),
    ])
    func wrongUsageExitsWith64AndSaysWhy(arguments: [String], message: String) async throws {
        let result = try await runServerCommand(arguments, home: home)
        #expect(result.status == .exited(64))
        #expect(result.standardError.split(separator: "\n").first == "bellerophon-server: \(message)")
        #expect(result.standardOutput == "")
        #expect(try store.journal().isEmpty)
    }

    // MARK: Status and history

    @Test func statusSaysSinceWhenByWhomAndWhy() async throws {
        _ = try await run("kill", "--message", "One.\nTwo.", "--for", "2h", "--reason", "why", "--yes")
        let result = try await run("status")
        let lines = result.standardOutput.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.prefix(3) == ["default/main  ■ PAUSED", "message  One.", "Two."])
        #expect(lines[3].hasPrefix("since    20") && lines[3].hasSuffix(" ago)"))
        #expect(lines[4] == "by       \(Author.thisProcess([:]).name)")
        #expect(lines[5] == "why      why")
        #expect(lines[6].contains("(in 1h 59m)"))
        #expect(lines[7].hasPrefix("back     people are told 20"))
        #expect(lines[8...] == ["checks   every 15s", "row      #1"])
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(try await run("status", "--json").standardOutput.utf8)) as? [String: Any])
        #expect(json["state"] as? String == "killed")
        #expect(json["message"] as? String == "One.\nTwo.")
        #expect(json["entry"] as? Int == 1)
    }

    @Test func statusOfAllShowsEveryScope() async throws {
        _ = try await run("kill", "--new", "--app", "notes", "--yes")
        _ = try await run("restore", "--new", "--app", "notes", "--channel", "beta")
        let result = try await run("status", "--all")
        let heads = result.standardOutput.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(heads == ["default/main  ● LIVE", "notes/main  ■ PAUSED", "notes/beta  ■ PAUSED"])
        #expect(result.standardOutput.contains("notes/main, whose status the channel shows"))
        let unknown = try await run("status", "--app", "other")
        #expect(unknown.status == .exited(66))
        #expect(unknown.standardError.hasPrefix("bellerophon-server: nothing was published for the app other yet"))
    }

    @Test func aTimedKillThatIsOverIsShownAsOver() async throws {
        let past = try Store(folder: folder, creates: true, clock: .still { Date().addingTimeInterval(-7200) })
        _ = try await past.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        let result = try await run("status")
        #expect(result.standardOutput.hasPrefix("default/main  ● LIVE\n"))
        #expect(result.standardOutput.contains("the time of #1 is over"))
    }

    @Test func historyIsATableThatLinesUp() async throws {
        _ = try await run("kill", "--for", "2h", "--reason", "disk 交換", "--yes")
        _ = try await run("restore", "--new", "--app", "notes")
        _ = try await store.publish(Publication(action: .kill, reason: "evil \u{1B}[31m"), by: "eve")
        let lines = try await run("history").standardOutput.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(lines[0].wholeMatch(of: /ROW  TIME +WHO +WHAT +SCOPE +WHY/) != nil)
        let column = try #require(lines[0].range(of: "SCOPE")).lowerBound
        for (line, scope) in zip(lines.dropFirst(), ["default/main", "notes/main", "default/main"]) {
            #expect(line[column...].hasPrefix(scope))
        }
        #expect(lines[1].hasSuffix("evil ␛[31m"))
        #expect(lines[3].hasSuffix("kill for 2h  default/main  disk 交換"))
        let json = try await run("history", "--app", "notes", "--json")
        #expect(try StoreJSON.value([JournalEntry].self, from: Data(json.standardOutput.utf8)).map(\.id) == [2])
    }

    // MARK: Resources

    @Test func aResourceIsPutListedAndRolledBack() async throws {
        let file = try home.write("hello\n", to: "help.txt")
        let first = try await run("resource", "put", "help.txt", file)
        #expect(first.standardOutput == "help.txt v1 published\n")
        #expect(first.standardError == nobodyServes)
        _ = try home.write("hello again\n", to: "help.txt")
        let put = try await run("resource", "put", "help.txt", file, "--version", "5", "--reason", "more", "--json")
        #expect(try StoreJSON.value(ResourceVersion.self, from: Data(put.standardOutput.utf8)).version == 5)
        #expect(
            try await run("resource", "rollback", "help.txt", "--reason", "typo", "--yes").standardOutput
                == "help.txt v6 published with the bytes of v1\n")
        let rows = try await run("resource", "list").standardOutput.split(separator: "\n")
        #expect(rows.count == 2)
        #expect(rows[1].hasPrefix("help.txt  v6       6      5891b5b522d5  20"))
        #expect(try await run("resource", "list", "help.txt").standardOutput.split(separator: "\n").count == 4)
        #expect(try await run("resource", "list", "other").status == .exited(66))
        let wrong = try await run("resource", "put", "x", file, "--md5", String(repeating: "0", count: 32))
        #expect(wrong.status == .exited(65))
        #expect(try await run("resource", "put", "x", home.path("nowhere")).status == .exited(66))
    }

    // MARK: Tokens

    @Test func aTokenIsShownOnceListedAndRevoked() async throws {
        let other = home.path("store2")
        _ = try await run("init", "--store", other)
        let created = try await run("token", "create", "--name", "ci", "--scope", "publish", "--store", other)
        let token = created.standardOutput.trimmingCharacters(in: .newlines)
        #expect(token.wholeMatch(of: /blp_[A-Za-z0-9_-]{43}/) != nil)
        #expect(created.standardError == "token ci (publish) of the store \(other); it is not shown again\n")
        let store = try Store(folder: URL(fileURLWithPath: other), creates: true)
        #expect(try store.authenticate(token)?.name == "ci")
        let list = try await run("token", "list", "--store", other).standardOutput
        #expect(list.contains("ci    ci      publish  -") && !list.contains(token))
        #expect(
            try await run("token", "revoke", "ci", "--store", other, "--reason", "leaked").standardOutput
                == "token ci is revoked\n")
        #expect(try store.authenticate(token) == nil)
        #expect(try await run("token", "revoke", "xx", "--store", other).status == .exited(66))
    }

    @Test func aTokenGoesIntoAFileThatOnlyItsOwnerReads() async throws {
        let file = home.path("wall.token")
        let created = try await run("token", "create", "--name", "wall", "--scope", "read", "--output", file)
        #expect(created.standardOutput == "")
        let token = try #require(home.text("wall.token"))
        #expect(try store.authenticate(token)?.scopes == [.read])
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let again = try await run("token", "create", "--name", "wall2", "--scope", "read", "--output", file)
        #expect(again.status == .exited(73))
        #expect(home.text("wall.token") == token)
        #expect(try store.tokens().count == 1)
    }

    @Test func outputThatCanNotBeWrittenIsSaidAndNoCrash() async throws {
        let program = try Products.path("bellerophon-server")
        let result = try await runCommand("/bin/sh", ["-c", "exec \"$0\" status >/dev/full", program], home: home)
        #expect(result.status == .exited(74))
        #expect(result.standardError.hasPrefix("bellerophon-server: the output can't be written"))
    }

    @Test("JSON output contains no terminal control characters")
    func jsonIsTerminalSafe() async throws {
        _ = try await store.publish(Publication(action: .kill, message: "a\u{9B}31m\u{7F}"), by: "ada")
        let json = try await run("status", "--json").standardOutput
        #expect(json.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) || $0.value >= 0xA0 })
        let journal = try await run("history", "--json").standardOutput
        #expect(try StoreJSON.value([JournalEntry].self, from: Data(journal.utf8)) == store.journal())
    }

    @Test func theJournalIsExportedInOrderAndFromATimeOn() async throws {
        for number in 1...3 {
            _ = try await store.publish(Publication(action: .kill, message: "\(number)", reason: "row \(number)"), by: "ada")
        }
        let lines = try await run("history", "export", "--after", "1").standardOutput.split(separator: "\n")
        let rows = try lines.map { try StoreJSON.value(JournalEntry.self, from: Data($0.utf8)) }
        #expect(rows == Array(try store.journal().reversed().dropFirst()))
        #expect(try await run("history", "--since", "1h").standardOutput.contains("row 1"))
        #expect(try await run("history", "--since", "2999-01-01").standardError == "no rows\n")
        let wrong = try await run("history", "--since", "yesterday")
        #expect(wrong.status == .exited(64) && wrong.standardError.contains("a time such as 2026-11-21T14:02"))
    }

    @Test(
        "Following the history prints each new row as it is published",
        arguments: [["history", "--follow"], ["history", "export", "--follow"]])
    func historyFollowsNewRows(command: [String]) async throws {
        _ = try await store.publish(Publication(action: .kill, reason: "the first"), by: "ada")
        let follower = try RunningProgram(
            try Products.path("bellerophon-server"), command + ["--store", store.folder.path], home: home)
        try await onOwnThread { _ = try follower.wait(for: "row") { $0.contains("the first") ? () : nil } }
        _ = try await store.publish(Publication(action: .restore, reason: "the second"), by: "bob")
        try await onOwnThread { _ = try follower.wait(for: "row") { $0.contains("the second") ? () : nil } }
        follower.send(SIGINT)
        #expect(try await onOwnThread { try follower.waitForEnd() } == .signalled(SIGINT))
        #expect(!follower.log.contains("trying again"))
    }
}
