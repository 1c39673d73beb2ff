import Dispatch
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Synchronization

/// Answers the requests of one barricade's sessions. The tag makes each barricade's class a different one.
final class BarricadeProtocol<Tag>: URLProtocol {
    private var delivery: Delivery?

    /// Everything is answered here, also when the barricade is gone: nothing may slip through to the network.
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let (outcome, wait) = BarricadeClass.owner(of: Self.self)?.outcome(for: request)
            ?? (.failure(.barricade(.cancelled, "the barricade of this session is gone", url: request.url)), .zero)
        let delivery = Delivery(loader: self, outcome: outcome)
        self.delivery = delivery
        delivery.start(after: wait)
    }

    override func stopLoading() {
        delivery?.cancel()
        delivery = nil
    }
}

/// Hands one outcome to the loading system, unless it is stopped before.
///
/// Unchecked because `URLProtocol` isn't Sendable: the loader is only used to call its client, which takes calls from
/// any thread, and the mutex lets only the first of delivery and cancellation act.
private final class Delivery: @unchecked Sendable {
    private unowned let loader: URLProtocol
    private let outcome: Response.Outcome
    private let isOver = Mutex(false)

    init(loader: URLProtocol, outcome: Response.Outcome) {
        self.loader = loader
        self.outcome = outcome
    }

    func start(after wait: Duration) {
        guard wait > .zero else { return deliver() }
        let nanoseconds = Int(min(wait / .nanoseconds(1), 1e18))
        // The closure keeps the loader alive; the loader keeps this object.
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self, keep = Keep(loader)] in
            withExtendedLifetime(keep) { deliver() }
        }
    }

    func cancel() {
        isOver.withLock { $0 = true }
    }

    private func deliver() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        switch outcome {
        case .reply(let statusCode, let headers, let body): reply(statusCode, headers, body)
        case .failure(let error): loader.client?.urlProtocol(loader, didFailWithError: error)
        case .silence: break
        }
    }

    /// The body goes in one piece: of several, a completion handler gets only the last on Linux (measured).
    private func reply(_ statusCode: Int, _ headers: [String: String], _ body: Data) {
        let length = ["Content-Length": String(body.count)]
        guard let url = loader.request.url,
            let head = HTTPURLResponse(
                url: url, statusCode: statusCode, httpVersion: "HTTP/1.1",
                headerFields: headers.merging(length) { given, _ in given }
            )
        else {
            loader.client?.urlProtocol(loader, didFailWithError: URLError(.badServerResponse))
            return
        }
        loader.client?.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed)
        if !body.isEmpty { loader.client?.urlProtocol(loader, didLoad: body) }
        loader.client?.urlProtocolDidFinishLoading(loader)
    }
}

/// Carries a loader into a closure without touching it.
private struct Keep: @unchecked Sendable {
    private let loader: URLProtocol
    init(_ loader: URLProtocol) { self.loader = loader }
}
