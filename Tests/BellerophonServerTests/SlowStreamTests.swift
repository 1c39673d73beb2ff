import BellerophonStore
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import BellerophonServer

/// A stream whose client reads slowly, on an event loop that only the test runs.
@Suite struct SlowStreamTests {
    private let folder: TestFolder
    private let store: Store

    init() throws {
        folder = try TestFolder()
        store = try Store(folder: folder.url, creates: true)
    }

    private func readModel() throws -> ReadModel { ReadModel(try store.snapshot(), settings: ReadSettings()) }

    private func publish(_ message: String) async throws -> Snapshot {
        _ = try await store.publish(Publication(action: .kill, message: message), by: "ops")
        return try store.snapshot()
    }

    /// One connection with a stream on it.
    private final class Connection {
        let channel = EmbeddedChannel()
        let state: LoopState

        init(_ readModel: ReadModel, stallTime: Duration = .seconds(30)) throws {
            state = LoopState(channel.embeddedEventLoop, readModel) { $0.limits.stallTime = stallTime }
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(state))
            try channel.receive("/events")
        }

        func adopt(_ snapshot: Snapshot) {
            state.adopt(ReadModel(snapshot, settings: ReadSettings(), former: state.readModel))
            channel.embeddedEventLoop.run()
        }

        func setWritable(_ isWritable: Bool) {
            channel.isWritable = isWritable
            channel.pipeline.fireChannelWritabilityChanged()
        }
    }

    @Test func getsOnlyTheNewestStatusOnceItReadsAgain() async throws {
        let connection = try Connection(try readModel())
        #expect(try connection.channel.written().hasPrefix("HTTP/1.1 200 OK\r\n"))
        connection.setWritable(false)
        for message in ["one", "two", "three"] { connection.adopt(try await publish(message)) }
        #expect(try connection.channel.written() == "")
        connection.setWritable(true)
        let text = try connection.channel.written()
        #expect(text.components(separatedBy: "event: status").count == 2)
        #expect(text.contains(#""userMessage":"three""#))
        connection.setWritable(true)
        #expect(try connection.channel.written() == "", "nothing is told twice")
    }

    @Test func missesNoResource() async throws {
        let connection = try Connection(try readModel())
        _ = try connection.channel.written()
        connection.setWritable(false)
        for (name, text) in [("a.txt", "1"), ("b.txt", "1"), ("a.txt", "2")] {
            try await store.put(name, text)
            connection.adopt(try store.snapshot())
        }
        connection.setWritable(true)
        #expect(
            try connection.channel.written() == """
                event: resources
                data: {"name":"b.txt","v":1}

                event: resources
                data: {"name":"a.txt","v":2}


                """)
    }

    @Test func isKeptAsLongAsItTakesSome() async throws {
        let connection = try Connection(try readModel(), stallTime: .zero)
        connection.channel.write(ByteBuffer(string: "a message"), promise: nil)
        connection.setWritable(false)
        connection.channel.flush()
        connection.state.tick()
        #expect(connection.state.limiters.streams == 1, "it took the message since the last look")
        connection.state.tick()
        #expect(connection.state.limiters.streams == 0, "and nothing more")
    }

    @Test func heartbeatsLeaveTheLoopTimeForOthers() throws {
        let loop = EmbeddedEventLoop()
        let count = 2 * LoopState.atOnce + 1
        let state = LoopState(loop, try readModel()) { $0.heartbeat = .zero }
        let channels = try (1...count).map { _ in
            let channel = EmbeddedChannel(loop: loop)
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(state))
            try channel.receive("/events")
            return channel
        }
        /// The number of channels that were written to since the last call.
        func written() throws -> Int { try channels.reduce(0) { try $0 + ($1.written().isEmpty ? 0 : 1) } }
        #expect(try written() == count)
        state.tick()
        #expect(try written() == LoopState.atOnce)
        // A tick before the end of a round does not start another.
        state.tick()
        #expect(try written() == 0)
        loop.advanceTime(by: .milliseconds(1))
        #expect(try written() == count - LoopState.atOnce)
        state.tick()
        #expect(try written() == LoopState.atOnce)
        loop.advanceTime(by: .milliseconds(1))
    }
}
