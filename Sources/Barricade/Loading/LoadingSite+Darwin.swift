#if canImport(Darwin)
import Dispatch
import Foundation

/// The session that a request is loaded for, as far as a `URLProtocol` can see it.
struct LoadingSite: Sendable {
    /// Bodies may always come in several pieces.
    let takesPieces = true

    init(_ loader: URLProtocol) {}

    /// The loading system asks the delegate and starts another loader, so that this one ends as cancelled.
    func redirect(
        _ loader: URLProtocol, to next: URLRequest, _ head: HTTPURLResponse,
        then decide: @escaping @Sendable (RedirectDecision) -> Void
    ) {
        loader.client?.urlProtocol(loader, wasRedirectedTo: next, redirectResponse: head)
        loader.client?.urlProtocol(loader, didFailWithError: CocoaError(.userCancelled))
        decide(.handedOver)
    }

    func afterDelegate(_ step: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: step)
    }
}
#endif
