import NIOCore

/// Transfers an endpoint's response from its task to the connection's event loop.
struct ResponseTransfer: Sendable {
    let handler: NIOLoopBound<ConnectionHandler>
    let exchange: NIOLoopBound<Exchange>
    let eventLoop: any EventLoop

    func send(_ response: Response, isHead: Bool) async {
        do {
            try await eventLoop.submit { handler.value.open(exchange.value, response) }.get()
            switch isHead ? .empty : response.body {
            case .bytes(let bytes): try await finish(after: bytes)
            case .file(let file): try await send(file)
            }
        } catch {
            eventLoop.execute { handler.value.giveUp(exchange.value) }
        }
    }

    /// The last piece is sent with the end of the response.
    private func send(_ file: FileBody) async throws {
        var held: ByteBuffer?
        for try await piece in file {
            if let held { try await eventLoop.flatSubmit { handler.value.send(held, exchange.value) }.get() }
            held = piece
        }
        try await finish(after: held)
    }

    private func finish(after bytes: ByteBuffer?) async throws {
        try await eventLoop.submit { handler.value.finish(exchange.value, bytes) }.get()
    }
}
