import BellerophonStore
import Foundation
import NIOCore
import NIOHTTP1

extension ConnectionHandler {
    /// Passes a request to its endpoint. A request that needs a token and has none is refused here and takes no slot.
    func route(_ head: HTTPRequestHead, _ facts: RequestFacts) {
        let (endpoint, parameters) = loop.endpoints.find(head.method.rawValue, head.path)
        if let length = facts.contentLength, length > endpoint.body.size(limits) {
            return refuse(.tooLarge(endpoint.body.size(limits)))
        }
        guard let (slot, token) = endpoint.slot(bearer: head.bearerToken, known: loop.readModel.snapshot.tokens) else {
            loop.limiters.failures.count(.unauthorized)
            return answer(.unauthorized, head, facts, endpoint.route)
        }
        let address = context?.channel.remoteAddress?.ipAddress
        do throws(HTTPError) {
            let taken = try loop.limiters.acquire(slot, limits, from: address, by: token)
            route(Call(head: head, parameters: parameters, address: address), facts, endpoint, taken)
        } catch {
            // Too many requests are in progress: this one is refused, and accepted requests are unaffected.
            loop.counts.shed += 1
            answer(error, head, facts, endpoint.route)
        }
    }

    /// Whether a request has a token that is known and has not expired.
    func showsToken(_ head: HTTPRequestHead) -> Bool {
        guard let hash = head.bearerToken.flatMap(Store.tokenHash),
            let token = loop.readModel.snapshot.tokens[hash]
        else { return false }
        return !token.isExpired(at: Date())
    }

    /// Starts the endpoint's handler.
    private func route(_ call: Call, _ facts: RequestFacts, _ endpoint: Endpoint, _ slot: Slot) {
        let (endpoints, eventLoop) = (loop.endpoints, loop.loop)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let (body, source) = facts.hasBody ? Self.upload(bound, eventLoop) : (.none, nil)
        var call = call
        call.body = body
        let exchange = Exchange(call.head, endpoint, slot: slot, persistence: facts.persistence, source: source)
        let progress = ConnectionState.BodyProgress(
            until: .now() + endpoint.body.time(limits), limit: endpoint.body.size(limits))
        state.requestWasRouted(facts.hasBody ? progress : nil, expectsContinue: facts.expectsContinue)
        self.exchange = exchange
        let handle = NIOLoopBound(exchange, eventLoop: eventLoop)
        exchange.task = Task(executorPreference: endpoints.executor(for: endpoint)) { [call] in
            let response = await endpoints.respond(to: call, at: endpoint)
            await bound.send(response, isHead: call.head.method == .HEAD, handle)
        }
    }

    private static func upload(
        _ bound: NIOLoopBound<ConnectionHandler>, _ eventLoop: any EventLoop
    ) -> (RequestBody, Exchange.Source?) {
        let demand = UploadDemand { eventLoop.execute { bound.value.bodyIsWanted() } }
        let made = NIOThrowingAsyncSequenceProducer.makeSequence(
            elementType: ByteBuffer.self, failureType: (any Error).self,
            backPressureStrategy: NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
                lowWatermark: 2, highWatermark: 8),
            finishOnDeinit: false, delegate: demand
        )
        return (.pieces(made.sequence, begin: { eventLoop.execute { bound.value.sendContinue() } }), made.source)
    }

    /// The endpoint has consumed the buffered part of the body.
    private func bodyIsWanted() {
        state.bodyIsWanted()
        resumeReading()
    }

    private func sendContinue() {
        guard state.bodyIsRead() else { return }
        write(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))
        flushIfNeeded()
    }

    // MARK: Response

    /// Writes a response's head.
    func open(_ exchange: Exchange, _ response: Response) {
        guard self.exchange === exchange else { return }
        if state.replyBegins(isDraining: endsAfterReply) { exchange.persistence = .close }
        exchange.code = Int(response.status.code)
        let mayHaveBody = response.status != .noContent && response.status != .notModified
        let bytes = ResponseHead.render(
            response.status, response.headers, length: mayHaveBody ? response.body.size : nil,
            persistence: exchange.persistence, date: loop.date
        )
        exchange.written += bytes.readableBytes
        write(bytes)
    }

    /// Writes a piece of a response's body.
    /// - Returns: succeeds once the bytes are written to the socket, so that a file's reader waits for a slow client.
    func send(_ bytes: ByteBuffer, _ exchange: Exchange) -> EventLoopFuture<Void> {
        guard self.exchange === exchange, let context else { return loop.loop.makeFailedFuture(ConnectionGone()) }
        guard bytes.readableBytes > 0 else { return loop.loop.makeSucceededVoidFuture() }
        let written = context.eventLoop.makePromise(of: Void.self)
        exchange.written += bytes.readableBytes
        write(bytes, promise: written)
        flushIfNeeded()
        return written.futureResult
    }

    /// Ends a complete response. The slot is released before the last bytes are sent, so that a client that has the
    /// reply finds the slot free and the request counted.
    /// - Parameter last: the last piece of the body.
    func finish(_ exchange: Exchange, _ last: ByteBuffer) {
        guard self.exchange === exchange else { return }
        if last.readableBytes > 0 {
            exchange.written += last.readableBytes
            write(last)
        }
        recordRequest(exchange.head, exchange.route, exchange.code, bytes: exchange.written)
        // Another process has taken over, and this reply's head, written before, does not say that the connection ends.
        guard loop.takesRequests || exchange.persistence == .close else { return end(dropsInput: true) }
        let action = state.replyEnded(isLast: exchange.persistence == .close, at: loop.now)
        if action == .consumeHeldParts {
            exchange.slot = nil
            self.exchange = nil
            flushIfNeeded()
        }
        perform(action)
        if action == .consumeHeldParts { loop.drainIfEnding(self) }
    }
}

extension NIOLoopBound<ConnectionHandler> {
    /// Transfers an endpoint's response from its task to the connection's event loop.
    fileprivate func send(_ response: Response, isHead: Bool, _ exchange: NIOLoopBound<Exchange>) async {
        do {
            try await eventLoop.submit { value.open(exchange.value, response) }.get()
            switch isHead ? .empty : response.body {
            case .bytes(let bytes): try await eventLoop.submit { value.finish(exchange.value, bytes) }.get()
            case .file(let file):
                // The last piece is sent with the end of the response.
                var held = ByteBuffer()
                for try await piece in file {
                    let former = held
                    try await eventLoop.flatSubmit { value.send(former, exchange.value) }.get()
                    held = piece
                }
                let last = held
                try await eventLoop.submit { value.finish(exchange.value, last) }.get()
            }
        } catch {
            // The rest of the response is unavailable. The connection is closed, so that the client notices the truncation.
            eventLoop.execute { if value.exchange === exchange.value { value.close() } }
        }
    }
}
