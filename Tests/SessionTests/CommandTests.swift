import Foundation
import TestSupport
import Testing

/// The program without a terminal, as scripts and CI run it.
@Suite("Commands without a terminal")
struct CommandTests {
    static let paused = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at noon."}"#

    @Test(arguments: [
        ["--content-server", "http://content.example"],
        ["--events-url", "http://status.example/events", "--transport", "stream"],
    ])
    func plainHTTPIsRefusedInEveryFlag(flags: [String]) async throws {
        let arguments = ["run", "--require-tls", "--status-url", "https://status.example/status"] + flags
        let result = try await bellerophon(arguments)
        #expect(result.status == .exited(64))
        #expect(result.standardError.hasPrefix("bellerophon: command line: "), "\(result.standardError)")
    }

    // MARK: check

    @Test(arguments: [
        (#"{"apiInactive":false,"forceUpdate":false,"retryInterval":60}"#, 0, "live"),
        (CommandTests.paused, 10, "paused"),
        (#"{"apiInactive":false,"forceUpdate":true,"retryInterval":60}"#, 11, "update required"),
        (#"{"apiInactive":true,"forceUpdate":true,"retryInterval":60}"#, 11, "update required"),
        ("<html></html>", 12, "unknown"),
    ])
    func checkSaysTheStageByItsExitCode(body: String, code: Int32, stage: String) async throws {
        let server = try HostileServer(.status(body))
        let result = try await bellerophon("check", "--status-url", server.address)
        #expect(result.status == .exited(code))
        #expect(result.standardOutput.hasPrefix("stage:    \(stage)\n"))
        #expect(!result.standardOutput.contains("\u{1B}"))
        #expect(result.standardError == "")
    }

    @Test func checkPrintsWhatItKnows() async throws {
        let server = try HostileServer(.status(Self.paused))
        let lines = try await bellerophon("check", "--status-url", server.address)
            .standardOutput.split(separator: "\n").map(String.init)
        #expect(
            Array(lines.prefix(4)) == [
                "stage:    paused", "message:  Back at noon.", "interval: 15 s", "reason:   apiInactive is true",
            ])
        #expect(lines.dropFirst(4).first?.hasPrefix("reply:    HTTP 200, \(Self.paused.utf8.count) bytes in ") == true)
        #expect(lines.dropFirst(5) == ["signed:   no; no key is configured (trust.keys), so any status counts"])
    }

    @Test(
        "A rule asks for the facts of the flags, the environment and the file",
        arguments: [
            (#""is":{"region":["eu"]}"#, ["--fact", "region=eu"], 10), (#""is":{"region":["eu"]}"#, ["--fact", "region=us"], 0),
            (#""is":{"region":["eu"]}"#, [], 0), (#""is":{"site":["ward"]}"#, [], 10), (#""is":{"tier":["1"]}"#, [], 10),
            (#""is":{"ci":["true"]}"#, [], 10), (#""is":{"ci":["true"]}"#, ["--fact", "ci=false"], 0),
            (#""is":{"source":["file","unknown"]}"#, [], 10), (#""is":{"os":["linux","macos"]}"#, [], 10),
            (#""versions":[{"below":"1.5"}]"#, ["--app-version", "1.4.0"], 10),
            (#""versions":[{"below":"1.5"}]"#, ["--app-version", "1.5"], 0),
            (#""share":"78%","draw":"half""#, ["--install-id", "desk-1"], 10),
            (#""share":"78%","draw":"half""#, ["--install-id", "desk-2"], 0), (#""share":"0%""#, [], 0),
        ])
    func ruleAsksForFacts(only: String, flags: [String], code: Int32) async throws {
        let document =
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":[{"id":"r","effect":"pause","only":{\#(only)}}]}"#
        let server = try HostileServer(.status(document)), home = try TestFolder()
        let file = try home.write(#"{"app":{"facts":{"site":"ward"}}}"#, to: "config.json")
        var environment = ["CI": "true"]
        if only.contains("tier") { environment["BELLEROPHON_FACTS"] = "tier=1" }
        let result = try await bellerophon(
            ["check", "--config", file, "--status-url", server.address] + flags, environment: environment, home: home)
        #expect(result.status == .exited(code), "\(result.standardOutput)\(result.standardError)")
    }

    @Test func checkKeepsTheIDOfTheInstallation() async throws {
        let server = try HostileServer(.status(Self.paused)), home = try TestFolder()
        let url = server.address
        _ = try await bellerophon("check", "--status-url", url, "--install-id", "desk-17", home: home)
        #expect(home.text("state/bellerophon/install-id") == nil, "a given one needs no other")
        _ = try await bellerophon("check", "--status-url", url, home: home)
        let kept = try #require(home.text("state/bellerophon/install-id"))
        _ = try await bellerophon("check", "--status-url", url, home: home)
        #expect(home.text("state/bellerophon/install-id") == kept)
    }

    @Test(arguments: [
        (["--fact", "region"], "--fact: expected NAME=VALUE such as region=eu, found \"region\""),
        (["--fact", "a=1", "--fact", "2=b"], "--fact: expected a name of 1 to 64 letters"),
        (["--install-id", ""], "--install-id: expected text of 1 to 128 bytes on one line"),
        (["--app-version", ""], "--app-version: expected text that is not empty"),
    ])
    func aBadFactIsRefused(flags: [String], problem: String) async throws {
        let result = try await bellerophon(["check", "--status-url", "http://127.0.0.1:1/status"] + flags)
        #expect(result.status == .exited(64))
        #expect(result.standardError.hasPrefix("bellerophon: \(problem)"), "\(result.standardError)")
    }

    @Test func aVersionBelongsToOneService() async throws {
        let home = try TestFolder()
        let file = try home.write(
            #"{"services":[{"name":"a","status":{"url":"http://127.0.0.1:1/a"}},{"name":"b","status":{"url":"http://127.0.0.1:1/b"}}]}"#,
            to: "config.json")
        let result = try await bellerophon("watch", "--config", file, "--app-version", "1.4.0", home: home)
        #expect(result.status == .exited(64))
        #expect(result.standardError == "bellerophon: --app-version: is the version of one app; give --service NAME (a, b)\n")
    }

    @Test func checkPrintsJSON() async throws {
        let server = try HostileServer(.status(Self.paused))
        let result = try await bellerophon("check", "--json", "--status-url", server.address)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any])
        #expect(result.status == .exited(10))
        #expect(json["stage"] as? String == "killed")
        #expect(json["message"] as? String == "Back at noon.")
        #expect(json["interval"] as? Double == 15)
        #expect(json["reason"] as? String == "apiInactive is true")
        #expect(json["httpStatus"] as? Int == 200)
    }

    /// Version 1.4.0 and a window of every day until the year 2100: what holds depends on the `Date` of the reply alone.
    private static let planned = PlanSample.document(
        #"""
        {"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2","until":"2100-01-01T00:00:00Z"},
        {"id":"mw","effect":"pause","announce":"2020-01-01T00:00:00Z","from":"2021-01-01T00:00:00Z","message":"Moving."}
        """#)

    private func checkPlan(date: String?, _ arguments: String...) async throws -> CommandResult {
        let headers = date.map { ["Date": $0] } ?? [:]
        let server = try HostileServer(.json(Self.planned, headers: headers))
        let home = try TestFolder()
        let config = home.path("config.json")
        try Data(#"{"app":{"version":"1.4.0"}}"#.utf8).write(to: URL(filePath: config))
        let all = ["check", "--config", config, "--status-url", server.address] + arguments
        return try await bellerophon(all, environment: [:], input: "", home: home)
    }

    @Test("check prints why the status applies, what is announced, and what comes next by the server's time")
    func checkPrintsThePlan() async throws {
        let result = try await checkPlan(date: "Wed, 01 Jul 2020 00:00:00 GMT")
        #expect(result.status == .exited(11))
        let lines = result.standardOutput.split(separator: "\n").map(String.init)
        #expect(
            Array(lines.prefix(6)) == [
                "stage:    update required", "requires: 1.5.2", "interval: 15 s",
                "reason:   update by min-15: 1.4.0 is below 1.5.2",
                "until:    2100-01-01T00:00:00Z", "notice:   mw (pause) begins 2021-01-01T00:00:00Z: Moving.",
            ])
        #expect(lines.dropFirst(6).first == "next:     2021-01-01T00:00:00Z, mw begins")
        #expect(!result.standardOutput.contains("clock:"))
    }

    @Test("check decides by the wall clock if the reply has no Date, and says so")
    func checkSaysWhichClock() async throws {
        let text = try await checkPlan(date: nil)
        #expect(text.standardOutput.contains("clock:    of this machine alone"))
        let json = try await checkPlan(date: nil, "--json").standardOutput
        let members = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(members["clock"] as? String == "wall")
        #expect(members["by"] as? String == "min-15")
        #expect((members["notices"] as? [Any])?.isEmpty == true, "the window has begun by the wall clock")
        #expect(members["next"] as? String == "2100-01-01T00:00:00Z")
    }

    @Test func checkOfADeadServerIsUnknown() async throws {
        let server = try HostileServer()
        try server.stop()
        let result = try await bellerophon("check", "--json", "--status-url", server.address)
        #expect(result.status == .exited(12))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any])
        #expect(json["stage"] as? String == "unknown")
        #expect(json["reason"] as? String == "could not connect to the server")
        #expect(json["message"] is NSNull)
    }

    @Test func checkEndsAtItsTimeLimit() async throws {
        let server = try HostileServer(.hang)
        let result = try await bellerophon("check", "--timeout", "0.3", "--status-url", server.address)
        #expect(result.status == .exited(12))
        #expect(result.standardOutput.contains("no complete reply within 300 ms"))
    }

    @Test func aHostileMessageIsPrintedHarmless() async throws {
        let server = try HostileServer(
            .status(
                #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"\u001b]52;c;cm0=\u0007\u202etxt"}"#
            ))
        let result = try await bellerophon("check", "--status-url", server.address)
        #expect(result.status == .exited(10))
        #expect(
            result.standardOutput.unicodeScalars.allSatisfy {
                $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x202E)
            })
    }

    @Test("The check command reads its configuration from the default location")
    func checkReadsDefaultConfig() async throws {
        let server = try HostileServer(.status(Self.paused))
        let home = try TestFolder()
        _ = try home.write(
            #"{"status":{"url":"\#(server.address)","headers":{"X-Key":"k"}}}"#, to: "config/bellerophon/config.json"
        )
        let result = try await bellerophon("check", home: home)
        #expect(result.status == .exited(10))
        #expect(server.requests.first?.header("X-Key") == "k")
    }

    // MARK: Usage

    @Test("Without a status URL the program prints one line with instructions")
    func missingURLIsExplained() async throws {
        for command in [["check"], ["run"], []] {
            let result = try await bellerophon(command)
            #expect(result.status == .exited(64))
            #expect(
                result.standardError.hasPrefix("bellerophon: no status URL: give --status-url URL or --config FILE, or write "))
            #expect(result.standardError.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [
        ["check", "--status-url", "ftp://a.example"], ["check", "--status-url", "http://a.example", "--timeout", "soon"],
        ["check", "--config", "/nowhere.json"], ["render", "--status", "-", "--size", "0x5"],
        ["render", "--status", "/nowhere.json"], ["preview", "--status", "/nowhere.json"], ["preview"],
        ["check", "--nonsense"], ["nonsense"], ["run", "--color", "loud", "--status-url", "http://a.example"],
        ["demo", "--scenario", "none"],
        ["demo", "--journal", "/nowhere/j.jsonl"], ["run", "--status-url", "http://a.example", "--record", "/nowhere/r.json"],
        ["run", "--status-url", "http://a.example", "--record-secrets"], ["verify"],
        ["run", "--status-url", "http://a.example", "--record", "/tmp/same", "--journal", "/tmp/../tmp/same"],
    ])
    func wrongUsageExitsWith64AndSaysWhy(arguments: [String]) async throws {
        let result = try await bellerophon(arguments)
        #expect(result.status == .exited(64))
        #expect(!result.standardError.isEmpty)
        #expect(result.standardOutput == "")
    }

    @Test(
        "An unknown or invalid name is reported with a suggestion",
        arguments: [
            (["chek"], #"there is no command "bellerophon chek"; did you mean "check"?"#),
            (["barricade", "selct"], #"there is no command "bellerophon barricade selct"; did you mean "select"?"#),
            (
                ["guard", "vim"],
                #"there is no command "bellerophon guard vim"; choose one of run, install, uninstall, status, ps, stop, "#
                    + "continue (to guard a program, put it after --, as in `bellerophon guard -- vim`)"
            ),
            (
                ["demo", "--scenario", "pausd"],
                #""status" has no response named "pausd"; did you mean "paused"? (`bellerophon demo --list` prints every name)"#
            ),
            (
                ["check", "--status-url", "http://a.example", "--trust-key", "x"],
                "--trust-key: expected at least one public key as bellerophon-server keygen prints it, with spaces between keys, found \"x\""
            ),
            (["demo", "--theme", "drak"], #"command line: display.theme: there is no theme "drak"; did you mean "dark"?"#),
        ])
    func unknownNameGetsSuggestion(arguments: [String], sentence: String) async throws {
        let result = try await bellerophon(arguments)
        #expect(result.status == .exited(64))
        #expect(result.standardError == "bellerophon: \(sentence)\n")
    }

    @Test("The address of a status may be an argument", arguments: [["check"], ["run", "--plain"], ["watch"]])
    func anAddressIsAnArgument(command: [String]) async throws {
        let unknown = try await bellerophon(command + ["ftp://a.example"])
        #expect(unknown.status == .exited(64) && unknown.standardError.contains("found \"ftp://a.example\""))
        let twice = try await bellerophon(command + ["http://a.example", "--status-url", "http://a.example"])
        #expect(twice.status == .exited(64))
        #expect(twice.standardError == "bellerophon: give the address as an argument or with --status-url, not both\n")
    }

    @Test func anAddressWithoutACommandIsThatOfRun() async throws {
        let result = try await bellerophon(["ftp://a.example", "--plain"])
        #expect(result.status == .exited(64) && result.standardError.contains("found \"ftp://a.example\""))
    }

    @Test(arguments: [["guard", "--help"], ["guard", "-h"], ["help", "guard"]])
    func theHelpOfTheGuardListsItsFlags(arguments: [String]) async throws {
        let result = try await bellerophon(arguments)
        #expect(result.status == .exited(0))
        for text in ["--on-kill", "--start-timeout", "--profile", "SUBCOMMANDS:", "EXAMPLES"] {
            #expect(result.standardOutput.components(separatedBy: text).count > 1, "\(text) is missing")
        }
        #expect(result.standardOutput.components(separatedBy: "\nOPTIONS:").count == 2)
    }

    @Test(arguments: [["--version"], ["-v"], ["version"]])
    func theVersionHasItsUsualFlags(arguments: [String]) async throws {
        let result = try await bellerophon(arguments)
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    @Test func aVariableThatIsNoSettingIsTold() async throws {
        let result = try await bellerophon(
            ["config", "list"],
            environment: ["BELLEROPHON_COLOUR": "8", "BELLEROPHON_SERVER_PORT": "80", "BELLEROPHON_COLOR": "8"])
        #expect(
            result.standardError == "bellerophon: warning: BELLEROPHON_COLOUR is no setting; did you mean BELLEROPHON_COLOR?\n")
        #expect(result.standardOutput.contains("\ndisplay.color\n"))
    }

    @Test func configListShowsDefaultsAndWhatIsInEffect() async throws {
        let home = try TestFolder()
        let file = try home.write(
            #"{"status":{"url":"http://ada:secret@a.example/","interval":5,"headers":{"X-Key":"secret"}}}"#, to: "a.json")
        let result = try await bellerophon(
            ["config", "list", "--config", file], environment: ["BELLEROPHON_TIMEOUT": "20"], home: home)
        let text = result.standardOutput
        #expect(text.contains("\n    default 10\n    is 20, set by BELLEROPHON_TIMEOUT\n"))
        #expect(text.contains("\n    is 5, set in \(file)\n"))
        #expect(text.contains("\n    is an address with a user name, set in \(file)\n"))
        #expect(!text.contains("secret"))
    }

    @Test(arguments: [
        (["demo", "--", "--play"], "planned maintenance"), (["demo", "--", "--scenario"], "update required"),
        (["demo", "--", "--present"], "tour"),
        (["barricade", "select", "--", "positional@0"], "status"), (["barricade", "select", "--", "positional@1"], "paused"),
        (["barricade", "play", "--", "positional@0"], "security stop"),
    ])
    func theShellCompletesNames(arguments: [String], name: String) async throws {
        let result = try await bellerophon(["---completion"] + arguments + ["0", "0", ""])
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.split(separator: "\n").contains { $0 == name }, "\(result.standardOutput)")
    }

    @Test(arguments: [
        [], ["run"], ["demo"], ["check"], ["watch"], ["render"], ["preview"], ["verify"], ["config"], ["config", "check"],
        ["config", "list"], ["update"], ["init"],
        ["barricade"], ["guard"], ["guard", "run"], ["guard", "install"], ["guard", "uninstall"], ["guard", "status"],
        ["guard", "ps"], ["guard", "stop"], ["guard", "continue"],
    ])
    func helpTeaches(command: [String]) async throws {
        let result = try await bellerophon(command + ["--help"])
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.contains("USAGE: bellerophon"))
        #expect(result.standardOutput.split(separator: "\n").count >= 6)
    }

    // MARK: config

    @Test func configCheckSaysWhatIsWrongWhere() async throws {
        let home = try TestFolder()
        let good = try home.write(#"{"status":{"url":"https://a.example/status"}}"#, to: "good.json")
        let bad = try home.write(#"{"status":{"url":"nowhere"},"extra":1}"#, to: "bad.json")
        let right = try await bellerophon("config", "check", good)
        #expect(right.status == .exited(0))
        #expect(right.standardOutput.contains("the status URL is a.example/status"))
        let wrong = try await bellerophon("config", "check", bad)
        #expect(wrong.status == .exited(64))
        #expect(wrong.standardError.contains("extra: unknown key"))
        #expect(wrong.standardError.contains("status.url: expected an http or https URL"))
    }

    // MARK: render

    @Test func renderPrintsTheKillViewAsText() async throws {
        let result = try await bellerophon(
            "render", "--status", "-", "--size", "60x20", "--at", "2026-01-31T14:02:11Z", input: Self.paused)
        #expect(result.status == .exited(0))
        let lines = result.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == 20)
        #expect(result.standardOutput.contains("■  SERVICE PAUSED"))
        #expect(result.standardOutput.contains("Back at noon."))
        #expect(result.standardOutput.contains("14:02:11"))
        #expect(!result.standardOutput.contains("\u{1B}"))
    }

    @Test(arguments: [
        (#"{"apiInactive":false,"forceUpdate":true,"retryInterval":9,"requiredVersion":"2.0"}"#, "UPDATE REQUIRED"),
        (#"{"apiInactive":false,"forceUpdate":false,"retryInterval":9}"#, "● LIVE"),
    ])
    func renderPrintsTheOtherViews(document: String, text: String) async throws {
        let home = try TestFolder()
        let file = try home.write(document, to: "status.json")
        let result = try await bellerophon("render", "--status", file, "--size", "80x24")
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.contains(text))
    }

    @Test func renderOfWhatIsNoStatusNamesTheField() async throws {
        let result = try await bellerophon("render", "--status", "-", input: #"{"apiInactive":true}"#)
        #expect(result.status == .exited(64))
        #expect(
            result.standardError == "bellerophon: standard input: not a status document: the field \"forceUpdate\" is missing\n")
    }
}

/// The manual describes the commands and flags that the program has, and no others.
@Suite("Manual")
struct ManualTests {
    @Test func hasTheSyntaxOfEveryCommand() async throws {
        try await expectTheManualOf("bellerophon")
    }
}
