#if Server
import Hummingbird
import NIOCore
import NIOHTTP1

/// What the router needs to answer a request: from the lane to the router.
typealias LaneResponder = @Sendable (Request, RequestOrigin) async -> Response

/// Who asked.
struct RequestOrigin: Sendable {
    /// The client's address; nil where the system does not tell.
    var address: String?
    /// The resource or publish that a path stands for.
    var route: RouteClass
    /// Whose token it is, once that is known.
    var caller: Caller
}

/// A request that the router works on. It belongs to the connection's event loop.
final class Exchange {
    typealias Source = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, UploadDemand
    >.Source

    let head: HTTPRequestHead
    let route: RouteClass
    /// What it has until its answer is whole.
    let place: TakenPlace
    let caller: Caller
    /// When its head was taken up.
    let arrived: NIODeadline
    var persistence: PrerenderedReply.Persistence
    /// Bytes that the body may have.
    let limit: Int64
    /// The connection ends after the answer, whatever the request asked for.
    var mustClose = false
    private(set) var isBodyWhole: Bool
    /// The router does not keep up.
    var isBodyHeld = false
    /// The client waits to be told that its body is wanted.
    var owesContinue: Bool
    /// Part of the answer was written.
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

    /// Another part of the body.
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

    /// Tells the router that the body will not come whole. What still comes of it is dropped.
    func fail(_ problem: HTTPError) {
        mustClose = true
        isBodyHeld = false
        source?.finish(problem)
        source = nil
    }

    /// The client is gone.
    func abandon() {
        source?.finish(ConnectionGone())
        source = nil
        task?.cancel()
    }

    deinit {
        source?.finish(ConnectionGone())
    }
}

/// The client closed the connection before its request or the answer was whole.
struct ConnectionGone: Error {}

/// Tells the lane that the router wants more of a body.
struct UploadDemand: NIOAsyncSequenceProducerDelegate, Sendable {
    let wantsMore: @Sendable () -> Void

    func produceMore() { wantsMore() }
    func didTerminate() { wantsMore() }
}

/// A body that says when it is first asked for: only then is a waiting client told to send it.
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
