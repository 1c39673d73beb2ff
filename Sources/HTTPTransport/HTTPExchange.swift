import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange: a request, the redirects that it leads to, and one end.
///
/// It is the delegate of its tasks. Unchecked because everything is confined to `queue`, which the session's callbacks run
/// on too, but for ``cancel()``, and for ``flow`` and ``upload``, which do not change while a task runs.
final class HTTPExchange<Handler: HTTPHandler>: NSObject, URLSessionDataDelegate, TransferOwner, @unchecked Sendable {
    typealias End = HTTPEnd<Handler.Refusal>

    private enum Phase {
        /// The response is the handler's.
        case receiving
        /// The rest of a redirect's body is dropped; then the next request follows.
        case redirecting(URLRequest)
        case ended
    }

    private let limits: HTTPLimits
    private let sessions: SessionFactory
    private let queue: DispatchQueue
    private var handler: Handler
    private var phase = Phase.receiving
    private var task: URLSessionTask?
    private var hasHead = false
    private var redirects = 0
    private var droppedBytes = 0
    private var lastByte = DispatchTime.now()
    private var deadline: (any DispatchSourceTimer)?
    private var silence: (any DispatchSourceTimer)?
    private var onEnd: (@Sendable (Handler, End) -> Void)?
    private(set) var flow = FlowControl()
    private(set) var upload: URL?

    init(limits: HTTPLimits, handler: Handler, sessions: SessionFactory, queue: DispatchQueue) {
        (self.limits, self.handler, self.sessions, self.queue) = (limits, handler, sessions, queue)
    }

    // MARK: Beginning and ending

    func start(_ request: URLRequest, upload: URL?, onEnd: @escaping @Sendable (Handler, End) -> Void) {
        queue.async { [self] in
            self.upload = upload
            self.onEnd = onEnd
            lastByte = .now()
            deadline = limits.deadline.map { limit in timer(after: limit) { $0.end(.failed(.deadline(limit))) } }
            silence = limits.silence.map { limit in timer(after: limit) { $0.listen(limit) } }
            begin(request)
        }
    }

    /// May be called from any thread, at any time.
    func cancel() {
        queue.async { [self] in end(.failed(.cancelled)) }
    }

    private func begin(_ request: URLRequest) {
        phase = .receiving
        (hasHead, droppedBytes) = (false, 0)
        flow = FlowControl()
        task = sessions.start(request, owner: self)
    }

    private func end(_ end: End) {
        if case .ended = phase { return }
        phase = .ended
        deadline?.cancel()
        silence?.cancel()
        stopTask()
        onEnd?(handler, end)
        onEnd = nil
    }

    /// A task may only be cancelled on the queue of its callbacks: in Foundation on Linux a cancellation that meets the
    /// task's own end on another thread ends the process.
    private func stopTask() {
        let stopped = task
        task = nil
        stopped?.cancel()
    }

    private func apply(_ verdict: HTTPVerdict<Handler.Refusal>) {
        switch verdict {
        case .proceed: break
        case .finish: end(.complete)
        case .cut(let refusal): end(.cut(refusal))
        }
    }

    // MARK: Time

    private func timer(
        after limit: Duration, _ fire: @escaping @Sendable (HTTPExchange) -> Void
    ) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.seconds(limit))
        timer.setEventHandler { [weak self] in self.map(fire) }
        timer.resume()
        return timer
    }

    /// Ends an exchange that was silent for too long; else listens again when it could be.
    private func listen(_ limit: Duration) {
        let due = max(lastByte, flow.lastSent ?? lastByte) + Self.seconds(limit)
        if due <= .now() { return end(.failed(.silence(limit))) }
        silence?.schedule(deadline: due)
    }

    /// From a millisecond to a day: Dispatch takes what is out of its range for never, or for now.
    private static func seconds(_ limit: Duration) -> Double {
        min(max(limit / .seconds(1), 0.001), 86_400)
    }

    // MARK: Redirects

    /// The largest body of a redirect that is waited for, so that its connection serves the next request.
    private static var redirectBodyBytes: Int { 64 << 10 }

    /// Follows or refuses a redirect. False where the response is none, or redirects are not followed.
    private func redirect(_ head: HTTPURLResponse) -> Bool {
        guard case .follow(let limit) = limits.redirects, var next = task?.originalRequest,
            let target = RedirectRule.target(of: head, count: redirects + 1, limit: limit)
        else { return false }
        handler.take(redirect: head)
        redirects += 1
        switch target {
        case .failure(let refusal): end(.failed(.redirect(refusal.text)))
        case .success(let url):
            next.url = url
            phase = .redirecting(next)
            if head.expectedContentLength > Int64(Self.redirectBodyBytes) { follow(next) }
        }
        return true
    }

    private func follow(_ next: URLRequest) {
        stopTask()
        begin(next)
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        guard dataTask === task, let head = response as? HTTPURLResponse else { return }
        lastByte = .now()
        hasHead = true
        if !redirect(head) { apply(handler.take(head)) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard dataTask === task else { return }
        defer { flow.taken() }
        switch phase {
        case .receiving: apply(handler.take(data))
        case .redirecting(let next):
            droppedBytes += data.count
            if droppedBytes > Self.redirectBodyBytes { follow(next) }
        case .ended: break
        }
        // What the handler took does not count as silence of the server.
        lastByte = .now()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard task === self.task else { return }
        self.task = nil
        if case .redirecting(let next) = phase { return begin(next) }
        guard let error, !(hasHead && (error as? URLError)?.code == .userAuthenticationRequired) else { return end(.complete) }
        end(.failed(failure(error)))
    }

    /// A time limit of the loading system's stands for ours: a barricade plays one.
    private func failure(_ error: any Error) -> TransportError {
        if (error as? URLError)?.code == .timedOut, let limit = limits.deadline ?? limits.silence { return .deadline(limit) }
        return TransportError(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        flow.sent()
    }

    /// Foundation must not follow a redirect by itself: the response comes as it is, and ``redirect(_:)`` judges it.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A password that is asked for is looked for nowhere, so the response is delivered as it is. Whoever needs one sends
    /// it in a header field. Who the server is remains the system's business.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(challenge.asksForPassword ? .rejectProtectionSpace : .performDefaultHandling, nil)
    }
}

extension URLAuthenticationChallenge {
    fileprivate var asksForPassword: Bool {
        [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodHTMLForm, NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
        ].contains(protectionSpace.authenticationMethod)
    }
}
