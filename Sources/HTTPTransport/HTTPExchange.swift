import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One HTTP request with its redirects and its single end.
///
/// It is the delegate of its tasks. Unchecked because everything is confined to `queue`, on which the session's callbacks
/// run too. The exceptions are ``cancel()``, and ``flow``, which does not change while a task runs.
final class HTTPExchange<Handler: HTTPHandler>: NSObject, URLSessionDataDelegate, TransferOwner, @unchecked Sendable {
    typealias End = HTTPEnd<Handler.Refusal>

    private enum Phase {
        /// The handler receives the response.
        case receiving
        /// The remaining body of a redirect is dropped; then the next request starts.
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
    let upload: URL?

    init(upload: URL?, limits: HTTPLimits, handler: Handler, sessions: SessionFactory, queue: DispatchQueue) {
        (self.upload, self.limits, self.handler, self.sessions, self.queue) = (upload, limits, handler, sessions, queue)
    }

    // MARK: Beginning and ending

    func start(_ request: URLRequest, onEnd: @escaping @Sendable (Handler, End) -> Void) {
        queue.async { [self] in
            self.onEnd = onEnd
            lastByte = .now()
            deadline = limits.deadline.map { limit in timer(after: limit) { $0.end(.failed(.deadline(limit))) } }
            silence = limits.silence.map { limit in timer(after: limit) { $0.listen(limit) } }
            begin(request)
        }
    }

    /// Any thread may call it, at any time.
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
        switch end {
        case .failed(.deadline), .failed(.silence), .failed(.cancelled): flow.giveUp()
        default: break
        }
        stopTask()
        onEnd?(handler, end)
        onEnd = nil
    }

    /// Cancels the task. This must happen on the queue of the task's callbacks: Foundation on Linux crashes if a cancellation
    /// and the task's own end run at the same time on two threads.
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

    /// Ends the exchange if it was silent for too long; otherwise schedules the next test.
    private func listen(_ limit: Duration) {
        let due = max(lastByte, flow.lastSent ?? lastByte) + Self.seconds(limit)
        if due <= .now() { return end(.failed(.silence(limit))) }
        silence?.schedule(deadline: due)
    }

    /// The limit in seconds, clamped to a range from a millisecond to a day: Dispatch treats values outside its own range as
    /// never or as now.
    private static func seconds(_ limit: Duration) -> Double {
        min(max(limit / .seconds(1), 0.001), 86_400)
    }

    // MARK: Redirects

    /// The largest body of a redirect that is read to its end, so that its connection can be reused for the next request.
    private static var redirectBodyBytes: Int { 64 << 10 }

    /// Follows or refuses a redirect. Returns false if the response is not a redirect or redirects are not followed.
    private func redirect(_ head: HTTPURLResponse) -> Bool {
        guard let limit = limits.redirects, var next = task?.originalRequest,
            let target = RedirectRule.target(of: head, count: redirects + 1, limit: limit)
        else { return false }
        handler.take(redirect: head)
        redirects += 1
        switch target {
        case .failure(let refusal): end(.failed(refusal))
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
        if head.statusCode == 206, dataTask.originalRequest?.value(forHTTPHeaderField: "Range") == nil {
            let why = "no complete reply: it is a part (HTTP 206), which was not asked for"
            return end(.failed(.connection(.cannotParseResponse, message: why)))
        }
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
        // Measured after the handler, so that its time does not count as silence of the server.
        lastByte = .now()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard task === self.task else { return }
        self.task = nil
        if case .redirecting(let next) = phase { return begin(next) }
        guard let error, !(hasHead && (error as? URLError)?.code == .userAuthenticationRequired) else { return end(.complete) }
        end(.failed(failure(error)))
    }

    /// A timeout of the loading system is reported as our own limit: a barricade simulates one.
    private func failure(_ error: any Error) -> TransportError {
        guard (error as? URLError)?.code == .timedOut else { return TransportError(error) }
        if let deadline = limits.deadline { return .deadline(deadline) }
        return limits.silence.map { .silence($0) } ?? TransportError(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        flow.sent()
    }

    /// Prevents Foundation from following a redirect; the response is delivered and ``redirect(_:)`` decides.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Requests for a password are rejected, so the response is delivered unchanged; a caller that needs a password sends it
    /// in a header field. The system decides on other challenges, such as the server's certificate.
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
