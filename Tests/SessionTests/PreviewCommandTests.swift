import Foundation
import TestSupport
import Testing

/// What a tester reads about a status with rules: `preview`, and the view that `render` draws of it.
@Suite("Preview of rules")
struct PreviewCommandTests {
    private static let rules = """
        {"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":[
        {"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"except":[{"is":{"ci":["true"]}}],"to":"1.5.2",
         "announce":"2026-12-01T00:00:00Z","from":"2026-12-15T00:00:00Z","message":"1.4 loses data.","link":"https://example.com/get"},
        {"id":"bad-16","effect":"update","only":{"versions":[{"from":"1.6.0","below":"1.6.4"}],"is":{"os":["linux"]}},"to":"1.6.4"},
        {"id":"mw-1205","effect":"pause","from":"2026-12-05T22:00:00Z","until":"2026-12-05T23:30:00Z"},
        {"id":"later","effect":"explode"},
        {"id":"offer-1.7","effect":"offer","only":{"versions":[{"below":"1.7.0"}],"share":"2.5%"},"to":"1.7.0"}]}
        """

    private func preview(_ arguments: String..., document: String = Self.rules) async throws -> CommandResult {
        try await bellerophon(["preview", "--status", "-"] + arguments, input: document)
    }

    // MARK: One client

    @Test("Every rule has its state and its reason")
    func everyRule() async throws {
        let result = try await preview(
            "--app-version", "1.4.0", "--fact", "ci=false", "--fact", "os=linux", "--at", "2026-12-05T22:10:00Z")
        #expect(
            result.standardOutput == """
                stage:    paused
                reason:   pause by mw-1205: it applies to every app
                until:    2026-12-05T23:30:00Z
                notice:   update min-15, from 2026-12-15T00:00:00Z: 1.4 loses data.
                          version 1.5.2
                          https://example.com/get
                next:     2026-12-05T23:30:00Z: pause mw-1205 ends
                client:   version 1.4.0, ci false, os linux
                at:       2026-12-05T22:10:00Z
                rule:     update min-15 is announced, begins 2026-12-15T00:00:00Z: 1.4.0 is below 1.5.2
                rule:     update bad-16 does not match: 1.4.0 is not from 1.6.0 to below 1.6.4
                rule:     pause mw-1205 holds: it applies to every app
                rule:     later is not understood: "effect" must be one of notice, offer, pause, update
                rule:     offer offer-1.7 does not match: share is not known
                remark:   the rule later does not apply: "effect" must be one of notice, offer, pause, update

                """)
        #expect(result.status == .exited(10))
        #expect(result.standardError == "")
    }

    @Test("What the covering rule shows is shown, until another version is installed")
    func coveringRule() async throws {
        let arguments = ["--fact", "ci=false", "--at", "2027-01-01T00:00:00Z"]
        let covered = try await bellerophon(
            ["preview", "--status", "-", "--app-version", "1.4.0"] + arguments, input: Self.rules)
        #expect(covered.status == .exited(11))
        #expect(
            covered.standardOutput.hasPrefix(
                """
                stage:    update required
                reason:   update by min-15: 1.4.0 is below 1.5.2
                message:  1.4 loses data.
                requires: 1.5.2
                link:     https://example.com/get
                next:     nothing changes by itself

                """))
        let updated = try await bellerophon(
            ["preview", "--status", "-", "--app-version", "1.5.2"] + arguments, input: Self.rules)
        #expect(updated.status == .exited(0))
        #expect(updated.standardOutput.contains("\nrule:     update min-15 does not match: 1.5.2 is not below 1.5.2\n"))
    }

    @Test("A fact that no flag gives is not known, whatever this machine is")
    func nothingOfThisMachine() async throws {
        let result = try await preview("--at", "2027-01-01T00:00:00Z")
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.contains("\nclient:   nothing is known of it\n"))
        #expect(
            result.standardOutput.contains("\nrule:     update bad-16 does not match: version is not known and os is not known\n")
        )
    }

    @Test("The facts of this machine are taken on request, and flags replace them")
    func thisMachine() async throws {
        let result = try await preview("--this-machine", "--fact", "arch=vax", "--at", "2027-01-01T00:00:00Z")
        let client = try #require(result.standardOutput.split(separator: "\n").first { $0.hasPrefix("client:") })
        #expect(client.contains("arch vax") && client.contains("os ") && client.contains("ci "), "\(client)")
        let other = try await preview("--this-machine", "--fact", "os=plan9", "--at", "2027-01-01T00:00:00Z")
        #expect(other.standardOutput.contains("os plan9") && !other.standardOutput.contains("osVersion"))
    }

    @Test("The id decides the share, by both names of the flag", arguments: ["--id", "--install-id"])
    func share(flag: String) async throws {
        let document =
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":9,"rules":[{"id":"a","effect":"pause","only":{"share":"50%"}}]}"#
        // The first four bytes of SHA-256 of "a:1" and of "a:4" make 16.86 % and 65.65 %.
        let inside = try await preview(flag, "1", document: document)
        #expect(inside.status == .exited(10))
        #expect(inside.standardOutput.contains("share 16.86% is below 50%"))
        let outside = try await preview(flag, "4", document: document)
        #expect(outside.status == .exited(0))
        #expect(outside.standardOutput.contains("share 65.65% is not below 50%"))
    }

    @Test("The JSON has the same, with the names of the document")
    func json() async throws {
        let result = try await preview(
            "--json", "--app-version", "1.4.0", "--fact", "ci=false", "--at", "2026-12-15T00:00:00Z")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any])
        #expect(result.status == .exited(11))
        #expect(object["stage"] as? String == "updateRequired")
        #expect(object["by"] as? String == "min-15")
        #expect(object["because"] as? [[String: String]] == [["fact": "version", "is": "1.4.0", "rule": "below 1.5.2"]])
        #expect(object["message"] as? String == "1.4 loses data.")
        #expect(object["requiredVersion"] as? String == "1.5.2")
        #expect(object["updateURL"] as? String == nil && object["link"] as? String == "https://example.com/get")
        #expect(object["next"] is NSNull)
        #expect(object["at"] as? String == "2026-12-15T00:00:00Z")
        let rules = try #require(object["rules"] as? [[String: Any]])
        #expect(rules.map { $0["state"] as? String } == ["holds", "noMatch", "over", "undecided", "noMatch"])
        #expect(rules.map { $0["rule"] as? String } == ["min-15", "bad-16", "mw-1205", "later", "offer-1.7"])
    }

    // MARK: The status

    @Test("A status at an address is asked for as check asks for it")
    func address() async throws {
        let server = try HostileServer(.status(Self.rules))
        let url = server.address
        let result = try await bellerophon([
            "preview", "--status", url, "--app-version", "1.4.0", "--fact", "ci=no", "--at", "2027-01-01T00:00:00Z",
        ])
        #expect(result.status == .exited(11))
        let unsigned = try await bellerophon([
            "preview", "--status", url, "--trust-key", "Gh-rsFTUHgAvZVyFoFlqhP1ZrJ_J0x3QKNMZ4JlPNBw",
        ])
        #expect(unsigned.status == .exited(12), "\(unsigned.standardError)")
        #expect(unsigned.standardOutput.hasPrefix("stage:    unknown\nreason:   "))
        let refused = try await bellerophon(["preview", "--status", "http://status.example/status", "--require-tls"])
        #expect(refused.status == .exited(64))
        #expect(server.requests.count == 2)
    }

    @Test("Without a time, rules are decided by the date of the reply, as check does")
    func dateOfTheReply() async throws {
        let now = Date()
        let end = now.addingTimeInterval(-1800).formatted(.iso8601)
        let document =
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":[{"id":"w","effect":"pause","until":"\#(end)"}]}"#
        let behind = now.addingTimeInterval(-3600)
        let server = try HostileServer(.json(document, headers: ["Date": Self.httpDate(behind)]))
        let url = server.address
        for command in [["check", url], ["preview", "--status", url]] {
            #expect(try await bellerophon(command).status == .exited(10), "\(command)")
        }
        let later = now.formatted(.iso8601)
        #expect(try await bellerophon(["preview", "--status", url, "--at", later]).status == .exited(0))
    }

    private static func httpDate(_ date: Date) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: date)
    }

    @Test("More than can be read is refused, and not read in part")
    func tooLong() async throws {
        let long = Self.rules + String(repeating: " ", count: 1 << 20)
        for command in ["preview", "render"] {
            let result = try await bellerophon([command, "--status", "-"], input: long)
            #expect(result.status == .exited(64))
            #expect(result.standardError == "bellerophon: standard input: larger than 1 MiB, which is more than is ever read\n")
        }
    }

    @Test("What is no status is unknown, with the reason that check gives", arguments: [[], ["--matrix"], ["--json"]])
    func noStatus(flags: [String]) async throws {
        let result = try await bellerophon(["preview", "--status", "-"] + flags, input: #"{"apiInactive":true}"#)
        #expect(result.status == .exited(12))
        #expect(result.standardOutput.contains("unknown"))
        #expect(result.standardOutput.contains(#"the field "forceUpdate" is missing"#) || flags == ["--json"])
        #expect(result.standardOutput.contains("forceUpdate"))
    }

    @Test(
        "A wrong flag says what is right",
        arguments: [
            (["--at", "tomorrow"], #"--at: expected a time such as 2026-01-31T14:02:11Z; found "tomorrow""#),
            (
                ["--fact", "linux"],
                #"--fact: expected NAME=VALUE such as os=linux, a name of 1 to 64 bytes and a value of at most 256; found "linux""#
            ),
            (["--fact", "os=a", "--fact", "os=b"], "--fact: os is given twice; a client has one value of each fact"),
            (["--os-version", "1", "--fact", "osVersion=2"], "give --os-version or --fact osVersion, not both"),
            (["--id", ""], "--id: expected 1 to 128 bytes, found 0"),
            (
                ["--app-version", ""],
                "--app-version: expected a version such as 1.4.0; leave the flag out if the version is not known"
            ),
        ])
    func wrongFlags(flags: [String], sentence: String) async throws {
        for command in ["preview", "render"] {
            let result = try await bellerophon([command, "--status", "-"] + flags, input: Self.rules)
            #expect(result.status == .exited(64))
            #expect(result.standardError == "bellerophon: \(sentence)\n")
            #expect(result.standardOutput == "")
        }
    }

    // MARK: The matrix

    @Test("The matrix is a table of versions and times in 80 columns")
    func matrix() async throws {
        let result = try await preview("--matrix")
        #expect(result.status == .exited(0))
        #expect(
            result.standardOutput == """
                UTC                   before              from
                version               2026-12-01 00:00    2026-12-01 00:00
                below 1.5.2
                  ci true             ● live              ● live
                  ci any other        ● live              ● live
                                                            announced: min-15
                1.5.2 to below 1.6.0  ● live              ● live
                1.6.0 to below 1.6.4
                  os linux            ▲ update by bad-16  ▲ update by bad-16
                  os any other        ● live              ● live
                1.6.4 or later        ● live              ● live
                unknown               ● live              ● live

                UTC                   from                 from
                version               2026-12-05 22:00     2026-12-05 23:30
                below 1.5.2
                  ci true             ■ paused by mw-1205  ● live
                  ci any other        ■ paused by mw-1205  ● live
                                        announced: min-15    announced: min-15
                1.5.2 to below 1.6.0  ■ paused by mw-1205  ● live
                1.6.0 to below 1.6.4
                  os linux            ▲ update by bad-16   ▲ update by bad-16
                  os any other        ■ paused by mw-1205  ● live
                1.6.4 or later        ■ paused by mw-1205  ● live
                unknown               ■ paused by mw-1205  ● live

                UTC                   from
                version               2026-12-15 00:00
                below 1.5.2
                  ci true             ● live
                  ci any other        ▲ update by min-15
                1.5.2 to below 1.6.0  ● live
                1.6.0 to below 1.6.4
                  os linux            ▲ update by bad-16
                  os any other        ● live
                1.6.4 or later        ● live
                unknown               ● live

                Stops nothing: offer offer-1.7 for version below 1.7.0, share below 2.5%.
                The rule later is not understood and does not match: "effect" must be one of
                notice, offer, pause, update.

                """)
        #expect(result.standardOutput.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("What a flag gives is not cut")
    func givenMatrix() async throws {
        let result = try await preview("--matrix", "--fact", "os=linux", "--fact", "ci=no", "--at", "2026-12-15T00:00:00Z")
        #expect(
            result.standardOutput.hasPrefix(
                """
                UTC                   at
                version               2026-12-15 00:00
                below 1.5.2           ▲ update by min-15
                1.5.2 to below 1.6.0  ● live
                1.6.0 to below 1.6.4  ▲ update by bad-16
                1.6.4 or later        ● live
                unknown               ● live

                """))
    }

    @Test("Long names and values are wrapped, and no line is longer than 80 columns")
    func longNames() async throws {
        let id = String(repeating: "a", count: 64)
        let values = (1...16).map { "\"\(String(repeating: "界", count: 40))\($0)\"" }.joined(separator: ",")
        let document = """
            {"apiInactive":false,"forceUpdate":false,"retryInterval":9,"rules":[{"id":"\(id)","effect":"update","only":{"is":{"x":[\(values)]}}},
            {"id":"b","effect":"pause","only":{"versions":[{"below":"\(String(repeating: "1", count: 64))"}]}}]}
            """
        let result = try await preview("--matrix", document: document)
        #expect(result.status == .exited(0))
        #expect(
            result.standardOutput.split(separator: "\n").allSatisfy { line in
                line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x4E00 ? 2 : 1) } <= 80
            })
    }

    @Test("The matrix is one JSON object")
    func matrixJSON() async throws {
        let result = try await preview("--matrix", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any])
        let rows = try #require(object["rows"] as? [[String: Any]])
        #expect(
            rows.map { ($0["versions"] as? [String: String])?["label"] } == [
                "below 1.5.2", "1.5.2 to below 1.6.0", "1.6.0 to below 1.6.4", "1.6.4 or later", "unknown",
            ])
        #expect((object["times"] as? [Any])?.count == 5)
        #expect((object["notices"] as? [[String: String]])?.map { $0["id"] } == ["offer-1.7"])
        #expect((object["undecided"] as? [[String: String]])?.map { $0["rule"] } == ["later"])
    }

    // MARK: render

    @Test("The view of the rule that covers the client is drawn")
    func renderedRule() async throws {
        let flags = ["render", "--status", "-", "--size", "80x24", "--fact", "ci=false", "--app-version"]
        let update = try await bellerophon(flags + ["1.4.0", "--at", "2026-12-15T00:00:00Z"], input: Self.rules)
        #expect(update.standardOutput.contains("UPDATE REQUIRED"))
        #expect(update.standardOutput.contains("1.4 loses data."))
        #expect(update.standardOutput.contains("https://example.com/get"))
        let paused = try await bellerophon(flags + ["1.5.2", "--at", "2026-12-05T23:00:00Z"], input: Self.rules)
        #expect(paused.standardOutput.contains("SERVICE PAUSED"))
        let live = try await bellerophon(flags + ["1.5.2", "--at", "2026-12-15T00:00:00Z"], input: Self.rules)
        #expect(live.standardOutput.contains("● LIVE"))
    }

    @Test("Text from a document and from flags is printed without control characters")
    func harmless() async throws {
        let document =
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":9,"rules":[{"id":"\u001b[2J","effect":"pause"},{"id":"b","effect":"pause","only":{"is":{"\u001b]0;x\u0007":["\u001b[2J\u202e"]}},"message":"\u001b[2J"}]}"#
        for flags in [[], ["--json"], ["--matrix"], ["--matrix", "--json"]] {
            let result = try await bellerophon(
                [
                    "preview", "--status", "-", "--app-version", "\u{1B}[2J", "--fact", "x=\u{1B}[2J", "--at",
                    "2026-12-15T00:00:00Z",
                ] + flags, input: document)
            #expect(result.status == .exited(0))
            #expect(result.standardOutput.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x9B })
            #expect(!result.standardOutput.contains("\u{202E}"))
        }
    }
}
