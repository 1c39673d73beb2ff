import Bellerophon
import BellerophonBase
import BellerophonTrust
import Foundation
import ProgramKit
import TerminalUI
import TestSupport
import Testing

/// The configuration that the text of a file makes of another one.
func apply(_ json: String, to base: Configuration = Configuration()) throws(ConfigurationError) -> Configuration {
    var configuration = base
    try configuration.apply(file: Data(json.utf8), origin: "config.json")
    try configuration.validate(origin: "config.json")
    return configuration
}

/// The configuration of these variables.
func apply(environment: [String: String]) throws(ConfigurationError) -> Configuration {
    var configuration = Configuration()
    try configuration.apply(environment: environment)
    return configuration
}

/// The problems of the text of a file.
func problems(_ json: String) -> [String] {
    do throws(ConfigurationError) {
        _ = try apply(json)
        return []
    } catch {
        return error.problems
    }
}

@Suite("Configuration")
struct ConfigurationTests {
    // MARK: The example

    private static let example = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("config.example.json")

    @Test func theExampleIsRightAndReadWhole() throws {
        var configuration = Configuration()
        try configuration.apply(file: Data(contentsOf: Self.example), origin: "config.example.json")
        var app = AppInfo(
            name: "QA build", version: "1.4.0", link: "https://example.com/get",
            updateCommand: "sudo apt-get install --only-upgrade example")
        app.facts = ["region": "eu"]
        (app.update.source, app.update.package) = ("apt", "example")
        app.update.availableCommand = ["apt-cache", "madison", "example"]
        app.update.versionCommand = ["/usr/bin/example", "--version"]
        #expect(configuration.app == app)
        #expect(configuration.statusURL?.absoluteString == "https://status.example.com/v1/apps/example/status.jws")
        #expect(configuration.trust?.audience == "example/main")
        #expect(configuration.headers == ["X-Channel": "beta"])
        #expect(configuration.activeInterval == .seconds(60))
        #expect(configuration.timeout == .seconds(10))
        #expect(configuration.contentServers.map(\.absoluteString) == ["https://status.example.com"])
        #expect(configuration.contentInterval == .seconds(900))
    }

    @Test func contentServersComeAsAListOrAsWords() throws {
        let configuration = try apply(environment: ["BELLEROPHON_CONTENT_SERVERS": "http://a.example https://b.example/base"])
        #expect(configuration.contentServers.map(\.absoluteString) == ["http://a.example", "https://b.example/base"])
    }

    @Test func theExampleShowsEverySetting() throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.example))
        for setting in Configuration.settings {
            let value = setting.path.split(separator: ".").reduce(json as Any?) { object, key in
                (object as? [String: Any])?[String(key)]
            }
            #expect(value != nil, "\(setting.path) is missing in config.example.json")
        }
    }

    @Test func theDefaultThatIsToldIsTheDefault() throws {
        let usual = Configuration()
        var configuration = Configuration()
        for setting in Configuration.settings {
            guard let text = setting.defaultText else { continue }
            let value = JSONValue(parsing: Data(text.utf8)) ?? .string(text)
            #expect(setting.apply(value, &configuration), "\(setting.path)")
            #expect(configuration == usual, "\(setting.path)")
        }
    }

    @Test func theTableInTheGuideIsMadeFromTheSettings() throws {
        let guide = Self.example.deletingLastPathComponent().appendingPathComponent("docs/configuration.md")
        #expect(try SettingsTable.problem(Configuration.settings, in: guide, hasFlags: true) == nil)
    }

    // MARK: Languages

    @Test("The languages are a list, null takes those of the environment, and a variable counts before the file")
    func languages() throws {
        #expect(Configuration().display.language == nil)
        var configuration = try apply(#"{"display":{"language":"pt_BR, de"}}"#)
        #expect(configuration.display.language?.tags == ["pt-BR", "de"])
        try configuration.apply(environment: ["BELLEROPHON_LANGUAGE": "pl"])
        #expect(configuration.display.language?.tags == ["pl"])
        #expect(try apply(#"{"display":{"language":null}}"#, to: configuration).display.language == nil)
    }

    // MARK: Facts

    @Test func factsComeAsAnObjectOrAsWords() throws {
        #expect(try apply(#"{"app":{"facts":{"region":"eu","site":"ward 7","empty":""}}}"#).app.facts["site"] == "ward 7")
        var configuration = try apply(#"{"app":{"facts":{"region":"eu","site":"ward"}}}"#)
        try configuration.apply(environment: ["BELLEROPHON_FACTS": "region=us  tier=a=b"])
        #expect(configuration.app.facts == ["region": "us", "tier": "a=b"])
        try configuration.apply(environment: ["BELLEROPHON_FACTS": #"{"site":"ward 7"}"#])
        #expect(configuration.app.facts == ["site": "ward 7"])
        try configuration.apply(facts: ["region=eu", "note=a b", "none="], origin: "--fact")
        #expect(configuration.app.facts == ["site": "ward 7", "region": "eu", "note": "a b", "none": ""])
    }

    @Test func aFactWithABadNameOrValueIsNamed() {
        let long = String(repeating: "x", count: 257)
        let found = problems(#"{"app":{"facts":{"1a":"x","ok":"x","n":1,"l":"\#(long)","c":"a\u0007"}}}"#)
        #expect(found.count == 4)
        #expect(found.contains { $0.contains("app.facts.1a: expected a name of 1 to 64 letters") })
        #expect(found.contains { $0.contains("app.facts.n: expected text, found a number") })
        #expect(found.contains { $0.contains("app.facts.l: expected a value of at most 256 bytes") })
        #expect(found.contains { $0.contains("app.facts.c: expected a value of at most 256 bytes without control characters") })
    }

    @Test(
        "A flag with a bad fact is refused",
        arguments: [
            ("region", "expected NAME=VALUE such as region=eu, found \"region\""),
            ("", "expected NAME=VALUE such as region=eu, found \"\""),
            (
                "=eu",
                "expected a name of 1 to 64 letters (a-z, A-Z), digits, \".\", \"_\" and \"-\", the first one a letter, found \"\""
            ),
            (
                "a b=c",
                "expected a name of 1 to 64 letters (a-z, A-Z), digits, \".\", \"_\" and \"-\", the first one a letter, found \"a b\""
            ),
            ("a=b\u{7}", "a: expected a value of at most 256 bytes without control characters, found \"b␇\""),
        ]) func badFact(text: String, problem: String)
    {
        var configuration = Configuration()
        #expect(throws: ConfigurationError(origin: "--fact", problem)) {
            try configuration.apply(facts: ["fine=1", text], origin: "--fact")
        }
    }

    @Test func theInstallIDIsShortText() throws {
        #expect(try apply(#"{"app":{"installID":"desk-17"}}"#).app.installID == "desk-17")
        #expect(try apply(#"{"app":{"installID":null}}"#).app.installID == nil)
        let long = String(repeating: "x", count: 129)
        #expect(problems(#"{"app":{"installID":"\#(long)"}}"#).count == 1)
        let configuration = try apply(environment: ["BELLEROPHON_INSTALL_ID": "17"])
        #expect(configuration.app.installID == "17")
    }

    @Test func aServiceHasItsOwnFactsAndTheSameInstallID() throws {
        let general = try apply(
            #"""
            {"app":{"version":"1.0","facts":{"region":"eu"},"installID":"desk"},"services":[
              {"name":"a","status":{"url":"http://a.example/s"}},
              {"name":"b","app":{"facts":{"site":"x"},"installID":"own"},"status":{"url":"http://b.example/s"}}]}
            """#)
        let (first, second) = (general.configuration(of: general.services[0]), general.configuration(of: general.services[1]))
        #expect(first.app.facts.isEmpty && first.app.version == nil && first.app.installID == "desk")
        #expect(second.app.facts == ["site": "x"] && second.app.installID == "own")
    }

    // MARK: Trust

    private static let keys = ["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"]

    @Test func keysComeAsAListOrAsWords() throws {
        let listed = try apply(#"{"trust":{"keys":["\#(Self.keys[0])","\#(Self.keys[1])"]}}"#)
        let named = try apply(environment: ["BELLEROPHON_TRUST_KEYS": Self.keys.joined(separator: " ")])
        #expect(listed.trust?.keys.map(\.text) == Self.keys)
        #expect(named.trust == listed.trust)
        #expect(Configuration().trust == nil)
    }

    @Test(arguments: [
        ("https://s.example/status.jws", "default/main"), ("https://s.example/v1/apps/notes/status.jws", "notes/main"),
        ("https://s.example/v1/apps/notes/channels/beta/status.jws", "notes/beta"),
        ("https://cdn.example/mirror/v1/apps/notes/status.jws", "notes/main"),
        ("https://s.example/apps/notes/status", "default/main"),
    ])
    func theAddressSaysWhomAStatusMustBeFor(url: String, audience: String) throws {
        #expect(try apply(#"{"status":{"url":"\#(url)"},"trust":{"keys":["\#(Self.keys[0])"]}}"#).trust?.audience == audience)
        let told = #"{"status":{"url":"\#(url)"},"trust":{"keys":["\#(Self.keys[0])"],"audience":"other/beta"}}"#
        #expect(try apply(told).trust?.audience == "other/beta")
    }

    @Test("An address with a port that does not exist is refused, whether or not TLS is required", arguments: [false, true])
    func unusablePort(requiresTLS: Bool) {
        let found = problems(#"{"status":{"url":"http://127.0.0.1:99999/status","requireTLS":\#(requiresTLS)}}"#)
        #expect(found == [#"line 1: status.url: "http://127.0.0.1:99999/status" has the port 99999; use one from 1 to 65535"#])
    }

    @Test func plainHTTPIsRefusedWhereTLSIsRequired() throws {
        #expect(
            problems(#"{"status":{"url":"http://s.example/status","requireTLS":true}}"#) == [
                "line 1: status.url: s.example/status is plain http, and TLS is required except to localhost, 127.0.0.0/8 and [::1]: use an https address, or set status.requireTLS to false"
            ])
        #expect(problems(#"{"status":{"url":"http://127.0.0.1:8080/status","requireTLS":true}}"#).isEmpty, "this machine itself")
        #expect(problems(#"{"status":{"url":"http://s.example/status"}}"#).isEmpty)
    }

    @Test("The setting whenUnknown accepts stay, open or closed")
    func unknownPolicyIsValidated() throws {
        #expect(Configuration().freshness == FreshnessPolicy(whenUnknown: .stay, maximumAge: .seconds(604_800)))
        let strict = try apply(#"{"status":{"whenUnknown":"closed","maximumAge":60}}"#)
        #expect(strict.freshness == FreshnessPolicy(whenUnknown: .closed, maximumAge: .seconds(60)))
        #expect(try apply(#"{"status":{"maximumAge":null}}"#).freshness.maximumAge == nil)
    }

    // MARK: Transport

    @Test func theTransportIsOneOfThree() throws {
        #expect(Configuration().transport == .auto)
        let given = try apply(#"{"status":{"transport":"stream","eventsURL":"https://a.example/events"}}"#)
        #expect(given.transport == .stream)
        #expect(given.eventsURL?.absoluteString == "https://a.example/events")
        #expect(try apply(#"{"status":{"eventsURL":null}}"#, to: given).eventsURL == nil)
        var configuration = try apply(environment: ["BELLEROPHON_TRANSPORT": "poll"])
        try configuration.apply(flag: "status.transport", text: "stream")
        #expect(configuration.transport == .stream)
    }

    // MARK: Layers

    @Test(
        "ACCESSIBLE selects plain output, and the program's own variable takes precedence",
        arguments: [
            (["ACCESSIBLE": "1"], true), (["ACCESSIBLE": "yes"], true), (["ACCESSIBLE": "0"], false), (["ACCESSIBLE": ""], false),
            ([:], false), (["ACCESSIBLE": "1", "BELLEROPHON_PLAIN": "false"], false),
        ] as [([String: String], Bool)])
    func accessible(environment: [String: String], isPlain: Bool) throws {
        let configuration = try apply(environment: environment)
        #expect(configuration.display.isPlain == isPlain)
    }

    @Test("Flags override the environment, which overrides the file and the defaults")
    func settingsPrecedence() throws {
        var configuration = try apply(#"{"status":{"url":"http://file.example/","interval":10,"timeout":20}}"#)
        #expect(configuration.minimumInterval == .seconds(1), "a default")
        try configuration.apply(environment: [
            "BELLEROPHON_STATUS_URL": "http://environment.example/", "BELLEROPHON_INTERVAL": "30", "BELLEROPHON_TIMEOUT": "",
        ])
        try configuration.apply(flag: "status.url", text: "http://flag.example/")
        #expect(configuration.statusURL?.host == "flag.example")
        #expect(configuration.activeInterval == .seconds(30))
        #expect(configuration.timeout == .seconds(20), "an empty variable counts as absent")
    }

    @Test func nullTakesTheStatussOwnInterval() throws {
        var base = Configuration()
        base.activeInterval = .seconds(5)
        #expect(try apply(#"{"status":{"interval":null}}"#, to: base).activeInterval == nil)
    }

    @Test func aVersionThatReadsAsANumberStaysText() throws {
        let configuration = try apply(environment: [
            "BELLEROPHON_APP_VERSION": "1.40", "BELLEROPHON_MOUSE": "false", "BELLEROPHON_COLOR": "256",
        ])
        #expect(configuration.app.version == "1.40")
        #expect(!configuration.display.usesMouse)
        #expect(configuration.display.color == .ansi256)
    }

    @Test func aThemeOfOnesOwnIsBasedOnOneThatShips() throws {
        let configuration = try apply(
            """
            {"display":{"theme":"night","themes":{"night":{"base":"light","accent":"#102030","paused":"bright-red","rule":"terminal"}}}}
            """)
        let theme = try #require(configuration.display.theme)
        #expect(theme.name == "night")
        for depth in [ColorDepth.eight, .direct] {
            #expect(theme.color(.accent, depth: depth) == .rgb(0x10, 0x20, 0x30))
            #expect(theme.color(.paused, depth: depth) == .ansi(9))
            #expect(theme.color(.rule, depth: depth) == .terminal)
            #expect(theme.color(.live, depth: depth) == ColorTheme.light.color(.live, depth: depth))
        }
    }

    @Test(arguments: ["dark", "light", "high-contrast", "mono"])
    func aThemeThatShipsIsChosenByName(name: String) throws {
        let configuration = try apply(#"{"display":{"theme":"\#(name)"}}"#)
        #expect(configuration.display.theme?.name == name)
        try configuration.validate(origin: "test")
    }

    @Test func everyProblemOfAThemeIsNamedWithItsLine() {
        let found = problems(
            """
            {"display": {"themes": {
                "night": {
                    "base": "drak",
                    "acent": "#ffffff",
                    "link": "#fff",
                    "muted": 7
                },
                "day": "light"
            }}}
            """)
        #expect(
            found == [
                "line 3: display.themes.night.base: expected one of dark, light, high-contrast, mono",
                #"line 4: display.themes.night.acent: there is no such role; did you mean "accent"?"#,
                "line 5: display.themes.night.link: expected a colour: #rrggbb, terminal, a name such as red or bright-red",
                "line 6: display.themes.night.muted: expected a colour: #rrggbb, terminal, a name such as red or bright-red",
                "line 8: display.themes.day: expected an object of colours by role, found text",
            ])
    }

    // MARK: Errors

    @Test(arguments: [
        (#"{"status":{"uri":"x"}}"#, "status.uri: unknown key"),
        (#"{"status":{"URL":"http://a.example"}}"#, "status.URL: unknown key; did you mean status.url?"),
        (#"{"colour":"auto"}"#, "colour: unknown key"),
        (#"{"transport":"poll"}"#, "transport: unknown key; did you mean status.transport?"),
        (#"{"status":{"transport":"push"}}"#, #"status.transport: expected one of "auto", "poll", "stream", found "push""#),
        (#"{"status":{"eventsURL":"ftp://a.example"}}"#, "status.eventsURL: expected an http or https URL"),
        (
            #"{"status":{"whenUnknown":"shut"}}"#,
            #"status.whenUnknown: expected one of "stay", "open", "closed", found "shut""#
        ),
        (#"{"status":{"requireTLS":true},"content":{"servers":["http://s.example"]}}"#, "content.servers:"),
        (#"{"content":{"servers":["ftp://a.example"]}}"#, "content.servers: expected http or https URLs"),
        (#"{"app":{"facts":["region=eu"]}}"#, "app.facts: expected an object of texts"),
        (#"{"app":{"installID":""}}"#, "app.installID: expected text of 1 to 128 bytes"),
        (#"{"trust":{"keys":["short"]}}"#, "trust.keys: expected at least one public key as bellerophon-server keygen prints it"),
        (#"{"trust":{"keys":["\#(String(repeating: "A", count: 43))"]}}"#, "trust.keys: expected at least one public key"),
        (
            #"{"display":{"theme":"nigth","themes":{"night":{}}}}"#,
            #"display.theme: there is no theme "nigth"; did you mean "night"?"#
        ),
        (#"{"status":{"url":"ftp://a.example"}}"#, #"status.url: expected an http or https URL, found "ftp://a.example""#),
        (#"{"status":{"url":"http://"}}"#, #"status.url: expected an http or https URL, found "http://""#),
        (#"{"status":{"url":7}}"#, "status.url: expected an http or https URL, found the number 7"),
        (#"{"status":{"timeout":"10"}}"#, #"status.timeout: expected a number of seconds from 0.1 to 300, found "10""#),
        (#"{"status":{"timeout":0}}"#, "status.timeout: expected a number of seconds from 0.1 to 300, found the number 0"),
        (#"{"status":"http://a.example"}"#, "status: expected an object, found text"),
        (#"{"display":{"mouse":1}}"#, "display.mouse: expected true or false, found the number 1"),
        (#"{"display":{"color":"loud"}}"#, "display.color: expected one of"),
        (#"{"display":{"glyphs":"runes"}}"#, #"display.glyphs: expected one of "auto", "unicode", "ascii", found "runes""#),
        (
            #"{"display":{"language":"german language"}}"#,
            "display.language: expected a language tag such as de or pt-BR, or several with commas, or null for those of the environment"
        ),
        (#"{"display":{"themes":"dark"}}"#, "display.themes: expected an object of themes by name"),
        (#"{"app":{"name":"two\nlines"}}"#, "app.name: expected text that is not empty, on one line"),
        (#"{"status":{"headers":{"X-A":"b\r\nInjected: yes"}}}"#, "status.headers: expected an object of header names"),
        (#"{"status":{"headers":{"bad name":"b"}}}"#, "status.headers: expected an object of header names"),
        (
            #"{"status":{"minimumInterval":60,"maximumInterval":5}}"#,
            "status.minimumInterval: expected at most status.maximumInterval"
        ),
        (
            #"{"display":{"glyphs":"ascci"}}"#,
            #"display.glyphs: expected one of "auto", "unicode", "ascii", found "ascci"; did you mean "ascii"?"#
        ),
        (#"{"displya":{"theme":"dark"}}"#, "displya: unknown key; did you mean display?"),
        (#"{"zebra":1}"#, "zebra: unknown key; there is no such setting"),
        (#"{"timeuot":1}"#, "timeuot: unknown key; did you mean status.timeout?"),
        ("[]", "expected a JSON object, found an array"),
        ("{\"app\": {\n  oops\n}}", "not JSON: "),
        ("", "not JSON: "),
    ])
    func anErrorNamesThePathAndWhatWasExpected(json: String, beginning: String) {
        let found = problems(json)
        #expect(found.count == 1)
        let place = ["expected", "not JSON"].contains(where: beginning.hasPrefix) ? "" : "line 1: "
        #expect(found.first?.hasPrefix(place + beginning) == true, "\(found)")
    }

    @Test("A problem that several settings have together names the line of one, unless a flag or a variable has set it")
    func aRuleOfSeveralSettingsHasALine() throws {
        let text = "{\n \"status\": {\n  \"minimumInterval\": 60,\n  \"maximumInterval\": 5\n}}"
        #expect(problems(text).first?.hasPrefix("line 3: status.minimumInterval: expected at most") == true)
        var configuration = Configuration()
        try configuration.apply(file: Data(text.utf8), origin: "config.json")
        try configuration.apply(flag: "status.maximumInterval", text: "6")
        try configuration.apply(environment: ["BELLEROPHON_MINIMUM_INTERVAL": "70"])
        #expect(
            throws: ConfigurationError(
                origin: "test", "status.minimumInterval: expected at most status.maximumInterval (6.0), found 70.0")
        ) { try configuration.validate(origin: "test") }
    }

    @Test("What is wrong with a setting that a command does not use is a warning")
    func unusedSettingsBlockNothing() throws {
        var configuration = Configuration()
        configuration.use = .except("display", "hooks")
        let text = """
            {"display": {"theme": "drak", "mouse": 7,
              "colour": "none"},
             "hooks": 5, "status": {"url": "http://a.example"}}
            """
        try configuration.apply(file: Data(text.utf8), origin: "f")
        try configuration.apply(environment: ["BELLEROPHON_COLOR": "loud"])
        try configuration.validate(origin: "f")
        #expect(configuration.statusURL?.absoluteString == "http://a.example")
        #expect(
            configuration.warnings(origin: "f")
                == [
                    "f: line 1: display.mouse: expected true or false, found the number 7",
                    "f: line 2: display.colour: unknown key; did you mean display.color?",
                    "f: line 3: hooks: expected an object, found a number",
                    #"BELLEROPHON_COLOR: expected one of "auto", "never", "8", "16", "256", "truecolor", found "loud""#,
                    #"f: line 1: display.theme: there is no theme "drak"; did you mean "dark"?"#,
                ].map { "\($0) (this command does not use it)" })
        configuration = Configuration()
        configuration.use = .only("display")
        #expect(throws: ConfigurationError.self) { try configuration.apply(file: Data(text.utf8), origin: "f") }
    }

    @Test func aSyntaxErrorNamesItsLine() {
        #expect(problems("{\n  \"app\": {\n    oops\n  }\n}").first?.contains("line 3") == true)
    }

    @Test func everyProblemIsNamedAtOnce() {
        #expect(problems(#"{"app":{"nam":"x"},"status":{"url":1,"timeout":-1}}"#).count == 3)
    }

    @Test("A flag and a variable take a duration with units; a file takes seconds")
    func durationsHaveUnits() throws {
        var configuration = Configuration()
        try configuration.apply(flag: "status.interval", text: "1h30m")
        #expect(configuration.activeInterval == .seconds(5400))
        try configuration.apply(flag: "status.interval", text: "90")
        #expect(configuration.activeInterval == .seconds(90))
        try configuration.apply(environment: ["BELLEROPHON_INTERVAL": "5m"])
        #expect(configuration.activeInterval == .seconds(300))
        #expect(throws: ConfigurationError.self) { try configuration.apply(flag: "status.interval", text: "2d") }
        #expect(configuration.activeInterval == .seconds(300))
    }

    @Test func aVariableInErrorIsNamed() {
        #expect(
            throws: ConfigurationError(
                origin: "BELLEROPHON_INTERVAL",
                "expected a number of seconds from 0.1 to 86400, or a time such as 90s, 5m or 1h30m, found \"often\""
            )
        ) {
            _ = try apply(environment: ["BELLEROPHON_INTERVAL": "often"])
        }
    }

    @Test func aSchemaReferenceIsAllowed() {
        #expect(problems(#"{"$schema":"https://example.com/schema.json"}"#).isEmpty)
    }

    // MARK: Places

    @Test(arguments: [
        (["HOME": "/home/ada"], "/home/ada/.config/bellerophon/config.json"),
        (["HOME": "/home/ada", "XDG_CONFIG_HOME": "/etc/ada"], "/etc/ada/bellerophon/config.json"),
        (["HOME": "/home/ada", "XDG_CONFIG_HOME": "relative"], "/home/ada/.config/bellerophon/config.json"),
    ])
    func theUsualPlaceFollowsXDG(environment: [String: String], path: String) {
        #expect(ConfigurationFile.usualPlace(environment).path == path)
    }

    @Test func aFileThatCannotBeReadSaysWhy() throws {
        #expect(throws: ConfigurationError(origin: "/", "can't be read: it is a folder")) {
            try ConfigurationFile.read("/")
        }
        #expect(throws: ConfigurationError(origin: "/nowhere/config.json", "can't be read: no such file")) {
            try ConfigurationFile.read("/nowhere/config.json")
        }
    }
}
