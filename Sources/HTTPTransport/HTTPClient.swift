import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests over `URLSession`: the one engine for everything in this package that talks HTTP.
///
/// It owns the sessions, the exchanges under way, their deadlines, redirects and cancellation. What differs between a
/// status, a stream and a resource is an ``HTTPHandler``.
///
/// On Linux the requests are carried by libcurl through ``CurlProtocol``; see there. Protocol classes of the caller's
/// configuration come first, so a barricade answers before any network does.
package final class HTTPClient: Sendable {
    private let sessions: SessionFactory
    /// Serial: all exchanges of a client run on it, and so do the callbacks of its sessions.
    private let queue: DispatchQueue
    private let cancellations = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// - Parameter configuration: copied; its cache, cookies and credentials are turned off in the copy.
    package init(_ configuration: URLSessionConfiguration = .ephemeral) {
        // A serial queue of its own is served even while blocked work fills the shared thread pool.
        queue = DispatchQueue(label: "bellerophon.http", qos: .userInitiated)
        sessions = SessionFactory(configuration, callbacks: queue)
    }

    deinit {
        cancelAll()
    }

    /// Starts an exchange; never waits.
    /// - Parameters:
    ///   - upload: a file that is sent as the request's body.
    ///   - onEnd: called exactly once, on the client's queue, with the handler as it was at the end.
    package func start<Handler: HTTPHandler>(
        _ request: URLRequest, upload: URL? = nil, limits: HTTPLimits, handler: Handler,
        onEnd: @escaping @Sendable (Handler, HTTPEnd<Handler.Refusal>) -> Void
    ) -> HTTPCancellation {
        let exchange = HTTPExchange(limits: limits, handler: handler, sessions: sessions, queue: queue)
        let id = ObjectIdentifier(exchange)
        cancellations.withLock { $0[id] = { [weak exchange] in exchange?.cancel() } }
        exchange.start(request, upload: upload) { [weak self] handler, end in
            _ = self?.cancellations.withLock { $0.removeValue(forKey: id) }
            onEnd(handler, end)
        }
        return HTTPCancellation { [weak exchange] in exchange?.cancel() }
    }

    /// Performs an exchange. Cancelling the task ends it.
    package func perform<Handler: HTTPHandler>(
        _ request: URLRequest, upload: URL? = nil, limits: HTTPLimits, handler: Handler
    ) async -> (Handler, HTTPEnd<Handler.Refusal>) {
        let cancellation = Mutex<HTTPCancellation?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let started = start(request, upload: upload, limits: limits, handler: handler) {
                    continuation.resume(returning: ($0, $1))
                }
                cancellation.withLock { $0 = started }
                if Task.isCancelled { started.cancel() }
            }
        } onCancel: {
            cancellation.withLock { $0 }?.cancel()
        }
    }

    /// Ends every exchange that is under way.
    package func cancelAll() {
        for cancel in cancellations.withLock({ Array($0.values) }) { cancel() }
    }
}

/// Ends an exchange early.
package struct HTTPCancellation: Sendable {
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Closes the exchange's connection and lets it end with ``TransportError/cancelled``. Does nothing after its end.
    package func cancel() {
        onCancel()
    }
}
