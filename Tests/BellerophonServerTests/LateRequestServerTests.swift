import Foundation
import NIOCore
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonStore

/// Requests that arrive after another publish, or whose client has gone before their turn.
@Suite("Late requests to a server")
struct LateRequestServerTests {
    private static func body(_ action: StatusAction) -> String { #"{"action":"\#(action.rawValue)"}"# }

    @Test func aPublishSaysWhatItsAuthorHasSeen() async throws {
        try await LiveServer.talk { client, token, _ in
            func restore(_ query: String) throws -> WireAnswer {
                try client.put("/status?\(query)", Self.body(.restore), token: token)
            }
            #expect(try restore("follows=0").code == 201)
            #expect(try client.put("/status", #"{"action":"kill","reason":"leak"}"#, token: token).code == 201)
            let late = try restore("follows=2")
            #expect(late.code == 412 && late.problem == .overtaken && late.body.contains(": leak"), "\(late.body)")
            #expect(try restore("follows=3").code == 201)
            #expect(try restore("follows=3&propose=true").code == 400)
        }
    }

    /// The number of requests whose client has gone.
    private static func withdrawn(_ live: LiveServer) async -> Int {
        var count = 0
        for loop in live.server.loops {
            let found = try? await loop.loop.submit {
                loop.connections.count { connection in
                    guard let exchange = connection.exchange else { return false }
                    return exchange.task?.isCancelled == true
                }
            }.get()
            count += found ?? 0
        }
        return count
    }

    /// A change that takes its time, so that requests wait for their turn.
    private final class LongChange: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let task: Task<Void, Never>

        /// Returns once it has begun.
        init(_ store: Store) async {
            let gate = gate
            let (began, beginning) = AsyncStream.makeStream(of: Void.self)
            task = Task {
                _ = try? await store.database.write { _ in
                    beginning.finish()
                    gate.wait()
                }
            }
            for await _ in began {}
        }

        func end() async {
            gate.signal()
            await task.value
        }
    }

    @Test func aRequestWhoseClientHasGoneIsNotCarriedOut() async throws {
        let log = LogLines()
        try await LiveServer.run(log: log) { live in
            let token = try await live.token()
            // The use of the token is noted, which takes a turn too.
            _ = try await live.talk { try $0.put("/status?dryRun=true", Self.body(.restore), token: token) }
            let change = await LongChange(live.store)
            try await live.talk { client in
                let restore = Self.body(.restore)
                try client.begin("/status", restore.utf8.count, token: token, body: restore)
            }
            // Its client is gone. Another one waits, and one that may be carried out without its client.
            let port = live.port
            try await onOwnThread {
                let kill = #"{"action":"kill","message":"kept"}"#
                let client = try WireClient(port: port)
                try client.begin("/status", kill.utf8.count, token: token, ["Idempotency-Key: once"], body: kill)
            }
            try await eventually("the end of the client") { await Self.withdrawn(live) == 1 ? true : nil }
            await change.end()
            let rows = try await eventually("the row of the request with a key") { () -> [JournalEntry]? in
                let rows = try live.store.journal().filter { $0.scope != nil }
                return rows.isEmpty ? nil : rows
            }
            #expect(rows.map(\.action) == ["kill"])
            try await eventually("a line of the log") {
                log.all.contains("notice: a request was not carried out, because its client has disconnected: ") ? true : nil
            }
            #expect(try live.store.journal().filter { $0.scope != nil }.map(\.action) == ["kill"])
        }
    }
}

/// What stands, over HTTP.
@Suite("Replacements over HTTP")
struct ReplacementServerTests {
    @Test("What would weaken a kill gets 412 with its row unless it names it, and the review says which row that is")
    func replaces() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            let (refused, review, odd, named) = try await live.talk { client in
                _ = try client.put("/status", #"{"action":"kill","reason":"leak"}"#, token: token)
                let kill = try live.store.journal()[0].id
                let timed = #"{"action":"kill","endsAfter":90}"#
                return (
                    try client.put("/status", timed, token: token), try client.put("/status?review=true", timed, token: token),
                    try client.put("/status?replaces=1", #"{"action":"restore"}"#, token: token),
                    try client.put("/status?replaces=\(kill)", timed, token: token)
                )
            }
            let rows = try live.store.journal()
            #expect(
                refused.code == 412 && refused.problem == .standing
                    && refused.body.contains("#\(rows[1].id) kill by test-publish"))
            #expect(review.code == 200 && review.body.contains(#""replaces":\#(rows[1].id)"#))
            #expect(review.body.contains("Publish this, and replace #\(rows[1].id)?"))
            #expect(odd.code == 400 && odd.problem == .invalidRequest)
            #expect(named.code == 201 && rows[0].plan?.replaces == rows[1].id)
        }
    }
}

/// Commands that publish while others do.
@Suite("Overtaken commands")
struct OvertakenCommandTests {
    private let home: TestFolder

    init() throws { home = try TestFolder() }

    private static let kill =
        #"{"action":"kill","app":"default","at":"2026-11-22T06:00:00.000Z","channel":"main","document":"{}","id":7,"who":"ada"}"#

    @Test func aRestoreNamesTheRowThatItFollows() async throws {
        let server = try HostileServer(
            .json(
                #"{"type":"urn:bellerophon:problem:overtaken","detail":"published meanwhile: #8 kill by bob","hint":"look at it"}"#,
                status: 412))
        let status = #"{"app":"default","channel":"main","document":"{}","serial":7"#
        server.enqueue(.json(#"[\#(status),"entry":\#(Self.kill),"newest":\#(Self.kill)}]"#))
        let result = try await runServerCommand(
            ["restore", "--server", "http://127.0.0.1:\(server.port)"],
            environment: ["BELLEROPHON_TOKEN": "blp_test"], home: home)
        #expect(result.status == .exited(65))
        #expect(result.standardError.contains("published meanwhile: #8 kill by bob"))
        #expect(server.requests.map(\.path) == ["/v1/statuses?app=default&channel=main", "/status?follows=7"])
    }

    /// A kill without an end stops everybody, so that it takes no look at what was published, which could fail.
    @Test func aKillIsOneRequest() async throws {
        let server = try HostileServer(.json(Self.kill, status: 201))
        let result = try await runServerCommand(
            ["kill", "--yes", "--server", "http://127.0.0.1:\(server.port)"],
            environment: ["BELLEROPHON_TOKEN": "blp_test"], home: home)
        #expect(result.status == .exited(0))
        #expect(server.requests.map(\.path) == ["/status"])
    }
}
