#if Server
import Hummingbird
import NIOCore
import NIOHTTP1

/// Passes a request from the lane to the router and returns its response.
typealias LaneResponder = @Sendable (Request, RequestOrigin) async -> Response

/// Where a request comes from.
struct RequestOrigin: Sendable {
    /// The client's address; nil if the system does not provide it.
    var address: String?
    /// The class of the request's path.
    var route: RouteClass
    /// The name of the request's token, once known.
    var caller: Caller
}

/// A request that the router handles. It is used on the connection's event loop only.
final class Exchange {
    typealias Source = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, UploadDemand
    >.Source

    let head: HTTPRequestHead
    /// Whether the request is carried out once, however often it is sent, so that it is safe to do so after its client has gone.
    private let hasKey: Bool
    let route: RouteClass
    /// The place that the request holds until its response is complete.
    let place: TakenPlace
    let caller: Caller
    /// When the request's head arrived.
    let arrived: NIODeadline
    var persistence: PrerenderedReply.Persistence
    var framing = ResponseHead.Framing.none
    var code = 0
    /// Whether the response's head was written.
    var hasBegun: Bool { code > 0 }
    var written = 0
    var task: Task<Void, Never>?
    /// Nil once the body is complete or has failed, and for a request without a body.
    private var source: Source?

    init(
        _ head: HTTPRequestHead, _ facts: RequestFacts, _ kind: RequestKind, place: TakenPlace, caller: Caller,
        arrived: NIODeadline,
        source: Source?
    ) {
        self.head = head
        hasKey = head.headers.contains(name: "Idempotency-Key")
        self.place = place
        self.caller = caller
        self.arrived = arrived
        route = kind.route
        self.source = source
        persistence = facts.persistence
    }

    /// Passes a piece of the body to the router.
    /// - Returns: false if the router wants no more for now.
    func passBody(_ bytes: ByteBuffer) -> Bool {
        if case .stopProducing? = source?.yield(bytes) { return false }
        return true
    }

    func completeBody() {
        source?.finish()
        source = nil
    }

    /// Ends the body with an error for the router.
    func failBody(_ problem: HTTPError) {
        source?.finish(problem)
        source = nil
    }

    /// The client has disconnected. A change that it asked for is not made any more, unless the request has a key.
    func abandon() {
        source?.finish(ConnectionGone())
        source = nil
        if !hasKey { task?.cancel() }
    }

    /// The client has closed its side after a complete request. A client that has given up looks the same as one that waits for
    /// the reply, so that a change is not made any more, unless the request has a key.
    func clientSaysNoMore() {
        if !hasKey, head.method != .GET, head.method != .HEAD { task?.cancel() }
    }

    deinit {
        source?.finish(ConnectionGone())
    }
}

/// The client closed the connection before the request or the response was complete.
struct ConnectionGone: Error {}

/// Notifies the lane when the router wants more of a body.
struct UploadDemand: NIOAsyncSequenceProducerDelegate, Sendable {
    let wantsMore: @Sendable () -> Void

    func produceMore() { wantsMore() }
    func didTerminate() { wantsMore() }
}

/// A body that calls ``begin`` when its consumer starts to read; only then is `100 Continue` sent.
struct UploadBody<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == ByteBuffer {
    typealias Element = ByteBuffer

    let base: Base
    let begin: @Sendable () -> Void

    func makeAsyncIterator() -> Base.AsyncIterator {
        begin()
        return base.makeAsyncIterator()
    }
}
#endif
