import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Guard profiles")
struct InstallProfileTests {
    private static let base: [String: String] = [
        "program": #""/usr/bin/psql""#, "wrapper": #""/usr/local/bin/psql""#,
        "config": #"{"status":{"url":"https://a.example"}}"#,
    ]

    /// Reads a profile with changed keys; nil removes a key.
    private func read(_ changes: [String: String?] = [:]) throws -> GuardProfile {
        var keys = Self.base
        for (key, value) in changes { keys[key] = value }
        let text = "{" + keys.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}"
        let name = try #require(GuardProfileName("psql"))
        return try GuardProfile(json: Data(text.utf8), name: name, origin: "psql.json")
    }

    private func problems(_ changes: [String: String?]) throws -> [String] {
        do {
            _ = try read(changes)
            return []
        } catch let error as ConfigurationError {
            #expect(error.origin == "psql.json")
            return error.problems.map { $0.replacing(#/^line 1: /#, with: "") }
        }
    }

    @Test func aProblemHasItsLine() throws {
        let name = try #require(GuardProfileName("psql"))
        let error = #expect(throws: ConfigurationError.self) {
            try GuardProfile(json: Data("{\n \"onKil\": 1\n}".utf8), name: name, origin: "psql.json")
        }
        #expect(error?.problems == ["line 2: onKil: unknown key; did you mean onKill?"])
    }

    // MARK: Names

    @Test(arguments: ["psql", "_a", "9", "psql.13", "a-b", "A", String(repeating: "x", count: 64)])
    func aFileNameIsAccepted(text: String) {
        #expect(GuardProfileName(text)?.text == text)
    }

    @Test(arguments: ["", ".a", "-a", "a/b", "..", "a b", "a\n", "ä", "a;b", "$a", "a'", String(repeating: "x", count: 65)])
    func anotherNameIsRefused(text: String) {
        #expect(GuardProfileName(text) == nil)
    }

    // MARK: Paths

    @Test(arguments: ["/a", "/usr/bin/psql", "/a b/c'd", "/ü/日本", "/...", "/a/.b"]) func anAbsolutePathIsAccepted(text: String) {
        #expect(AbsolutePath(text)?.text == text)
    }

    @Test(arguments: ["", "/", "a", "a/b", "/a/", "//a", "/a//b", "/a/./b", "/a/../b", "/..", "/a\n", "/a\u{202E}b", "~/a"])
    func aPathWithAnotherSpellingIsRefused(text: String) {
        #expect(AbsolutePath(text) == nil)
    }

    @Test func aPathLongerThanTheSystemAcceptsIsRefused() {
        #expect(AbsolutePath("/" + String(repeating: "x", count: 4094)) != nil)
        #expect(AbsolutePath("/" + String(repeating: "x", count: 4095)) == nil)
    }

    @Test func aPathHasAFolderAndAName() throws {
        let path = try #require(AbsolutePath("/usr/bin/psql"))
        #expect(path.folder == "/usr/bin")
        #expect(path.name == "psql")
        #expect(AbsolutePath("/psql")?.folder == "/")
    }

    @Test func pathsWithDifferentBytesDiffer() throws {
        #expect("/caf\u{E9}" == "/cafe\u{301}", "the strings are canonically equivalent")
        #expect(try #require(AbsolutePath("/caf\u{E9}")) != #require(AbsolutePath("/cafe\u{301}")))
    }

    @Test func aSlashBeforeACombiningMarkSeparatesParts() {
        #expect(AbsolutePath("/a/\u{301}b")?.folder == "/a")
        #expect(AbsolutePath("/a/../\u{301}b") == nil)
    }

    // MARK: Keys

    @Test func aShortProfileHasTheDefaultsOfTheFlags() throws {
        let profile = try read()
        #expect(profile.program.text == "/usr/bin/psql")
        #expect(profile.wrapper.text == "/usr/local/bin/psql")
        #expect(profile.source == .inline(Data(#"{"status":{"url":"https://a.example"}}"#.utf8)))
        #expect(profile.policy.onKill == .cover)
        #expect(profile.policy.onUpdate == .cover)
        #expect(profile.policy.start == nil)
        #expect(profile.policy.startTimeout == .seconds(2))
        #expect(profile.policy.startWait == .seconds(600))
        #expect(profile.versionTimeout == .seconds(5))
        #expect(profile.policy.exitCode == 75)
    }

    @Test func everyKeyIsRead() throws {
        let profile = try read([
            "config": nil, "configFile": #""/etc/bellerophon/config.json""#, "onKill": #""terminate""#, "grace": "2.5",
            "onUpdate": #""pause""#, "start": #""exit""#, "startTimeout": "0", "exitCode": "3",
            "startWait": "3600", "versionTimeout": "0.5",
        ])
        #expect(profile.source == .file(try #require(AbsolutePath("/etc/bellerophon/config.json"))))
        #expect(profile.policy.onKill == .terminate(grace: .seconds(2.5)))
        #expect(profile.policy.onUpdate == .pause)
        #expect(profile.policy.start == .exit)
        #expect(profile.policy.startTimeout == .zero)
        #expect(profile.policy.startWait == .seconds(3600))
        #expect(profile.versionTimeout == .seconds(0.5))
        #expect(profile.policy.exitCode == 3)
    }

    @Test func theVersionCommandIsAPathWithArguments() throws {
        #expect(try read().versionCommand == nil)
        #expect(
            try read(["versionCommand": #"["/usr/bin/psql","--version"]"#]).versionCommand?.arguments
                == ["/usr/bin/psql", "--version"])
        #expect(try read(["versionCommand": #"["/usr/bin/psql"]"#]).versionCommand?.arguments == ["/usr/bin/psql"])
    }

    @Test(arguments: [
        "[]", #"["psql","--version"]"#, #""psql --version""#, #"["/usr/bin/psql",1]"#, #"["/usr/../psql"]"#, "null",
        #"["/usr/bin/psql","a\u0000b"]"#,
    ])
    func aVersionCommandWithoutAnAbsolutePathIsAProblem(value: String) throws {
        let problem = try #require(try problems(["versionCommand": value]).first)
        #expect(problem.hasPrefix("versionCommand: expected an array of texts that begins with an absolute path"))
    }

    @Test func theVersionCommandIsNotTheWrapper() throws {
        #expect(
            try problems(["versionCommand": #"["/usr/local/bin/psql"]"#]) == [
                "versionCommand: expected another program than wrapper (/usr/local/bin/psql), which would start the guard again"
            ])
    }

    @Test func theGraceOfTerminateIsTenSeconds() throws {
        #expect(try read(["onUpdate": #""terminate""#]).policy.onUpdate == .terminate(grace: .seconds(10)))
    }

    @Test func theProgramIsRestartedAfterAnUpdate() throws {
        #expect(try read(["onUpdate": #""restart""#]).policy.onUpdate == .restart(grace: .seconds(10)))
        let profile = try read(["onUpdate": #""restart""#, "grace": "30", "onKill": #""terminate""#])
        #expect(
            profile.policy.onUpdate == .restart(grace: .seconds(30)) && profile.policy.onKill == .terminate(grace: .seconds(30)))
        #expect(try read(["onUpdate": #""restart""#, "grace": "0"]).policy.onUpdate == .restart(grace: .zero))
    }

    @Test func aKillRestartsNothing() throws {
        #expect(
            try problems(["onKill": #""restart""#])
                == [#"onKill: expected one of "cover", "pause", "terminate", found "restart""#])
    }

    @Test func aConfigurationKeepsItsDigitsAndItsOrder() throws {
        let text = #"{"z":1.50,"a":[12345678901234567890]}"#
        #expect(try read(["config": text]).source == .inline(Data(text.utf8)))
    }

    @Test(arguments: [
        ("program", "psql", "a relative path"), ("program", "/usr/bin/../bin/psql", "a path with two dots"),
        ("wrapper", "/usr/local/bin/", "a folder"), ("configFile", "config.json", "a relative path"),
    ])
    func aPathThatIsNotAbsoluteIsAProblem(key: String, value: String, what: Comment) throws {
        let problem = try #require(try problems([key: #""\#(value)""#]).first, what)
        #expect(problem.hasPrefix("\(key): expected an absolute path"))
        #expect(problem.hasSuffix("found \"\(value)\""))
    }

    @Test(
        "A value of the wrong type or range is reported with its key",
        arguments: [
            ("program", "1"), ("wrapper", "null"), ("config", "\"x\""), ("config", "[]"), ("configFile", "{}"),
            ("onKill", "\"stop\""),
            ("onKill", "true"), ("onUpdate", "\"Cover\""), ("grace", "-1"), ("grace", "3601"), ("grace", "\"10\""),
            ("start", "1"),
            ("start", "\"later\""), ("startTimeout", "601"), ("startWait", "3601"), ("versionTimeout", "601"),
            ("startTimeout", "null"), ("exitCode", "256"), ("exitCode", "1.5"),
            ("exitCode", "-1"), ("exitCode", "1e300"),
        ])
    func invalidValueNamesItsKey(key: String, value: String) throws {
        let changes: [String: String?] = key == "grace" ? [key: value, "onKill": "\"terminate\""] : [key: value]
        let problem = try #require(try problems(changes).first)
        #expect(problem.hasPrefix("\(key): expected "), "\(problem)")
    }

    @Test func anUnknownKeyIsAProblemWithASuggestion() throws {
        #expect(try problems(["on-kill": "\"cover\""]) == ["on-kill: unknown key; did you mean onKill?"])
    }

    @Test(arguments: ["program", "wrapper", "config"]) func aMissingKeyIsAProblem(key: String) throws {
        let found = try problems([key: nil])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("\(key): missing; write ") == true)
    }

    @Test func allMissingKeysAreReported() throws {
        #expect(try problems(["program": nil, "wrapper": nil, "config": nil]).count == 3)
    }

    @Test func twoConfigurationsAreAProblem() throws {
        #expect(try problems(["configFile": #""/a""#]) == ["config: expected only one of config and configFile, found both"])
    }

    @Test func aWrapperInPlaceOfItsProgramIsAProblem() throws {
        #expect(try problems(["wrapper": #""/usr/bin/psql""#]).first?.hasPrefix("wrapper: expected another path") == true)
    }

    @Test func aGraceWithoutTerminateIsAProblem() throws {
        #expect(try problems(["grace": "5"]).first?.hasPrefix("grace: has no effect") == true)
        #expect(try problems(["grace": "5", "onUpdate": "\"terminate\""]) == [])
    }

    @Test(arguments: ["", "{", "[]", #"{"program":1,"program":2}"#, "{\"a\":\u{1}}"]) func aFileThatIsNoObjectIsAProblem(
        text: String
    ) {
        #expect(throws: ConfigurationError.self) {
            try GuardProfile(json: Data(text.utf8), name: #require(GuardProfileName("a")), origin: "a.json")
        }
    }

    // MARK: Settings of the kill switch

    @Test("Problems in an inline configuration are reported with the prefix config")
    func inlineProblemsHavePrefix() {
        let refuse = { (_: Data, origin: String) throws(ConfigurationError) in
            throw ConfigurationError(origin: origin, "status.url: missing")
        }
        let inline = GuardConfigurationText(data: Data(), origin: "psql.json", isInline: true)
        let file = GuardConfigurationText(data: Data(), origin: "config.json", isInline: false)
        #expect(throws: ConfigurationError(origin: "psql.json", "config.status.url: missing")) { try inline.read(refuse) }
        #expect(throws: ConfigurationError(origin: "config.json", "status.url: missing")) { try file.read(refuse) }
    }
}
