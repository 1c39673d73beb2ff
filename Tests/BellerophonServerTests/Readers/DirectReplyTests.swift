import BellerophonStore
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import BellerophonServer

/// The same bytes get the same replies from an event loop alone and on a connection that begins with the readers.
@Suite struct DirectReplyTests {
    private static let host = "Host: a\r\n"
    private static let simple = [
        "GET /status HTTP/1.1\r\n\(host)\r\n", "HEAD /status?a=b HTTP/1.1\r\n\(host)\r\n", "GET /alive HTTP/1.1\r\n\(host)\r\n",
        "GET /v1/apps/default/status HTTP/1.1\r\nhost:a\r\nAccept: */*\r\nConnection: Keep-Alive\r\n\r\n",
        "GET /status HTTP/1.1\r\n\(host)If-None-Match: TAG\r\n\r\n",
        "HEAD /status HTTP/1.1\r\n\(host)If-None-Match: \"0\",W/TAG \r\n\r\n",
        "GET /status HTTP/1.1\r\n\(host)If-None-Match: *\r\n\r\n", "GET /status HTTP/1.1\r\n\(host)If-None-Match: \"0\"\r\n\r\n",
        "GET /alive HTTP/1.1\r\n\(host)If-None-Match: *\r\n\r\n",
    ]
    private static let other = [
        "GET /unknown HTTP/1.1\r\n\(host)\r\n", "GET /status HTTP/1.1\r\n\(host)Connection: close\r\n\r\n",
        "GET /status HTTP/1.0\r\n\(host)Connection: keep-alive\r\n\r\n", "GET /status HTTP/1.0\r\n\r\n",
        "GET http://b/status HTTP/1.1\r\n\(host)\r\n", "GET /status HTTP/1.1\r\n\(host)\(host)\r\n",
        "GET /status HTTP/1.1\r\n\r\n",
        "PUT /status HTTP/1.1\r\n\(host)Content-Length: 4\r\n\r\nGET ",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 4\r\n\r\n\r\n\r\n",
        "POST /x HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n4\r\nGET \r\n0\r\n\r\n",
        "GET /status HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        "GET /status HTTP/1.1\r\n\(host)Content-Length: 34\r\n\r\nGET /alive HTTP/1.1\r\nHost: smug\r\n\r\n",
        "GET /status HTTP/1.1\r\n\(host)A: b\r\n c\r\n\r\n", "GET /status HTTP/1.1\nHost: a\n\n",
        "\r\nGET /alive HTTP/1.1\r\n\(host)\r\n", "nonsense\r\n\r\n",
        "GET /status HTTP/1.1\r\n\(host)Upgrade: h2c\r\n\r\n", "GET /status HTTP/1.1\r\n\(host)Expect: 100-continue\r\n\r\n",
        "GET /status HTTP/1.1\r\n\(host)Proxy-Connection: close\r\n\r\n", "HEAD /events HTTP/1.1\r\n\(host)\r\n",
        "GET /events HTTP/1.1\r\n\(host)\r\n",
        "GET /status HTTP/1.1\r\n\(host)A: \(String(repeating: "a", count: 17_000))\r\n\r\n",
    ]

    /// A connection that is fed by the test.
    private struct Connection {
        let channel = NIOAsyncTestingChannel()
        let state: LoopState
        /// Nil once the connection has moved to the event loop.
        private var readers: SimpleReplies?
        private var counts = RequestCounts()

        /// - Parameter beginsWithReaders: false for a connection that is on an event loop from the beginning.
        init(_ model: ReadModel, beginsWithReaders: Bool) {
            state = LoopState(channel.testingEventLoop, model)
            if beginsWithReaders { readers = SimpleReplies(cache: ReplyCache(model)) }
        }

        private func arrive(_ input: ArraySlice<UInt8>, _ model: ReadModel) async throws {
            let connection = ReaderConnection(socket: -1, slot: try state.limiters.acquire([]), until: .distantFuture)
            let arriving = Arrival(connection: connection, readModel: model, input: ByteBuffer(bytes: input))
            let (channel, state) = (channel, state)
            try await channel.testingEventLoop.executeInContext {
                try ConnectionHandler(state, arriving).add(to: channel.pipeline.syncOperations, arriving)
            }
            _ = try? await channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1))
            try await settle()
        }

        /// - Returns: all replies without their dates, and what was counted.
        mutating func replies(to pieces: [ArraySlice<UInt8>]) async throws -> String {
            var text = ""
            if readers == nil { try await arrive([], state.readModel) }
            for piece in pieces {
                if var direct = readers {
                    let (output, used) = piece.withUnsafeBytes { direct.answer($0) }
                    text += String(buffer: output)
                    (readers, counts) = (direct, direct.counts)
                    guard used < piece.count else { continue }
                    readers = nil
                    try await arrive(piece.dropFirst(used), state.readModel)
                } else {
                    // The channel may have been closed by an earlier piece.
                    _ = try? await channel.writeInbound(ByteBuffer(bytes: piece))
                    try await settle()
                }
            }
            while let bytes = try await channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
            let state = state
            counts.add(try await channel.testingEventLoop.executeInContext { state.counts })
            let isClosed = readers == nil && !channel.isActive
            _ = try? await channel.finish()
            return text.replacing(/Date: [^\r]*/, with: "Date:")
                + "\(counts.nonzero.map { "\($0.route) \($0.code) \($0.count)" }), closed: \(isClosed)"
        }

        /// Waits until the endpoint has replied.
        private func settle() async throws {
            let (loop, pipeline) = (channel.testingEventLoop, channel.pipeline)
            while true {
                await loop.run()
                let isBusy = try await loop.executeInContext {
                    (try? pipeline.syncOperations.handler(type: ConnectionHandler.self).exchange) != nil
                }
                guard isBusy else { return }
                await Task.yield()
            }
        }
    }

    private static func model() throws -> ReadModel {
        ReadModel(try Store(folder: try TestFolder().url, creates: true).snapshot(), settings: ReadSettings())
    }

    private func expectSame(_ model: ReadModel, _ pieces: [ArraySlice<UInt8>], _ comment: @autoclosure () -> String) async throws
    {
        var (onLoop, withReaders) = (
            Connection(model, beginsWithReaders: false), Connection(model, beginsWithReaders: true)
        )
        let expected = try await onLoop.replies(to: pieces)
        let replies = try await withReaders.replies(to: pieces)
        #expect(replies == expected, "\(comment())")
    }

    private static func bytes(_ text: String, _ model: ReadModel) -> [UInt8] {
        Array(text.replacing("TAG", with: model.reply("/status")?.etag ?? "").utf8)
    }

    @Test func simpleRequestsAreAnsweredWithoutTheParser() async throws {
        let model = try Self.model()
        for text in Self.simple {
            let bytes = Self.bytes(text, model)
            #expect(bytes.withUnsafeBytes { SimpleRequest($0, at: 0) }?.end == bytes.count, "\(text)")
            try await expectSame(model, [bytes[...]], text)
            try await expectSame(model, [bytes[...], bytes[...], bytes[...]], text)
        }
    }

    @Test func splitRequestsGetTheSameReplies() async throws {
        let model = try Self.model()
        for text in [
            Self.simple[0] + Self.simple[1], Self.simple[4] + Self.simple[2], Self.simple[0] + Self.other[9] + Self.simple[0],
        ] {
            let bytes = Self.bytes(text, model)
            for place in 1..<bytes.count {
                try await expectSame(model, [bytes[..<place], bytes[place...]], "\(text) at \(place)")
            }
            try await expectSame(model, bytes.indices.map { bytes[$0...$0] }, "\(text) in single bytes")
        }
    }

    @Test func everyOrderOfRequestsGetsTheSameReplies() async throws {
        let model = try Self.model()
        for one in Self.other {
            for text in [one, Self.simple[0] + one + Self.simple[0], one + one] {
                let bytes = Self.bytes(text, model)
                try await expectSame(model, [bytes[...]], text)
                let half = bytes.count / 2
                try await expectSame(model, [bytes[..<half], bytes[half...]], text)
            }
        }
    }

    @Test(arguments: Seed.range("mutated requests", default: 0..<2)) func mutatedRequestsGetTheSameReplies(
        seed: UInt64
    ) async throws {
        let model = try Self.model()
        var random = SplitMix64(seed: seed)
        for number in 0..<60 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let texts = Int.random(in: 0..<3, using: &random) == 0 ? Self.other.dropLast(1)[...] : Self.simple[...]
                bytes += Self.bytes(texts.randomElement(using: &random) ?? "", model)
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) { Self.mutate(&bytes, &random) }
            let places = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0...bytes.count, using: &random) }
                .sorted()
            let pieces = zip([0] + places, places + [bytes.count]).map { bytes[$0..<$1] }.filter { !$0.isEmpty }
            try await expectSame(
                model, pieces, "seed \(seed), number \(number): \(String(decoding: bytes, as: UTF8.self)) at \(places)")
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let special = Array("\r\n\t :,;/?#*0\"\0\u{7f}".utf8) + [0x80, 0xff]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.insert(special.randomElement(using: &random) ?? 0, at: place)
        case 2 where bytes.count > 1: bytes.remove(at: place)
        default: bytes[place] = special.randomElement(using: &random) ?? 0
        }
    }
}
