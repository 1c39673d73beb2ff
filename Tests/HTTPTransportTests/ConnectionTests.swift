import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which connections a client uses again.
@Suite("Connections")
struct ConnectionTests {
    private typealias Whole = HTTPClientTests.Whole

    private let client = HTTPClient()

    private func get(_ url: URL, within deadline: Duration = patience * 2) async -> (Whole, HTTPEnd<Never>) {
        await client.perform(
            URLRequest(url: url), limits: HTTPLimits(deadline: deadline, redirects: 3), handler: Whole())
    }

    private func url(_ relay: Relay) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(relay.port)/status"))
    }

    /// Leaves this many idle connections.
    private func warmUp(_ count: Int, _ relay: Relay, _ server: HostileServer) async throws {
        let url = try url(relay)
        relay.holdsReplies = true
        let requests = (0..<count).map { _ in Task { await get(url).1 } }
        _ = try await server.request(number: count)
        relay.holdsReplies = false
        for request in requests { #expect(await request.value == .complete) }
        #expect(relay.accepted == count)
    }

    @Test("The next exchange after a missed deadline uses a new connection")
    func deadlineOpensNewConnection() async throws {
        let server = try HostileServer()
        let relay = try Relay(to: server.port)
        try await warmUp(3, relay, server)
        relay.freeze()
        let limit = Duration.milliseconds(200)
        #expect(await get(try url(relay), within: limit).1 == .failed(.deadline(limit)))
        #expect(await get(try url(relay)).1 == .complete)
        #expect(relay.accepted == 4)
        #expect(await get(try url(relay)).1 == .complete)
    }

    @Test("The next exchange after a cancellation uses a new connection")
    func cancelOpensNewConnection() async throws {
        let server = try HostileServer()
        let relay = try Relay(to: server.port)
        try await warmUp(2, relay, server)
        server.reply = .hang
        let ended = Watched<HTTPEnd<Never>?>(nil)
        let cancel = client.start(
            URLRequest(url: try url(relay)), limits: HTTPClientTests.limits, handler: Whole()
        ) { _, end in ended.update { $0 = end } }
        _ = try await server.request(number: 3)
        relay.freeze()
        cancel()
        #expect(try await ended.wait(for: "end") { $0 } == .failed(.cancelled))
        server.reply = .json("{}")
        #expect(await get(try url(relay)).1 == .complete)
        #expect(relay.accepted == 3)
    }

    @Test func aRefusedReplyLeavesOtherConnectionsInUse() async throws {
        let server = try HostileServer()
        let relay = try Relay(to: server.port)
        try await warmUp(2, relay, server)
        server.reply = .gzip("{}")
        #expect(await get(try url(relay)).1 != .complete)
        server.reply = .json("{}")
        #expect(await get(try url(relay)).1 == .complete)
        #expect(relay.accepted == 2)
    }

    @Test("A failure leaves connections to other servers in use")
    func failureSparesOtherServers() async throws {
        let (server, other) = (try HostileServer(), try HostileServer())
        #expect(await get(other.url()).1 == .complete)
        server.resetsConnections = true
        #expect(await get(server.url()).1 != .complete)
        #expect(await get(other.url()).1 == .complete)
        #expect(other.requests.map(\.connection) == [1, 1])
    }

    @Test func bytesOnAnIdleConnectionAreNoReply() async throws {
        let server = try HostileServer(.json(#"{"number":1}"#))
        let relay = try Relay(to: server.port)
        #expect(await get(try url(relay)).0.text == #"{"number":1}"#)
        relay.inject("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nunasked-for")
        let (response, end) = await get(try url(relay))
        #expect(end == .complete)
        #expect(response.text == #"{"number":1}"#)
        #expect(relay.accepted == 2)
    }

    @Test func aBodyIsSentOnTheNewConnectionOnly() async throws {
        let server = try HostileServer()
        let relay = try Relay(to: server.port)
        #expect(await get(try url(relay)).1 == .complete)
        relay.inject("x")
        var request = URLRequest(url: try url(relay))
        request.httpMethod = "PUT"
        request.httpBody = Data("{}".utf8)
        #expect(await client.perform(request, limits: HTTPClientTests.limits, handler: Whole()).1 == .complete)
        #expect(server.requests.map(\.method) == ["GET", "PUT"])
        #expect(server.requests.last?.body == Array("{}".utf8))
    }

    @Test func aPartThatNobodyAskedForIsRefused() async throws {
        let server = try HostileServer(.json("{}", status: 206, headers: ["Content-Range": "bytes 0-1/9"]))
        let why = "no complete reply: it is a part (HTTP 206), which was not asked for"
        #expect(await get(server.url()).1 == .failed(.connection(.cannotParseResponse, message: why)))
        var request = URLRequest(url: server.url())
        request.setValue("bytes=0-1", forHTTPHeaderField: "Range")
        #expect(await client.perform(request, limits: HTTPClientTests.limits, handler: Whole()).1 == .complete)
    }
}
