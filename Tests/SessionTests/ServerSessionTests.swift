import CloudBox
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The complete path: an operator's command, the real server, and the real client in a real terminal.
@Suite("Sessions: an operator and a client") struct ServerSessionTests {
    /// A server with its own store, and the operator's commands.
    private struct Site {
        let home: TestFolder
        let server: RunningProgram
        let address: String

        init() async throws {
            let home = try TestFolder()
            let store = home.path("store")
            let server = try RunningProgram(
                "bellerophon-server", ["serve", "--create", "--store", store, "--port", "0"], home: home)
            address = try await server.serverAddress()
            (self.home, self.server) = (home, server)
        }

        /// Runs an operator's command on the store.
        @discardableResult
        func operate(_ arguments: String...) async throws -> String {
            let result = try await runCommand("bellerophon-server", arguments + ["--store", home.path("store")], home: home)
            guard result.status == .exited(0) else { throw TestError("\(arguments)", detail: result.standardError) }
            return result.standardOutput
        }

        /// The number of the row that a command has printed: `#4711  …`.
        static func row(_ output: String) -> String { String(output.dropFirst().prefix { $0.isNumber }) }

        func client(_ transport: String, _ arguments: String...) async throws -> TerminalUnderTest {
            try await TerminalUnderTest(
                "bellerophon", arguments: ["run", "--status-url", address + "/status", "--transport", transport] + arguments,
                columns: 100, rows: 30)
        }
    }

    @Test(arguments: ["poll", "stream", "auto"])
    func aKillReachesAClientAndIsTakenBack(transport: String) async throws {
        let site = try await Site()
        let interval = transport == "poll" ? ["--interval", "0.2"] : []
        let client = try await TerminalUnderTest(
            "bellerophon",
            arguments: ["run", "--status-url", site.address + "/status", "--transport", transport] + interval,
            columns: 100, rows: 30)
        try await client.wait(for: "● LIVE")
        if transport != "poll" { try await client.wait(for: "⇅ stream") }
        let kill = try await site.operate("kill", "--message", "We are moving.", "--retry-interval", "1", "--yes")
        try await client.wait(until: "the kill and its message show") {
            $0.contains("SERVICE PAUSED") && $0.contains("We are moving.")
        }
        try await site.operate(
            "update", "--message", "Please update.", "--required-version", "9.0", "--retry-interval", "1", "--yes",
            "--replace", Site.row(kill))
        try await client.wait(until: "the update and its version show") {
            $0.contains("UPDATE REQUIRED") && $0.contains("9.0")
        }
        try await site.operate("restore")
        try await client.wait(for: "● LIVE", without: "UPDATE REQUIRED")
        #expect(try await client.quits())
    }

    @Test func aKillEndsByItself() async throws {
        let site = try await Site()
        let client = try await site.client("stream")
        try await client.wait(for: "● LIVE")
        let kill = try await site.operate("kill", "--message", "An hour.", "--for", "1h", "--yes")
        try await client.wait(for: "SERVICE PAUSED", "An hour.")
        // The end that is seen is that of a second kill: a busy machine may show nothing of one that is short.
        try await site.operate("kill", "--message", "A second.", "--for", "1s", "--yes", "--replace", Site.row(kill))
        try await client.wait(for: "● LIVE", without: "SERVICE PAUSED")
        let history = try await site.operate("history", "--json")
        #expect(history.contains("bellerophon-server"), "the row that ends it says who")
        #expect(try await client.quits())
    }

    @Test func aServerThatDiesLeavesAKillUp() async throws {
        let site = try await Site()
        let client = try await site.client("auto")
        try await client.wait(for: "⇅ stream")
        try await site.operate("kill", "--message", "Stay.", "--retry-interval", "1", "--yes")
        try await client.wait(for: "SERVICE PAUSED")
        site.server.send(SIGKILL)
        try await client.wait(until: "the kill stays, and says that nobody answers") {
            $0.contains("SERVICE PAUSED") && $0.contains("still paused")
        }
        #expect(try await client.quits())
    }

    @Test func newContentIsSeenWithoutARestart() async throws {
        let site = try await Site()
        let client = try await site.client("stream", "--content-server", site.address)
        try await client.wait(for: "⇅ stream")
        let file = try site.home.write(#"{"title":"Fresh from the server"}"#, to: "dashboard.json")
        try await site.operate("resource", "put", "dashboard.json", file, "--version", "2")
        try await client.wait(for: "Fresh from the server")
        #expect(try await client.quits())
    }

    // MARK: The original's protocol

    /// Behaves like the original client: it uses the URL of the meta document unchanged, and the version in the file's
    /// header.
    @Test func aClientOfTheOriginalProtocolSyncs() async throws {
        let site = try await Site()
        let file = try site.home.write("alert('four');\n", to: "MyResource.js")
        try await site.operate("resource", "put", "MyResource.js", file, "--version", "4")
        let server = try #require(URL(string: site.address))
        // The server notices another process's publication a moment later.
        let meta = try await eventually("the meta document") {
            let (data, response) = try await URLSession.shared.data(
                from: server.appending(path: "GBCloudBoxResourcesMeta/MyResource.js"))
            return (response as? HTTPURLResponse)?.statusCode == 200 ? data : nil
        }
        struct Meta: Decodable {
            let v: Int
            let url: URL
            let md5: String
        }
        let read = try JSONDecoder().decode(Meta.self, from: meta)
        #expect(read.v == 4)
        #expect(
            read.url.scheme == "http" && read.url.host() == "127.0.0.1", "\(read.url) is absolute: the original resolves nothing")
        let (data, response) = try await URLSession.shared.data(from: read.url)
        #expect(String(decoding: data, as: UTF8.self) == "alert('four');\n")
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Resource-Version") == "4")
        #expect(Digest(.md5, of: data)?.hex == read.md5)
    }

    @Test("A client downloads only changed versions of a resource")
    func unchangedResourceIsNotLoaded() async throws {
        let site = try await Site()
        let server = try #require(URL(string: site.address))
        let box = CloudBoxClient(CloudBoxConfiguration(folder: site.home.url.appending(path: "cache"), servers: [server]))
        try box.register("texts.json")
        let first = try site.home.write(#"{"hello":"hello"}"#, to: "1.json")
        try await site.operate("resource", "put", "texts.json", first)
        #expect(try await update(of: "texts.json", in: box) == .updated(version: 1, from: nil, received: 17))
        #expect(await box.sync("texts.json") == .unchanged(version: 1))
        let second = try site.home.write(#"{"hello":"salut"}"#, to: "2.json")
        try await site.operate("resource", "put", "texts.json", second)
        #expect(try await update(of: "texts.json", in: box) == .updated(version: 2, from: 1, received: 17))
        try await site.operate("resource", "rollback", "texts.json", "--yes")
        #expect(try await update(of: "texts.json", in: box) == .updated(version: 3, from: 2, received: 17))
        #expect(String(decoding: try box.data(for: "texts.json"), as: UTF8.self) == #"{"hello":"hello"}"#)
    }

    /// Syncs until there is a newer version, since the server notices another process's publication a moment later.
    private func update(of name: String, in box: CloudBoxClient) async throws -> SyncOutcome {
        try await eventually("a newer \(name)") {
            let outcome = await box.sync(name)
            if case .unchanged = outcome { return nil }
            if case .failed(let error) = outcome, error.isNotPublished { return nil }
            return outcome
        }
    }
}
