import BellerophonStore
import Foundation
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import BellerophonServer

/// Connections that begin with the readers, and move to an event loop.
@Suite struct ReadersTests {
    private static func read(_ client: WireClient) throws -> WireAnswer {
        return try client.answer(to: "/status")
    }

    /// Moves a client's connection to an event loop.
    private static func move(_ client: WireClient) throws {
        #expect(try client.answer(to: "/ready").code == 200)
    }

    private static func dateless(_ text: String) -> String { text.replacing(/Date: [^\r]*/, with: "Date:") }

    /// The number of requests that the readers' thread has answered.
    private static func direct(_ live: LiveServer) async -> UInt64 {
        await live.server.readers.counts.nonzero.reduce(0) { $0 + $1.count }
    }

    private static func connections(_ live: LiveServer) -> Int { live.server.loops[0].limiters.connections }

    @Test func answersAsTheEventLoopDoes() async throws {
        try await LiveServer.run { live in
            try await live.talk { client in
                let moved = try WireClient(port: live.port)
                try Self.move(moved)
                let (direct, other) = (try Self.read(client), try Self.read(moved))
                #expect(Self.dateless(direct.head) == Self.dateless(other.head))
                #expect(direct.body == other.body)
                #expect(try client.answer(to: "/status", "If-None-Match: \(try #require(direct.field("ETag")))").code == 304)
                #expect(try client.answer(to: "/alive").body == "777")
            }
            #expect(await Self.direct(live) == 3)
        }
    }

    @Test("A connection that has moved to an event loop stays there, and every request is counted once")
    func oneDirection() async throws {
        try await LiveServer.run { live in
            try await live.talk { client in
                for _ in 1...20 { _ = try Self.read(client) }
                try Self.move(client)
                for _ in 1...20 { #expect(try Self.read(client).code == 200) }
            }
            #expect(await Self.direct(live) == 20)
            #expect(await live.server.publisher.counts().nonzero.first { $0.route == .status }?.count == 40)
            #expect(Self.connections(live) <= 1, "a connection has one slot wherever it is")
        }
    }

    @Test func answersRequestsThatArriveTogetherInOrder() async throws {
        try await LiveServer.talk { client, _ in
            _ = try Self.read(client)
            let requests = (1...60).map { "GET /\($0 % 3 == 0 ? "alive" : "status") HTTP/1.1\r\nHost: test\r\n\r\n" }
            try client.send(requests.joined() + "GET /v1/journal HTTP/1.1\r\nHost: test\r\n\r\n" + requests.joined())
            for number in 1...60 { #expect((try client.answer().body == "777") == (number % 3 == 0), "\(number)") }
            #expect(try client.answer().code == 401)
            for number in 1...60 { #expect((try client.answer().body == "777") == (number % 3 == 0), "\(number)") }
        }
    }

    @Test func aClientThatReadsLateGetsAllReplies() async throws {
        try await LiveServer.run { live in
            let port = live.port
            _ = try await onOwnThread {
                let client = try WireClient(port: port)
                let shared = Unchecked(client)
                let first = try Self.read(client)
                let length = first.head.utf8.count + first.body.utf8.count
                // More than the sockets' buffers take; the server stops reading while this client does not read.
                let requests = 40_000
                let text = String(repeating: "GET /status HTTP/1.1\r\nHost: test\r\n\r\n", count: 100)
                Thread.detachNewThread { for _ in 0..<requests / 100 { try? shared.value.send(text) } }
                let replies = try client.readBytes(requests * length)
                #expect(
                    stride(from: 0, to: replies.count, by: length).allSatisfy {
                        replies[$0...].starts(with: "HTTP/1.1 200 ".utf8)
                    })
                return true
            }
        }
    }

    @Test("Another connection that gets the descriptor's number is not taken for the closed one")
    func numbersAreUsedAgain() async throws {
        try await LiveServer.run { live in
            let loops = live.server.loops
            var (first, second): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
            #expect(socketpair(AF_UNIX, SocketPlatform.stream, 0, &first) == 0)
            #expect(socketpair(AF_UNIX, SocketPlatform.stream, 0, &second) == 0)
            // The first descriptor stays open, like one that a child process has inherited.
            let socket = fcntl(first[0], F_DUPFD_CLOEXEC, try Self.unusedNumber())
            let readers = try Readers(loops, await live.server.publisher.readModel, listener: nil, tls: nil)
            readers.send {
                guard let slot = loops[0].limiters.acquireConnection(nil, Limits()) else { return }
                $0.register(ReaderConnection(socket: socket, slot: slot, until: .distantFuture))
            }
            try await eventually("the connection") { Self.connections(live) == 1 ? true : nil }
            close(first[1])
            try await eventually("the end of the connection") { Self.connections(live) == 0 ? true : nil }
            #expect(dup2(second[0], socket) == socket)
            let request = "GET /v1/journal HTTP/1.1\r\nHost: test\r\n\r\n"
            #expect(write(second[1], request, request.utf8.count) == request.utf8.count)
            // The thread has looked at its sockets when it replies.
            for _ in 1...3 { await readers.run(else: ()) { _ in } }
            var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            #expect(poll(&poller, 1, 0) == 1, "nobody else has read the request")
            await readers.end()
            for descriptor in [first[0], socket] + second { close(descriptor) }
        }
    }

    /// A number that no other descriptor of this process gets while it is free, because others get the lowest free number.
    private static func unusedNumber() throws -> Int32 {
        var limit = rlimit()
        try #require(getrlimit(FileLimit.resource, &limit) == 0)
        return Int32(min(limit.rlim_cur, 20_000)) - 16
    }

    @Test("A connection that moves gets no older reply on its event loop")
    func readModelsNeverGoBack() async throws {
        let store = try Store(folder: try TestFolder().url, creates: true)
        let old = ReadModel(try store.snapshot(), settings: ReadSettings())
        let state = LoopState(EmbeddedEventLoop(), old)
        _ = try await store.publish(Publication(action: .kill, message: "now"), by: "ops")
        let new = ReadModel(try store.snapshot(), settings: ReadSettings(), former: old)
        state.adopt(new)
        #expect(state.replies.reply("/status") == new.reply("/status"))
        state.adopt(old)
        #expect(state.replies.reply("/status") == new.reply("/status"))
    }

    @Test("A server that has stopped keeps neither its thread's descriptors nor its store")
    func stoppedServerIsReleased() async throws {
        struct Parts {
            weak var publisher: ReadModelPublisher?
            weak var loop: LoopState?
        }
        let parts = Mutex(Parts())
        try await LiveServer.run { live in
            _ = try await live.talk { try Self.read($0) }
            parts.withLock { $0 = Parts(publisher: live.server.publisher, loop: live.server.loops.first) }
        }
        try await eventually("the release") { parts.withLock { $0.publisher == nil && $0.loop == nil } ? true : nil }
    }

    @Test func theShutdownEndsConnections() async throws {
        let client = Mutex<Unchecked<WireClient>?>(nil)
        try await LiveServer.run { live in
            let port = live.port
            try await onOwnThread {
                let made = try WireClient(port: port)
                _ = try Self.read(made)
                client.withLock { $0 = Unchecked(made) }
            }
        }
        let left = try #require(client.withLock { $0 })
        let end = try await onOwnThread { try left.value.readToEnd() }
        #expect(end == .closed(""))
    }

    @Test func connectionsMoveAtOnceWhereRequestsAreLogged() async throws {
        try await LiveServer.run {
            $0.logsAccess = true
        } _: { live in
            try await live.talk { client in _ = try Self.read(client) }
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
