import NIOCore
import NIOHTTP1

/// A request that an endpoint handles. It is used on the connection's event loop only.
final class Exchange {
    typealias Source = RequestBody.Pieces.Source

    let head: HTTPRequestHead
    private let endpoint: Endpoint
    /// The slot that the request holds until its response is complete.
    var slot: Slot?
    var persistence: PrerenderedReply.Persistence
    var code = 0
    var written = 0
    var task: Task<Void, Never>?
    /// Nil once the body is complete or has failed, and for a request without a body.
    private var source: Source?

    init(
        _ head: HTTPRequestHead, _ endpoint: Endpoint, slot: Slot, persistence: PrerenderedReply.Persistence, source: Source?
    ) {
        (self.head, self.endpoint, self.slot) = (head, endpoint, slot)
        (self.persistence, self.source) = (persistence, source)
    }

    var route: RouteClass { endpoint.route }
    /// Whether the response's head was written.
    var hasBegun: Bool { code > 0 }
    private var isRead: Bool { head.method == .GET || head.method == .HEAD }
    /// Whether it may change what clients read, and is no upload.
    var isChange: Bool { !isRead && endpoint.body == .document }
    /// Whether the request is carried out once, however often it is sent, so that it is safe to do so after its client has gone.
    private var hasKey: Bool { head.headers.contains(name: "Idempotency-Key") }

    /// Passes a piece of the body to the endpoint.
    /// - Returns: false if the endpoint wants no more for now.
    func passBody(_ bytes: ByteBuffer) -> Bool {
        if case .stopProducing? = source?.yield(bytes) { return false }
        return true
    }

    /// Ends the body.
    /// - Parameter error: what the endpoint gets in place of the rest; nil if the body is complete.
    func endBody(_ error: (any Error)? = nil) {
        if let error { source?.finish(error) } else { source?.finish() }
        source = nil
    }

    /// The client has disconnected. A change that it asked for is not made any more, unless the request has a key.
    func abandon() {
        endBody(ConnectionGone())
        slot = nil
        if !hasKey { task?.cancel() }
    }

    /// The client has closed its side after a complete request. A client that has given up looks the same as one that waits for
    /// the reply, so that a change is not made any more, unless the request has a key.
    func clientSaysNoMore() {
        if !hasKey, !isRead { task?.cancel() }
    }

    deinit { endBody(ConnectionGone()) }
}

/// The client closed the connection before the request or the response was complete.
struct ConnectionGone: Error {}
