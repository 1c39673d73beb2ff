#if Server
import BellerophonStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

extension ConnectionHandler {
    /// Passes a request to the router. A request that needs a token and has none is refused here and takes no place.
    func route(_ head: HTTPRequestHead, _ facts: RequestFacts) {
        let kind = RequestKind(head.method, path: head.path, loop.settings)
        if let length = facts.contentLength, length > kind.bodyLimit {
            return refuse(.tooLarge(kind.bodyLimit))
        }
        switch Admission(kind, bearer: BearerToken.read(facts.authorization), known: loop.readModel.snapshot.tokens) {
        case .tokenMissing:
            loop.limiters.failures.count(.missing)
            answer(.unauthorized, head, facts, kind.route)
        case .place(let place, let token):
            // An operator must be able to publish from an address that others use too.
            if token == nil, let problem = overuse() { return answer(problem, head, facts, kind.route) }
            let address = context?.channel.remoteAddress?.ipAddress
            do throws(HTTPError) {
                let taken = try loop.limiters.take(place, limits, from: address, by: token)
                route(head, facts, kind, taken, RequestOrigin(address: address, route: kind.route, caller: Caller(token?.name)))
            } catch {
                // Too many requests are in progress: this one is refused, and accepted requests are unaffected.
                loop.countShed()
                answer(error, head, facts, kind.route)
            }
        }
    }

    /// Passes a read that the read model can answer to the router, which first looks for something newer. It is the connection's
    /// last request, so that it takes no place.
    func routeRead(_ head: HTTPRequestHead, _ facts: RequestFacts) {
        let kind = RequestKind(head.method, path: head.path, loop.settings)
        if let problem = overuse() { return answer(problem, head, facts, kind.route) }
        let address = context?.channel.remoteAddress?.ipAddress
        let origin = RequestOrigin(address: address, route: kind.route, caller: Caller(nil))
        route(head, facts, kind, TakenPlace(limiters: loop.limiters), origin)
    }

    /// Whether a request has a token that is known and has not expired.
    func showsToken(_ facts: RequestFacts) -> Bool {
        guard let hash = BearerToken.read(facts.authorization).flatMap(Store.tokenHash),
            let token = loop.readModel.snapshot.tokens[hash]
        else { return false }
        return !token.isExpired(at: Date())
    }

    private func route(
        _ head: HTTPRequestHead, _ facts: RequestFacts, _ kind: RequestKind, _ place: TakenPlace, _ origin: RequestOrigin
    ) {
        guard let request = HTTPRequest(head) else {
            place.release()
            return refuse(HTTPError(400, "the method or a field's name is not valid", hint: "see RFC 9110, section 5"))
        }
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let (body, source) = facts.hasBody ? Self.upload(bound, loop.loop) : (RequestBody(buffer: ByteBuffer()), nil)
        let exchange = Exchange(head, facts, kind, place: place, caller: origin.caller, arrived: arrived, source: source)
        let now = NIODeadline.now()
        let progress = ConnectionState.BodyProgress(
            until: now + TimeAmount(kind.bodyTime), limit: kind.bodyLimit,
            rate: kind.place == .uploads ? UploadRate(limits, since: now) : nil)
        state.requestWasRouted(
            facts.hasBody ? progress : nil,
            expectsContinue: facts.expectsContinue)
        job = .request(exchange)
        start(Request(head: request, body: body), exchange, origin, bound)
    }

    private func start(
        _ request: Request, _ exchange: Exchange, _ origin: RequestOrigin, _ bound: NIOLoopBound<ConnectionHandler>
    ) {
        let responder = loop.responder
        let eventLoop = loop.loop
        let handle = NIOLoopBound(exchange, eventLoop: eventLoop)
        exchange.task = Task {
            let response = await responder(request, origin)
            let answer = LaneAnswer(lane: bound, exchange: handle, eventLoop: eventLoop)
            await answer.send(response, isHead: request.method == .head)
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
        let body = UploadBody(base: made.sequence) { eventLoop.execute { bound.value.sendContinue() } }
        return (RequestBody(asyncSequence: body), made.source)
    }

    /// The router has consumed the buffered part of the body.
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
        guard isReplying(exchange) else { return }
        if state.replyBegins(isDraining: endsAfterReply) { exchange.persistence = .close }
        exchange.code = response.status.code
        exchange.framing = Self.framing(response, exchange)
        if exchange.framing == .close { exchange.persistence = .close }
        let bytes = ResponseHead.render(
            response.status, response.headers, framing: exchange.framing, persistence: exchange.persistence, date: loop.date
        )
        exchange.written += bytes.readableBytes
        write(bytes)
    }

    private static func framing(_ response: Response, _ exchange: Exchange) -> ResponseHead.Framing {
        if response.status == .noContent || response.status == .notModified { return .none }
        if let length = response.headers[.contentLength].flatMap({ Int($0) }) { return .length(length) }
        return exchange.head.version.minor == 0 ? .close : .chunked
    }

    /// Writes a piece of a response's body.
    /// - Returns: succeeds once the bytes are written to the socket, so that a file's reader waits for a slow client.
    func send(_ bytes: ByteBuffer, _ exchange: Exchange) -> EventLoopFuture<Void> {
        guard isReplying(exchange), let context else { return loop.loop.makeFailedFuture(ConnectionGone()) }
        guard bytes.readableBytes > 0, exchange.framing != .none else { return loop.loop.makeSucceededVoidFuture() }
        let written = context.eventLoop.makePromise(of: Void.self)
        writePiece(bytes, exchange, context, written)
        flushIfNeeded()
        return written.futureResult
    }

    private func writePiece(
        _ bytes: ByteBuffer, _ exchange: Exchange, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        let isChunk = exchange.framing == .chunked
        exchange.written += bytes.readableBytes
        if isChunk { write(ByteBuffer(string: String(bytes.readableBytes, radix: 16) + "\r\n")) }
        needsFlush = true
        context.write(wrapOutboundOut(bytes), promise: promise)
        if isChunk { write(ByteBuffer(string: "\r\n")) }
    }

    /// Ends a complete response. The place is released before the last bytes are sent, so that a client that has the
    /// reply finds the place free and the request counted.
    /// - Parameter last: the last piece of the body; nil if everything is written.
    func finish(_ exchange: Exchange, _ last: ByteBuffer?) {
        guard isReplying(exchange), let context else { return }
        if let last, last.readableBytes > 0, exchange.framing != .none { writePiece(last, exchange, context, nil) }
        if exchange.framing == .chunked, exchange.head.method != .HEAD { write(ByteBuffer(string: "0\r\n\r\n")) }
        note(exchange.head, exchange.route, exchange.code, bytes: exchange.written, since: exchange.arrived, by: exchange.caller)
        let action = state.replyEnded(isLast: exchange.persistence == .close, at: loop.now)
        if action == .takeHeldParts {
            exchange.place.release()
            job = nil
            flushIfNeeded()
        }
        perform(action)
        if action == .takeHeldParts { loop.drainIfEnding(self) }
    }

    /// The rest of the response is unavailable. The connection is closed, so that the client notices the truncation.
    func giveUp(_ exchange: Exchange) {
        if isReplying(exchange) { close() }
    }

    private func isReplying(_ exchange: Exchange) -> Bool {
        guard case .request(let present) = job else { return false }
        return present === exchange
    }
}

extension HTTPRequest {
    /// Nil if the method or a field's name is not valid in HTTP.
    init?(_ head: HTTPRequestHead) {
        guard let method = HTTPRequest.Method(rawValue: head.method.rawValue) else { return nil }
        var fields = HTTPFields()
        for (name, value) in head.headers {
            guard let name = HTTPField.Name(name) else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(method: method, scheme: nil, authority: head.headers.first(name: "Host"), path: head.uri, headerFields: fields)
    }
}
#endif
