import BellerophonStore
import Foundation
import TestSupport
import Testing

/// The operator commands against a running server, with a token.
@Suite("Operator commands over HTTP")
struct OperatorServerTests {
    @Test func aKillByTokenIsServedAndNamedByIt() async throws {
        try await LiveServer.run { live in
            let token = try await live.store.createToken(TokenRequest(name: "ada", scopes: [.publish]), by: "test").token
            let kill = try await live.command(
                "kill", "--message", "100 % + \"ä\"", "--for", "2h", "--reason", "disk", "--yes", token: token)
            #expect(kill.standardError == "")
            #expect(kill.standardOutput.hasPrefix("#2  default/main killed, until 20"))
            #expect(try live.store.journal().first?.who == "ada")
            let answer = try await live.talk { try $0.answer(to: "/status") }
            let document =
                #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"100 % + \"ä\"","backAt":"20"#
            #expect(answer.body.hasPrefix(document))
            let status = try await live.command("status", token: token).standardOutput
            #expect(status.hasPrefix("default/main  ■ PAUSED\n  message  100 % + \"ä\"\n  since    20"))
            #expect(status.contains("\n  by       ada\n  why      disk\n  ends     20"))
            let open = try await live.command("status", "--json").standardOutput
            let json = try #require(JSONSerialization.jsonObject(with: Data(open.utf8)) as? [String: Any])
            #expect(json["state"] as? String == "killed")
            #expect(json["by"] == nil)
            #expect(json["since"] != nil)
            #expect(
                try await live.command("restore", token: token).standardOutput
                    == "#3  default/main restored (the server http://127.0.0.1:\(live.port))\n")
            let history = try await live.command("history", "--json", token: token).standardOutput
            #expect(try StoreJSON.value([JournalEntry].self, from: Data(history.utf8)) == live.store.journal())
            let all = try await live.command("status", "--all", token: token).standardOutput
            #expect(all.hasPrefix("default/main  ● LIVE\n"))
        }
    }

    @Test func aDryRunOverHTTPPrintsTheSameDocument() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            let arguments = ["update", "--new", "--app", "notes", "--required-version", "2", "--dry-run"]
            let result = try await live.command(arguments, token: token)
            #expect(
                result.standardOutput
                    == #"{"apiInactive":false,"forceUpdate":true,"retryInterval":60,"userMessage":null,"requiredVersion":"2"}"#
                    + "\n")
            #expect(try live.store.snapshot().statuses.keys.map(\.app) == ["default"])
            let unknown = try await live.command("status", "--app", "notes", token: token)
            #expect(unknown.status == .exited(66))
        }
    }

    @Test("A command with a missing, wrong or insufficient token exits with 77")
    func invalidTokenIsReported() async throws {
        try await LiveServer.run { live in
            let none = try await live.command("restore")
            #expect(none.status == .exited(77))
            #expect(none.standardError.contains("token"))
            let wrong = try await live.command("restore", token: "blp_wrong")
            #expect(wrong.status == .exited(77))
            let read = try await live.command("restore", token: try await live.token([.read]))
            #expect(read.status == .exited(77))
            #expect(read.standardError.hasPrefix("bellerophon-server: "))
            #expect(try live.store.status(.main)?.serial == 0)
        }
    }

    @Test("Resources are published, listed and rolled back over HTTP")
    func resourcesAreManagedOverHTTP() async throws {
        let home = try TestFolder()
        let file = try home.write("hello\n", to: "help.txt")
        try await LiveServer.run { live in
            let tokenFile = try home.write(try await live.token() + "\n", to: "token")
            func run(_ arguments: String...) async throws -> CommandResult {
                try await live.command(arguments + ["--token-file", tokenFile], home: home)
            }
            #expect(
                try await run("resource", "put", "help.txt", file, "--dry-run").standardOutput
                    == "help.txt v1 would be published\n")
            #expect(
                try await run("resource", "put", "help.txt", file, "--reason", "a + b & c").standardOutput
                    == "help.txt v1 published\n")
            #expect(try live.store.versions(of: "help.txt").first?.reason == "a + b & c")
            #expect(
                try await run("resource", "put", "help.txt", file).standardOutput
                    == "help.txt v1 is the same already; nothing new published\n")
            _ = try home.write(String(repeating: "x", count: 3_000_000), to: "help.txt")
            #expect(
                try await run("resource", "put", "help.txt", file, "--version", "4").standardOutput == "help.txt v4 published\n")
            #expect(try live.store.versions(of: "help.txt").first?.size == 3_000_000)
            let low = try await run("resource", "put", "help.txt", file, "--version", "4")
            #expect(low.status == .exited(65))
            #expect(
                low.standardError.hasPrefix(
                    "bellerophon-server: version 4 is not above the newest, which is 4\n  clients only move up"))
            #expect(
                try await run("resource", "rollback", "help.txt", "--version", "1", "--yes").standardOutput
                    == "help.txt v5 published with the bytes of v1\n")
            #expect(
                try await run("resource", "put", "film", "--url", "https://a.example/f", "--version", "3").standardOutput
                    == "film v3 published\n")
            let list = try await run("resource", "list", "--json").standardOutput
            #expect(try StoreJSON.value([ResourceVersion].self, from: Data(list.utf8)) == live.store.resources())
        }
    }

    @Test func aServerThatIsNotThereIsSaidToBe() async throws {
        let result = try await runServerCommand(["status", "--server", "http://127.0.0.1:9"])
        #expect(result.status == .exited(69))
        #expect(
            result.standardError == """
                bellerophon-server: http://127.0.0.1:9: could not connect to the server
                  is the server running, and is --server right?

                """)
    }

    @Test("The displayed status of another server contains no control characters")
    func foreignStatusIsSanitized() async throws {
        let server = try HostileServer(
            .status(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"\u001b]52;c;cm0=\u0007"}"#))
        let result = try await runServerCommand(["status", "--server", "http://127.0.0.1:\(server.url().port ?? 0)"])
        #expect(result.standardOutput.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F) })
        #expect(result.standardOutput.contains("■ PAUSED"))
    }
}
