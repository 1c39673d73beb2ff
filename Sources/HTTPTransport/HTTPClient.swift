import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests over `URLSession`; all HTTP requests of this package use it.
///
/// It owns the sessions and the current exchanges with their deadlines, redirects and cancellation. The specific handling
/// of a status, a stream or a resource is an ``HTTPHandler``.
///
/// On Linux ``CurlProtocol`` performs the requests with libcurl. Protocol classes of the caller's configuration take
/// precedence, so a barricade replies before the network is used.
package final class HTTPClient: Sendable {
    private let sessions: SessionFactory
    /// Serial. All exchanges of a client and the callbacks of its sessions run on it.
    private let queue: DispatchQueue
    private let cancellations = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// - Parameter configuration: copied; the copy uses no cache, cookies or stored credentials.
    package init(_ configuration: URLSessionConfiguration = .ephemeral) {
        // A serial queue of its own is served even if blocked work fills the shared thread pool.
        queue = DispatchQueue(label: "bellerophon.http", qos: .userInitiated)
        sessions = SessionFactory(configuration, callbacks: queue)
    }

    deinit {
        for cancel in cancellations.withLock({ Array($0.values) }) { cancel() }
    }

    /// Starts an exchange without waiting.
    /// - Parameters:
    ///   - upload: a file that is sent as the request's body.
    ///   - onEnd: called exactly once, on the client's queue, with the final value of the handler.
    /// - Returns: closes the exchange's connection; the exchange ends with ``TransportError/cancelled``. No effect after its end.
    @discardableResult
    package func start<Handler: HTTPHandler>(
        _ request: URLRequest, upload: URL? = nil, limits: HTTPLimits, handler: Handler,
        onEnd: @escaping @Sendable (Handler, HTTPEnd<Handler.Refusal>) -> Void
    ) -> @Sendable () -> Void {
        let exchange = HTTPExchange(upload: upload, limits: limits, handler: handler, sessions: sessions, queue: queue)
        let id = ObjectIdentifier(exchange)
        cancellations.withLock { $0[id] = { [weak exchange] in exchange?.cancel() } }
        exchange.start(request) { [weak self] handler, end in
            _ = self?.cancellations.withLock { $0.removeValue(forKey: id) }
            onEnd(handler, end)
        }
        return { [weak exchange] in exchange?.cancel() }
    }

    /// Performs an exchange. Cancelling the task cancels it.
    package func perform<Handler: HTTPHandler>(
        _ request: URLRequest, upload: URL? = nil, limits: HTTPLimits, handler: Handler
    ) async -> (Handler, HTTPEnd<Handler.Refusal>) {
        await awaitCallback { done in
            start(request, upload: upload, limits: limits, handler: handler) { done(($0, $1)) }
        }
    }
}
