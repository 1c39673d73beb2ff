#if Server
import HTTPTypes
import Hummingbird
import NIOCore

/// Transfers the router's response from its task to the connection's event loop.
struct LaneAnswer: Sendable {
    let lane: NIOLoopBound<ConnectionHandler>
    let exchange: NIOLoopBound<Exchange>
    let eventLoop: any EventLoop

    func send(_ response: Response, isHead: Bool) async {
        do {
            try await eventLoop.submit { lane.value.open(exchange.value, response) }.get()
            if isHead {
                try await finish()
            } else {
                try await response.body.write(LaneBodyWriter(answer: self))
            }
        } catch {
            eventLoop.execute { lane.value.giveUp(exchange.value) }
        }
    }

    fileprivate func send(_ bytes: ByteBuffer) async throws {
        try await eventLoop.flatSubmit { lane.value.send(bytes, exchange.value) }.get()
    }

    fileprivate func finish(after bytes: ByteBuffer? = nil) async throws {
        try await eventLoop.submit { lane.value.finish(exchange.value, bytes) }.get()
    }
}

/// Writes a body. The last piece is sent with the end, so that a small response takes one step.
private struct LaneBodyWriter: ResponseBodyWriter {
    let answer: LaneAnswer
    private var held: ByteBuffer?

    init(answer: LaneAnswer) {
        self.answer = answer
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        if let held { try await answer.send(held) }
        held = buffer
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await answer.finish(after: held)
    }
}
#endif
