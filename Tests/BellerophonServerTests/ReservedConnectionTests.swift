import BellerophonStore
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import BellerophonServer

/// Connections beyond the limit, for clients with a token.
@Suite struct ReservedConnectionTests {
    /// Runs a server without room for another ordinary connection.
    private static func whileFull(
        _ change: @escaping @Sendable (inout Limits) -> Void = { _ in },
        _ work: @escaping @Sendable (LiveServer, _ token: String) throws -> Void
    ) async throws {
        try await LiveServer.run({
            ($0.limits.connections, $0.limits.streams) = (8, 8)
            change(&$0.limits)
        }) { live in
            let token = try await live.token()
            await live.server.refresh()
            try await live.talk { first in
                let crowd = try [first] + (1...7).map { _ in try WireClient(port: live.port) }
                for member in crowd {
                    #expect(try member.answer(to: "/alive").code == 200)
                }
                try work(live, token)
                for member in crowd { #expect(try member.answer(to: "/status").code == 200, "an accepted connection goes on") }
            }
        }
    }

    /// The answer on a new connection. Like a command, it tries again while the one slot is still that of the connection before,
    /// which the server closes a moment after its last reply.
    private static func answer(_ live: LiveServer, _ ask: (WireClient) throws -> WireAnswer) throws -> WireAnswer {
        let patience = Patience()
        while true {
            let client = try WireClient(port: live.port)
            let answer = try ask(client)
            guard case .closed = try client.readToEnd() else { throw TestError("a reset") }
            if answer.code != 503 || patience.isOver { return answer }
        }
    }

    @Test func anOperatorGetsThroughAndKeepsNoConnection() async throws {
        try await Self.whileFull { live, token in
            for _ in 1...3 {
                let kill = try Self.answer(live) { try $0.put("/status", #"{"action":"kill"}"#, token: token) }
                #expect(kill.code == 201)
                #expect(kill.field("Connection") == "close", "the next operator finds the slot free")
            }
            let status = try Self.answer(live) { client in
                return try client.answer(to: "/status", "Authorization: Bearer \(token)")
            }
            #expect(status.code == 200 && status.field("Connection") == "close")
        }
    }

    @Test("A full server replies HTTP 503 with Retry-After to clients without a known token")
    func unknownTokenGetsRetryAfter() async throws {
        try await Self.whileFull { live, _ in
            for field in ["", "Authorization: Bearer blp_unknown\r\n", "Authorization: Basic YTpi\r\n"] {
                for path in ["/status", "/events", "/v1/journal"] {
                    // Otherwise the connection may be refused before its token is read.
                    let patience = Patience()
                    while live.server.loops[0].limiters.connections > 8 {
                        try #require(!patience.isOver, "no room")
                        usleep(1000)
                    }
                    let client = try WireClient(port: live.port)
                    try client.send("GET \(path) HTTP/1.1\r\nHost: test\r\n\(field)\r\n")
                    let answer = try client.answer()
                    #expect(answer.code == 503 && answer.field("Retry-After") == "5", "\(path) \(field)")
                    guard case .closed = try client.readToEnd() else { throw TestError("a reset") }
                }
            }
        }
    }

    @Test("A full server replies HTTP 503 to a client that sends nothing")
    func silentClientGetsUnavailable() async throws {
        try await Self.whileFull({ $0.tokenTime = .milliseconds(100) }) { live, _ in
            let silent = try WireClient(port: live.port)
            #expect(try silent.answer().code == 503)
            guard case .closed = try silent.readToEnd() else { throw TestError("a reset") }
        }
    }

    @Test("A connection beyond the reserved ones gets HTTP 503 with Retry-After, is closed and is counted as shed")
    func connectionBeyondTheReservedOnesIsRefused() async throws {
        try await LiveServer.talk({
            ($0.limits.connections, $0.limits.streams) = (2, 2)
            $0.limits.tokenTime = patience
        }) { first, live in
            let second = try WireClient(port: live.port)
            for client in [first, second] { #expect(try client.answer(to: "/alive").code == 200) }
            // The only reserved place is that of a client that says nothing. The server accepts in the order of connecting.
            let silent = try WireClient(port: live.port)
            let refused = try WireClient(port: live.port)
            let answer = try refused.answer()
            #expect(answer.code == 503 && answer.field("Retry-After") == "5" && answer.field("Connection") == "close")
            guard case .closed = try refused.readToEnd() else { throw TestError("a reset") }
            let figures = try first.answer(to: "/metrics").body
            #expect(figures.contains("bellerophon_shed_total 1\n"))
            #expect(figures.contains("bellerophon_connections 3\n"), "without the refused one")
            #expect(!silent.hasInput, "its place is still its own")
            #expect(try second.answer(to: "/status").code == 200, "an accepted connection goes on")
        }
    }

    @Test func oneAddressHasItsShareOfTheConnections() async throws {
        try await LiveServer.run({
            ($0.limits.connectionsPerAddress, $0.limits.exemptsLoopback) = (2, false)
        }) { live in
            let token = try await live.token()
            await live.server.refresh()
            try await live.talk { first in
                let second = try WireClient(port: live.port)
                for client in [first, second] {
                    #expect(try client.answer(to: "/alive").code == 200)
                }
                let third = try WireClient(port: live.port)
                #expect(try third.answer(to: "/status").code == 503)
                #expect(try WireClient(port: live.port).put("/status", #"{"action":"kill"}"#, token: token).code == 201)
                withExtendedLifetime((first, second)) {}
            }
        }
    }

    // MARK: The slots

    private func key(_ text: String) throws -> AddressKey { try #require(AddressKey(text)) }

    @Test func everySlotThatIsReleasedIsFreeAgain() throws {
        let limiters = Limiters()
        var limits = Limits()
        (limits.connections, limits.connectionsPerAddress) = (80, 3)
        let (one, other) = (try key("192.0.2.1"), try key("192.0.2.2"))
        for _ in 1...100 {
            let taken = (1...20).map { _ in limiters.acquireConnection(one, limits) }
            #expect(taken.prefix(3).allSatisfy { $0?.isReserved == false })
            #expect(taken.dropFirst(3).prefix(2).allSatisfy { $0?.isReserved == true }, "a quarter of the ten reserved ones")
            #expect(taken.dropFirst(5).allSatisfy { $0?.isRefused == true })
            #expect(limiters.acquireConnection(other, limits)?.isReserved == false)
            withExtendedLifetime(taken) {}
        }
        #expect(limiters.connections == 0)
    }

    @Test func noSingleAddressTakesEverything() throws {
        let limiters = Limiters()
        var limits = Limits()
        limits.connections = 100
        let (one, other) = (try key("192.0.2.1"), try key("192.0.2.2"))
        let taken = (1...1000).compactMap { _ in limiters.acquireConnection(one, limits) }
        #expect(taken.filter { !$0.isReserved && !$0.isRefused }.count == 50)
        #expect(limiters.acquireConnection(other, limits)?.isReserved == false)
        withExtendedLifetime(taken) {}
        limits.connectionsPerAddress = 0
        #expect(limits.key(of: one, limit: limits.connectionsOfAnAddress) == nil, "behind a load balancer")
    }

    @Test(arguments: ["192.0.2.1", "127.0.0.1", "::1", "2001:db8::1", "::ffff:192.0.2.1"])
    func anAddressIsTheSameAsTextAndOnTheSocket(text: String) throws {
        let socket = try SocketAddress(ipAddress: text, port: 1)
        #expect(AddressKey(socket) == AddressKey(text))
        #expect(AddressKey(try SocketAddress(unixDomainSocketPath: "/tmp/a")) == nil)
    }

    // MARK: The state of a connection

    @Test func aReservedConnectionHasTwoSecondsInAll() {
        let start = ConnectionUnderTest.start
        for isSecure in [false, true] {
            var state = ConnectionState(Limits(), isSecure: isSecure, isReserved: true, at: start)
            if isSecure { state.handshakeCompleted(at: start + .milliseconds(900)) }
            #expect(state.tick(at: start + .milliseconds(1999)) { 0 } == .nothing)
            var late = state
            #expect(late.tick(at: start + .seconds(2)) { 0 } == .refuse(.busy(retryAfter: 5)))
            state.bytesCame(10, at: start + .milliseconds(1900))
            #expect(state.tick(at: start + .seconds(2)) { 0 } == .refuse(.headTooSlow))
            _ = state.partCame(.head(ConnectionUnderTest.head), at: start + .milliseconds(1990))
            #expect(state.tick(at: start + .seconds(3)) { 0 } == .nothing, "it has shown its token")
        }
        var silent = ConnectionState(Limits(), isSecure: true, isReserved: true, at: start)
        #expect(silent.tick(at: start + .seconds(2)) { 0 } == .close, "nothing can be sent before the handshake")
    }
}
