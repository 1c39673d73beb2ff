import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Delivers one outcome to the loading system, unless it is cancelled first: wait, redirects, head, body, end.
///
/// Unchecked because `URLProtocol` isn't Sendable: the loader is only used to call its client, on the queue of the site. The
/// steps run one after another, so that only one thread at a time accesses the body.
final class ReplyDelivery: @unchecked Sendable {
    /// The same limit as Foundation's.
    static let maximumRedirects = 16

    private unowned let loader: URLProtocol
    private let site: LoadingSite
    /// Held during each call to the client. Recursive because the client may stop the delivery during the call.
    private let gate = NSRecursiveLock()
    private var isOver = false
    private var request: URLRequest
    private var redirects = 0
    private var reply = Response.Reply()
    private var body = ReplyBody(Response.Reply())
    private var bodyStart = DispatchTime.now()

    init(_ loader: URLProtocol) {
        self.loader = loader
        request = loader.request
        site = LoadingSite(loader)
    }

    /// Starts with the barricade's outcome for the request.
    func start() {
        let answer = BarricadeClass.owner(of: type(of: loader))?.answer(to: request) ?? .gone(request)
        after(answer.wait) { $0.deliver(answer.outcome) }
    }

    /// Prevents further calls to the client once it has returned: Foundation on Linux ends the process on a call for a task that
    /// has ended.
    func cancel() {
        gate.withLock { isOver = true }
    }

    private var hasEnded: Bool { gate.withLock { isOver } }

    /// Calls the client, unless the delivery has ended.
    private func callClient(isEnd: Bool = false, _ call: (any URLProtocolClient) -> Void) {
        gate.withLock {
            guard !isOver, let client = loader.client else { return }
            isOver = isEnd
            call(client)
        }
    }

    /// Runs a step after a wait, unless the delivery has ended by then.
    private func after(_ wait: Duration, _ step: @escaping @Sendable (ReplyDelivery) -> Void) {
        // The closure keeps the loader alive; the loader keeps this object.
        let deadline = DispatchTime.now() + .nanoseconds(Int(min(max(wait / .nanoseconds(1), 0), 1e18)))
        site.queue.asyncAfter(deadline: deadline) { [self, keep = Keep(loader)] in
            withExtendedLifetime(keep) { hasEnded ? () : step(self) }
        }
    }

    // MARK: Outcomes

    private func deliver(_ outcome: Response.Outcome) {
        switch outcome {
        case .silence: break
        case .failure(let error): fail(error)
        case .reply(let undated):
            let reply = BarricadeClass.owner(of: type(of: loader))?.dated(undated) ?? undated
            guard let head = head(of: reply) else { return fail(URLError(.badServerResponse)) }
            if let next = redirect(head) {
                follow(next, head)
            } else {
                send(head)
            }
        }
    }

    private func head(of reply: Response.Reply) -> HTTPURLResponse? {
        let isBodiless = request.httpMethod == "HEAD" || reply.statusCode == 204 || reply.statusCode == 304
        self.reply = reply
        body = ReplyBody(reply, isBodiless: isBodiless)
        let isEmpty = isBodiless && request.httpMethod != "HEAD"
        let headers = isEmpty ? reply.headers : reply.headers.adding("Content-Length", String(body.length))
        guard let url = request.url else { return nil }
        return HTTPURLResponse(url: url, statusCode: reply.statusCode, httpVersion: "HTTP/1.1", headerFields: headers)
    }

    private func fail(_ error: URLError) {
        callClient(isEnd: true) { $0.urlProtocol(loader, didFailWithError: error) }
    }

    // MARK: Redirects

    /// The next request after a redirect reply with a `Location` (RFC 9110, section 15.4); nil for any other reply.
    private func redirect(_ head: HTTPURLResponse) -> URLRequest? {
        guard let url = reply.redirect(from: request.url) else { return nil }
        var next = request
        next.url = url
        if head.statusCode == 303 || head.statusCode < 303 && request.httpMethod == "POST" {
            next.httpMethod = request.httpMethod == "HEAD" ? "HEAD" : "GET"
            next.httpBody = nil
        }
        return next
    }

    private func follow(_ next: URLRequest, _ head: HTTPURLResponse) {
        redirects += 1
        guard redirects <= Self.maximumRedirects else { return fail(URLError(.httpTooManyRedirects)) }
        site.redirect(loader, to: next, head) { [self, keep = Keep(loader)] decision in
            withExtendedLifetime(keep) {
                guard !hasEnded else { return }
                switch decision {
                case .follow(let request): ask(request)
                case .refuse: send(head)
                case .handedOver: cancel()
                }
            }
        }
    }

    private func ask(_ next: URLRequest) {
        guard let scheme = next.url?.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            let sentence = "a redirect leads to \(next.line), which is no http or https"
            return fail(.barricade(.unsupportedURL, sentence, url: next.url))
        }
        request = next
        start()
    }

    // MARK: Head and body

    private func send(_ head: HTTPURLResponse) {
        callClient { $0.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed) }
        bodyStart = .now()
        let isSlow = reply.bytesPerSecond != nil
        if site.takesPieces, isSlow || body.sentLength > ReplyBody.pieceSize {
            sendPiece()
        } else {
            after(isSlow ? lag(sent: body.sentLength) : .zero) { $0.sendWhole() }
        }
    }

    /// Sends the body in one piece: of several, a completion handler gets only the last on Linux (measured).
    private func sendWhole() {
        guard let data = body.whole() else {
            let sentence = "a body of \(body.sentLength) bytes can only be received in pieces, by a data delegate"
            return fail(.barricade(.dataLengthExceedsMaximum, sentence, url: request.url))
        }
        if !data.isEmpty { callClient { $0.urlProtocol(loader, didLoad: data) } }
        finish()
    }

    private func sendPiece() {
        let size = reply.bytesPerSecond.map { min(max($0 / 20, 1), ReplyBody.pieceSize) } ?? ReplyBody.pieceSize
        // The wait precedes the bytes, so that the rate is never exceeded.
        after(lag(sent: min(body.sent + size, body.sentLength))) { delivery in
            guard let data = delivery.body.next(atMost: size) else { return delivery.finish() }
            delivery.callClient { $0.urlProtocol(delivery.loader, didLoad: data) }
            delivery.site.afterDelegate { [keep = Keep(delivery.loader)] in
                withExtendedLifetime(keep) { delivery.hasEnded ? () : delivery.sendPiece() }
            }
        }
    }

    /// The remaining time until this number of bytes may have been sent.
    private func lag(sent: Int) -> Duration {
        guard let rate = reply.bytesPerSecond, rate > 0 else { return .zero }
        let elapsed = DispatchTime.now().uptimeNanoseconds - bodyStart.uptimeNanoseconds
        return .seconds(Double(sent) / Double(rate)) - .nanoseconds(Int64(clamping: elapsed))
    }

    private func finish() {
        switch reply.ending {
        case .complete, .truncatedBody: callClient(isEnd: true) { $0.urlProtocolDidFinishLoading(loader) }
        case .resetMidBody: fail(URLError(.networkConnectionLost))
        case .stallMidBody: break
        }
    }
}

/// Keeps a loader alive in a closure.
///
/// Unchecked because `URLProtocol` isn't Sendable: the loader is only retained here, never used.
private struct Keep: @unchecked Sendable {
    private let loader: URLProtocol
    init(_ loader: URLProtocol) { self.loader = loader }
}

/// The handling of a redirect.
enum RedirectDecision: Sendable {
    /// The barricade handles the next request.
    case follow(URLRequest)
    /// The redirect reply itself is delivered.
    case refuse
    /// The loading system continues with another loader.
    case handedOver
}
