import BellerophonBase
import BellerophonStore
import Foundation
import Logging
import TestSupport
import Testing

@testable import BellerophonServer

@Suite struct ServerConfigurationTests {
    private func problems(_ text: String) -> [String] {
        var configuration = ServerConfiguration()
        do {
            try configuration.apply(file: Data(text.utf8), origin: "f.json")
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }

    private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("deploy/server.config.example.json")

    @Test func theTableInTheGuideIsMadeFromTheSettings() throws {
        let guide = Self.example.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/server.md")
        #expect(try SettingsTable.problem(ServerConfiguration.settings, in: guide, hasFlags: false) == nil)
    }

    @Test func theExampleIsValidAndShowsEverySetting() throws {
        let data = try Data(contentsOf: Self.example)
        var configuration = ServerConfiguration()
        try configuration.apply(file: data, origin: "example")
        try configuration.validate()
        let fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        var paths: [String] = []
        for (key, value) in fields {
            guard let inner = value as? [String: Any] else { paths.append(key); continue }
            paths += inner.keys.map { "\(key).\($0)" }
        }
        #expect(paths.sorted() == ServerConfiguration.settings.map(\.path).sorted())
        // Except for its own paths, the example states the defaults.
        (configuration.given, configuration.store) = ([:], nil)
        configuration.copy = nil
        configuration.content = nil
        configuration.hooks = WebhookSettings()
        configuration.approval.apps = []
        configuration.tls = nil
        #expect(configuration.signingKey == "/etc/bellerophon/signing.jwk")
        configuration.signingKey = nil
        configuration.reading.publicURL = ""
        #expect(configuration == ServerConfiguration())
    }

    @Test("Every configuration problem is reported with the expected value or a suggestion")
    func everyProblemHasSuggestion() {
        #expect(
            problems(#"{"limits":{"idelTime":3,"streams":"many"},"Server":{"port":1},"log":5}"#) == [
                #"f.json: line 1: limits.idelTime: unknown key; did you mean limits.idleTime?"#,
                #"f.json: line 1: limits.streams: expected a whole number from 0 to 1000000, found "many""#,
                #"f.json: line 1: Server: unknown key; did you mean server?"#,
                "f.json: line 1: log: expected an object, found a number",
            ])
        #expect(
            problems(#"{"server":{"port":65536}}"#) == [
                "f.json: line 1: server.port: expected a whole number from 0 to 65535, found the number 65536"
            ])
        #expect(problems("{\n\"server\":{\n oops}}") == ["f.json: not JSON: line 3: expected a name in quotes, found \"o\""])
        #expect(problems("[]") == ["f.json: expected a JSON object, found an array"])
    }

    @Test(
        "The error for an invalid URL does not contain its password",
        arguments: [
            "https//ada:s3cret@a.example/", "ada:s3cret@a.example", "ftp://ada:s3cret@a.example", "https://ada:s3cret @a.example",
        ])
    func invalidURLHidesPassword(address: String) {
        for (name, key) in [("hooks", "url"), ("server", "publicURL")] {
            let found = problems("{\"\(name)\":{\"\(key)\":\"\(address)\"}}")
            #expect(found.count == 1 && found[0].contains("\(name).\(key): expected an http or https address"))
            #expect(!found[0].contains("s3cret"))
            var configuration = ServerConfiguration()
            let error = #expect(throws: ConfigurationError.self) {
                try configuration.apply("\(name).\(key)", text: address, origin: "--set \(name).\(key)")
            }
            #expect(error?.description.contains("s3cret") == false)
        }
        #expect(!problems("{\"store\":\"postgresql://ada:s3cret@a.example/b\\n\"}")[0].contains("s3cret"))
    }

    @Test func theEnvironment() throws {
        var configuration = ServerConfiguration()
        try configuration.apply(environment: ["PORT": "9000", "HOST": "machine", "BELLEROPHON_SERVER_LIMITS_IDLE_TIME": "2.5"])
        #expect(configuration.port == 9000)
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.limits.idleTime == .milliseconds(2500))
        try configuration.apply(environment: [
            "PORT": "9000", "BELLEROPHON_SERVER_PORT": "9001", "BELLEROPHON_SERVER_PUBLIC_URL": "https://a.example",
        ])
        #expect(configuration.port == 9001)
        #expect(configuration.reading.publicURL == "https://a.example")
        #expect(throws: ConfigurationError(origin: "PORT", "expected a whole number from 0 to 65535, found \"http\"")) {
            try configuration.apply(environment: ["PORT": "http"])
        }
    }

    @Test func settingsThatOnlyMakeSenseTogether() {
        var configuration = ServerConfiguration()
        configuration.tls = TLSFiles(certificate: "a.pem", key: "")
        configuration.limits.connections = 10
        configuration.limits.streams = 20
        #expect(
            throws: ConfigurationError(
                origin: "",
                problems: [
                    "tls: certificate and key belong together; tls.key is missing",
                    "limits.streams: expected at most limits.connections (10), found 20",
                ])
        ) { try configuration.validate() }
    }

    @Test func aLineOfTheLogIsOneLine() {
        let date = Date(timeIntervalSince1970: 1_764_050_400.125)
        let text = LineLogHandler.line(date, .info, "a\nb", [("path", "/x\u{1B}[2J"), ("who", "a b")], .text)
        #expect(text == #"2025-11-25T06:00:00.125Z info     a b path=/x␛[2J who="a b""#)
        let json = LineLogHandler.line(date, .info, "a\nb", [("path", "\"\u{202E}")], .json)
        #expect(json == #"{"time":"2025-11-25T06:00:00.125Z","level":"info","message":"a\nb","path":"\""}"#)
    }

    @Test("Connection limits are lowered to fit the available file descriptors")
    func limitsFitDescriptors() {
        var limits = Limits()
        #expect(limits.files == 20_000 + 64 + 512 + 256 + 128)
        #expect(limits.fitted(to: limits.files) == limits)
        let fitted = limits.fitted(to: 1024)
        #expect(fitted.connections == 486)
        #expect(fitted.streams == 486)
        #expect(fitted.concurrentRequests == 224)
        #expect((Int64(180)...4096).allSatisfy { limits.fitted(to: $0).files <= $0 })
        #expect(limits.fitted(to: 0).connections == 1, "it serves as long as it can")
        limits.streams = 100
        #expect(limits.fitted(to: 1024).streams == 100)
    }
}
