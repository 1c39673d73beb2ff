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
    let route: RouteClass
    /// The place that the request holds until its response is complete.
    let place: TakenPlace
    let caller: Caller
    /// When the request's head arrived.
    let arrived: NIODeadline
    var persistence: PrerenderedReply.Persistence
    /// The maximum size of the body, in bytes.
    let limit: Int64
    /// The connection closes after the response, even if the request allows reuse.
    var mustClose = false
    private(set) var isBodyWhole: Bool
    /// Reading is paused because the router consumes the body too slowly.
    var isBodyHeld = false
    /// The client waits for `100 Continue` before it sends the body.
    var owesContinue: Bool
    /// Part of the response was written.
    var isAnswering = false
    var framing = ResponseHead.Framing.none
    var code = 0
    var written = 0
    var task: Task<Void, Never>?
    private var source: Source?
    private var received: Int64 = 0

    init(
        _ head: HTTPRequestHead, _ facts: RequestFacts, _ kind: RequestKind, place: TakenPlace, caller: Caller,
        arrived: NIODeadline,
        source: Source?
    ) {
        self.head = head
        self.place = place
        self.caller = caller
        self.arrived = arrived
        route = kind.route
        limit = kind.bodyLimit
        self.source = source
        persistence = facts.persistence
        isBodyWhole = source == nil
        owesContinue = facts.expectsContinue && source != nil
    }

    /// Processes a part of the body.
    func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head: break
        case .body(let bytes):
            received += Int64(bytes.readableBytes)
            owesContinue = false
            guard received <= limit else { return fail(.tooLarge(limit)) }
            if let source, case .stopProducing = source.yield(bytes) { isBodyHeld = true }
        case .end:
            isBodyWhole = true
            source?.finish()
            source = nil
        }
    }

    /// Ends the body with an error for the router. The rest of the body is dropped.
    func fail(_ problem: HTTPError) {
        mustClose = true
        isBodyHeld = false
        source?.finish(problem)
        source = nil
    }

    /// The client has disconnected.
    func abandon() {
        source?.finish(ConnectionGone())
        source = nil
        task?.cancel()
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
