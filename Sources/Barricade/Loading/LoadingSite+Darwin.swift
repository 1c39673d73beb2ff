#if canImport(Darwin)
import Dispatch
import Foundation

/// The properties of a request's session that a `URLProtocol` can access.
struct LoadingSite: Sendable {
    /// Where the client is to be called. It accepts calls from any thread.
    let queue = DispatchQueue.global()
    /// Always true: a body may arrive in several pieces.
    let takesPieces = true

    init(_ loader: URLProtocol) {}

    /// Reports the redirect. The loading system asks the delegate and starts another loader; this one ends as cancelled.
    func redirect(
        _ loader: URLProtocol, to next: URLRequest, _ head: HTTPURLResponse,
        then decide: @escaping @Sendable (RedirectDecision) -> Void
    ) {
        loader.client?.urlProtocol(loader, wasRedirectedTo: next, redirectResponse: head)
        loader.client?.urlProtocol(loader, didFailWithError: CocoaError(.userCancelled))
        decide(.handedOver)
    }

    func afterDelegate(_ step: @escaping @Sendable () -> Void) {
        queue.async(execute: step)
    }
}
#endif
