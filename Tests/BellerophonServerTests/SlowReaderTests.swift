import BellerophonStore
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import BellerophonServer

/// A client that reads a response slowly, on an event loop that only the test runs.
@Suite struct SlowReaderTests {
    /// One connection whose bytes wait until the test lets the client read them.
    private final class Connection {
        let channel = EmbeddedChannel()
        let client = SlowClient()
        let state: LoopState

        init(_ change: (inout Limits) -> Void = { _ in }) throws {
            let store = try Store(folder: try TestFolder().url, creates: true)
            let readModel = ReadModel(try store.snapshot(), settings: ReadSettings())
            state = LoopState(channel.embeddedEventLoop, readModel) { change(&$0.limits) }
            try channel.pipeline.syncOperations.addHandlers([client, ConnectionHandler(state)])
            channel.pipeline.fireChannelActive()
        }
    }

    @Test(arguments: ["drain", "idle", "half-closed"])
    func getsTheWholeOfTheLastAnswer(end: String) throws {
        let connection = try Connection { $0.idleTime = end == "idle" ? .zero : .seconds(60) }
        try connection.channel.receive("/alive")
        switch end {
        case "drain": _ = connection.state.drain()
        case "idle": connection.state.tick()
        default: connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        #expect(connection.client.isOpen)
        connection.client.takeAll()
        #expect(try connection.channel.written().hasSuffix("\r\n\r\n777"))
        connection.channel.embeddedEventLoop.run()
        #expect(!connection.client.isOpen, "then the connection ends")
    }

    @Test func isEndedAtOnceWhereNothingWaits() throws {
        let connection = try Connection()
        try connection.channel.receive("/alive")
        connection.client.takeAll()
        let drained = connection.state.drain()
        connection.client.takeAll()
        #expect(!connection.client.isOpen)
        connection.channel.embeddedEventLoop.run()
        try drained.wait()
    }
}

/// Accepts written bytes only when the test requests it. Bytes not accepted are lost when the connection closes.
private final class SlowClient: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private(set) var isOpen = true

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
    func flush(context: ChannelHandlerContext) {}

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        isOpen = false
        context.close(mode: mode, promise: promise)
    }

    func takeAll() { context?.flush() }
}
