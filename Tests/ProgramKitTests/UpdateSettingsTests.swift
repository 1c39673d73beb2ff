import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import Testing

/// How an app is updated, in the file and in the environment.
@Suite struct UpdateSettingsTests {
    /// The settings of an object under `update`.
    private func update(_ members: String) throws -> UpdateOptions { try apply(#"{"update":{\#(members)}}"#).app.update }

    private func update(_ environment: [String: String]) throws -> UpdateOptions {
        try apply(environment: environment).app.update
    }

    // MARK: Values

    @Test func withoutSettingsTheSourceIsFoundOut() throws {
        #expect(try update("") == UpdateOptions())
        #expect(UpdateOptions().whenUnavailable == .cover)
    }

    @Test func everySettingIsRead() throws {
        let options = try update(
            #"""
            "source": "pipx", "package": "Example.Tool+x", "command": "make update", "whenUnavailable": "2026-12-01T08:30:00Z",
            "availableCommand": ["example-versions", "--of", "two words"], "versionCommand": ["/opt/example/bin/example", "-V"]
            """#)
        var expected = UpdateOptions()
        (expected.source, expected.package, expected.command) = ("pipx", "Example.Tool+x", "make update")
        expected.availableCommand = ["example-versions", "--of", "two words"]
        expected.versionCommand = ["/opt/example/bin/example", "-V"]
        expected.whenUnavailable = .goOn(until: Date(timeIntervalSince1970: 1_796_113_800))
        #expect(options == expected)
    }

    @Test func variablesHaveSpacesBetweenWords() throws {
        let options = try update([
            "BELLEROPHON_UPDATE_SOURCE": "apt", "BELLEROPHON_UPDATE_PACKAGE": "7zip",
            "BELLEROPHON_UPDATE_COMMAND": "sudo apt-get install 7zip",
            "BELLEROPHON_UPDATE_AVAILABLE_COMMAND": " apt-cache  madison 7zip ",
            "BELLEROPHON_UPDATE_VERSION_COMMAND": "7z", "BELLEROPHON_UPDATE_WHEN_UNAVAILABLE": "2026-12-01",
        ])
        #expect(options.source == "apt" && options.package == "7zip" && options.command == "sudo apt-get install 7zip")
        #expect(options.availableCommand == ["apt-cache", "madison", "7zip"] && options.versionCommand == ["7z"])
        #expect(options.whenUnavailable == .goOn(until: Date(timeIntervalSince1970: 1_796_083_200)))
        let words = try update(["BELLEROPHON_UPDATE_VERSION_COMMAND": #"["/opt/my tool/bin", "--version"]"#])
        #expect(words.versionCommand == ["/opt/my tool/bin", "--version"], "an array as in the file")
    }

    @Test func nullTakesBackWhatIsFoundOut() throws {
        var configuration = try apply(
            #"{"update":{"source":"apt","package":"a","availableCommand":["a"],"versionCommand":["a"]}}"#)
        let nothing = #"{"update":{"source":null,"package":null,"availableCommand":null,"versionCommand":null}}"#
        try configuration.apply(file: Data(nothing.utf8), origin: "config.json")
        #expect(configuration.app.update == UpdateOptions())
    }

    @Test func everyPackageManagersNamesAreAccepted() throws {
        for name in ["libstdc++6:arm64", "@scope/tool", "user/tap/tool", "Tool_2.x", "7zip"] {
            #expect(try update(#""package":"\#(name)""#).package == name)
        }
    }

    // MARK: Services

    @Test func aServiceIsUpdatedByItsOwnSettings() throws {
        let general = try apply(
            #"""
            {"update":{"source":"apt","command":"make","whenUnavailable":"2026-12-01"},"services":[
              {"name":"a","status":{"url":"http://a.example/s"}},
              {"name":"b","status":{"url":"http://b.example/s"},"update":{"source":"pip","package":"b"}}]}
            """#)
        let (first, second) = (general.configuration(of: general.services[0]), general.configuration(of: general.services[1]))
        #expect(first.app.update == UpdateOptions(), "another app is not updated by this one's command")
        #expect(second.app.update.source == "pip" && second.app.update.package == "b" && second.app.update.command == nil)
    }

    // MARK: Errors

    /// Settings with a problem, and how the message about each of them begins.
    private struct Wrong: CustomTestStringConvertible, Sendable {
        let path: String
        let expected: String
        /// JSON values.
        let values: [String]

        var testDescription: String { path }
    }

    private static let words = "of 1 to 64 words of at most 4096 bytes without control characters"
    private static let long = String(repeating: "a", count: 4097)
    private static let manyWords = "[" + Array(repeating: #""a""#, count: 65).joined(separator: ",") + "]"

    private static let commands = [
        "[]", #""""#, #"["./versions"]"#, #"["bin/versions"]"#, #"["../a", "b"]"#, #"["a", "b\u001b[2J"]"#, #"["a\u0000b"]"#,
        #"["a", 1]"#, #"["", "a"]"#, #"{"a":"b"}"#, "true", #""bin/tool --version""#, #"["\#(long)"]"#, manyWords,
    ]

    private static let wrong: [Wrong] = [
        Wrong(
            path: "source", expected: "expected a name such as apt, of 1 to 64 letters (a-z, A-Z), digits, ",
            values: [#""""#, #""a b""#, #""-apt""#, #""apt\u0007""#, "7", #""\#(long.prefix(65))""#]),
        Wrong(
            path: "package", expected: "expected the name of a package such as example, of 1 to 200 letters",
            values: [#""--config""#, #""a;b""#, #""a\nb""#, #""\#(long.prefix(201))""#, #"["a"]"#]),
        Wrong(
            path: "availableCommand",
            expected: #"expected a command such as ["/usr/bin/example-versions", "--all"], "# + words, values: commands),
        Wrong(
            path: "versionCommand", expected: #"expected a command such as ["/usr/bin/example", "--version"], "# + words,
            values: commands),
        Wrong(path: "command", expected: "expected text that is not empty", values: [#""a\nb""#, #"["make"]"#, #""  ""#]),
        Wrong(
            path: "whenUnavailable",
            expected: #"expected "cover", or a date in UTC such as "2026-12-01" or "2026-12-01T08:00:00Z", found "#,
            values: [
                #""later""#, #""2026-02-30""#, #""2026-12-1""#, #""2026-12-01T08:00""#, #""2026-12-01T08:00:00+01:00""#,
                "20261201", "null", #""Cover""#,
            ]),
    ]

    @Test(arguments: wrong)
    private func whatIsWrongIsToldWithWhatToWrite(wrong: Wrong) {
        for value in wrong.values {
            let found = problems(#"{"update":{"\#(wrong.path)":\#(value)}}"#)
            #expect(found.count == 1, "\(value)")
            #expect(found.first?.hasPrefix("line 1: update.\(wrong.path): \(wrong.expected)") == true, "\(value): \(found)")
        }
    }

    @Test func aVariableInErrorIsToldInTheWordsOfText() {
        #expect(
            throws: ConfigurationError(
                origin: "BELLEROPHON_UPDATE_VERSION_COMMAND",
                "expected a command such as \"/usr/bin/example --version\", with spaces between its words: 1 to 64 words of at most 4096 bytes without control characters, the first one an absolute path or a name that is searched in PATH, found \"./tool -V\""
            )
        ) {
            _ = try apply(environment: ["BELLEROPHON_UPDATE_VERSION_COMMAND": "./tool -V"])
        }
    }

    @Test func whatAnUpdateCommandIsToldIsNoSetting() {
        let told = ["BELLEROPHON_UPDATE_VERSION": "1.5.2", "BELLEROPHON_UPDATE_PROGRAM": "/usr/bin/example"]
        #expect(Configuration.unknownVariables(in: told).isEmpty)
        #expect(
            Configuration.unknownVariables(in: ["BELLEROPHON_UPDATE_VERSIONCOMMAND": "a"]) == [
                "BELLEROPHON_UPDATE_VERSIONCOMMAND is no setting; did you mean BELLEROPHON_UPDATE_VERSION_COMMAND?"
            ])
    }
}
