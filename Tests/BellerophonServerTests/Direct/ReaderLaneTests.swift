#if Server
import BellerophonStore
@testable import BellerophonServer
import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing

/// Connections that have moved to a thread for readers, and return from it.
@Suite struct ReaderLaneTests {
    /// Requests after which a connection has moved. The last one may still have been answered by the event loop.
    private static let enough = ConnectionHandler.requestsBeforeMove + 1

    /// A client whose connection has moved.
    private static func moved(_ client: WireClient) throws -> WireAnswer {
        for _ in 1..<enough {
            try client.get("/status")
            _ = try client.answer()
        }
        try client.get("/status")
        return try client.answer()
    }

    private static func dateless(_ text: String) -> String { text.replacing(/Date: [^\r]*/, with: "Date:") }

    /// The number of requests that readers' threads have answered.
    private static func direct(_ live: LiveServer) async -> UInt64 {
        var total: UInt64 = 0
        for loop in live.server.loops {
            guard let readers = try? await loop.loop.submit({ loop.readers }).get(), readers.home == 0 else { continue }
            total += await readers.lane.counts.nonzero.reduce(0) { $0 + $1.count }
        }
        return total
    }

    private static func connections(_ live: LiveServer) -> Int { live.server.loops[0].limiters.connections.count }

    @Test func answersAsTheEventLoopDoes() async throws {
        try await LiveServer.run { live in
            try await live.talk { client in
                try client.get("/status")
                let first = try client.answer()
                let later = try Self.moved(client)
                #expect(Self.dateless(later.head) == Self.dateless(first.head))
                #expect(later.body == first.body)
                try client.get("/status", "If-None-Match: \(try #require(first.field("ETag")))")
                #expect(try client.answer().code == 304)
                try client.get("/status", "If-None-Match: \"other\"")
                #expect(try client.answer().body == first.body)
                try client.send("HEAD /status HTTP/1.1\r\nHost: test\r\n\r\n")
                #expect(Self.dateless(try client.answer(isHead: true).head) == Self.dateless(first.head))
                try client.get("/alive")
                #expect(try client.answer().body == "777")
            }
            #expect(await Self.direct(live) >= 5)
        }
    }

    @Test func countsEveryRequestOnce() async throws {
        try await LiveServer.run { live in
            try await live.talk { client in for _ in 1...20 { _ = try Self.moved(client) } }
            let counts = await live.server.publisher.metrics().counts
            #expect(counts.nonzero.map { $0.count } == [UInt64(20 * Self.enough)])
        }
    }

    @Test func answersRequestsThatArriveTogetherInOrder() async throws {
        try await LiveServer.run { live in
            try await live.talk { client in
                _ = try Self.moved(client)
                let requests = (1...60).map { "GET /\($0 % 3 == 0 ? "alive" : "status") HTTP/1.1\r\nHost: test\r\n\r\n" }
                try client.send(requests.joined() + "GET /v1/journal HTTP/1.1\r\nHost: test\r\n\r\n" + requests.joined())
                for number in 1...60 { #expect((try client.answer().body == "777") == (number % 3 == 0), "\(number)") }
                #expect(try client.answer().code == 401)
                for number in 1...60 { #expect((try client.answer().body == "777") == (number % 3 == 0), "\(number)") }
            }
        }
    }

    @Test func answersFromTheNewestReadModel() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            try await live.talk { reader in
                let publisher = try WireClient(port: live.port)
                _ = try Self.moved(reader)
                for number in 1...20 {
                    #expect(
                        try publisher.put("/status", #"{"action":"kill","message":"number \#(number)"}"#, token: token).code
                            == 201)
                    try reader.get("/status")
                    #expect(try reader.answer().body.contains("number \(number)\""))
                }
            }
            #expect(await Self.direct(live) >= 20)
        }
    }

    @Test(arguments: [
        "PUT /status HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\n{}", "GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n",
        "GET /status HTTP/1.1\r\nHost: test\r\nHost: test\r\n\r\n", "nonsense\r\n\r\n", "GET /status HTTP/1.0\r\n\r\n",
        "GET /status HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n",
    ])
    func otherRequestsReturnToTheEventLoop(request: String) async throws {
        try await LiveServer.run { live in
            let replies = try await live.talk { fresh in
                let moved = try WireClient(port: live.port)
                _ = try Self.moved(moved)
                return try [fresh, moved].map { client in
                    try client.send(request)
                    let answer = try client.answer()
                    return "\(answer.code) \(answer.field("Connection") ?? "")"
                }
            }
            #expect(replies[0] == replies[1])
        }
    }

    @Test func aReturnedConnectionAnswersAndMovesAgain() async throws {
        try await LiveServer.run { live in
            try await live.talk { client in
                _ = try Self.moved(client)
                for _ in 1...3 {
                    try client.get("/ready")
                    #expect(try client.answer().code == 200)
                    for _ in 0..<ConnectionHandler.requestsBeforeSecondMove {
                        try client.get("/status")
                        #expect(try client.answer().code == 200)
                    }
                    _ = try Self.moved(client)
                }
            }
            #expect(await Self.direct(live) >= 4)
            #expect(Self.connections(live) <= 1, "a connection has one slot wherever it is")
        }
    }

    @Test func aSplitRequestIsAnswered() async throws {
        try await LiveServer.run { live in
            try await live.talk { client in
                _ = try Self.moved(client)
                try client.send("GET /sta")
                try client.send("tus HTTP/1.1\r\nHost: test\r\n\r\n")
                #expect(try client.answer().code == 200)
            }
        }
    }

    @Test func aMovedConnectionBecomesAStream() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            try await live.talk { client in
                _ = try Self.moved(client)
                try client.get("/events")
                #expect(try client.readHead().contains("text/event-stream"))
                let publisher = try WireClient(port: live.port)
                #expect(try publisher.put("/status", #"{"action":"kill","message":"now"}"#, token: token).code == 201)
                #expect(try client.read(through: #""now"}"#).contains("event: status"))
            }
        }
    }

    @Test func aClientThatReadsLateGetsAllReplies() async throws {
        try await LiveServer.run { live in
            let port = live.port
            _ = try await onOwnThread {
                let client = try WireClient(port: port)
                let shared = Unchecked(client)
                _ = try Self.moved(client)
                // More than the sockets' buffers take; the server stops reading while this client does not read.
                let requests = 40_000
                let text = String(repeating: "GET /status HTTP/1.1\r\nHost: test\r\n\r\n", count: 100)
                Thread.detachNewThread { for _ in 0..<requests / 100 { try? shared.value.send(text) } }
                for _ in 0..<requests { #expect(try client.answer().code == 200) }
                return true
            }
        }
    }

    @Test func aClosedConnectionReleasesItsSlot() async throws {
        try await LiveServer.run { live in
            try await live.talk { client in
                _ = try Self.moved(client)
                #expect(Self.connections(live) == 1)
            }
            try await eventually("the end of the connection") { Self.connections(live) == 0 ? true : nil }
        }
    }

    @Test func anIdleConnectionIsClosed() async throws {
        try await LiveServer.run {
            $0.limits.idleTime = .milliseconds(200)
        } _: { live in
            let end = try await live.talk { client in
                _ = try Self.moved(client)
                return try client.readToEnd()
            }
            #expect(end == .closed(""))
            try await eventually("the end of the connection") { Self.connections(live) == 0 ? true : nil }
        }
    }

    @Test func aNumberThatIsUsedAgainBelongsToTheOtherConnection() async throws {
        try await LiveServer.run { live in
            let loop = live.server.loops[0]
            let readers = try #require(try await loop.loop.submit { loop.readers }.get())
            var (first, second): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
            #expect(socketpair(AF_UNIX, SocketPlatform.stream, 0, &first) == 0)
            #expect(socketpair(AF_UNIX, SocketPlatform.stream, 0, &second) == 0)
            // The first descriptor stays open, like that of a channel that has not closed yet.
            let socket = fcntl(first[0], F_DUPFD_CLOEXEC, 900)
            let slot = try #require(loop.limiters.connections.take(nil, Limits()))
            readers.lane.keep(socket, KeptConnection(until: .distantFuture, address: nil, slot: slot, home: readers.home))
            close(first[1])
            try await eventually("the end of the connection") { Self.connections(live) == 0 ? true : nil }
            #expect(dup2(second[0], socket) == socket)
            let request = "GET /v1/journal HTTP/1.1\r\nHost: test\r\n\r\n"
            #expect(write(second[1], request, request.utf8.count) == request.utf8.count)
            // The thread has looked at its sockets when it replies.
            for _ in 1...3 { _ = await readers.lane.counts }
            var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            #expect(poll(&poller, 1, 0) == 1, "nobody else has read the request")
            for descriptor in [first[0], socket] + second { close(descriptor) }
        }
    }

    @Test func theShutdownEndsMovedConnections() async throws {
        let client = Mutex<Unchecked<WireClient>?>(nil)
        try await LiveServer.run { live in
            let port = live.port
            try await onOwnThread {
                let made = try WireClient(port: port)
                _ = try Self.moved(made)
                client.withLock { $0 = Unchecked(made) }
            }
        }
        let left = try #require(client.withLock { $0 })
        let end = try await onOwnThread { try left.value.readToEnd() }
        #expect(end == .closed(""))
    }

    @Test func connectionsStayOnTheirLoopsWhereRequestsAreLogged() async throws {
        try await LiveServer.run {
            $0.logsAccess = true
        } _: { live in
            try await live.talk { client in _ = try Self.moved(client) }
            #expect(await Self.direct(live) == 0)
        }
    }
}

/// A value that is used by one thread at a time.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
#endif
