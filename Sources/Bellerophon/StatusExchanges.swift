import Dispatch
public import Foundation
import Synchronization
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The exchanges of one session: each ends once, by its answer, its deadline, a limit or a cancellation.
///
/// An exchange that has ended is kept until its task is over, and what the task still brings is dropped.
final class StatusExchanges: NSObject, URLSessionDataDelegate {
    /// Unchecked because a Dispatch source is not marked Sendable although any thread may use it.
    private struct Exchange: @unchecked Sendable {
        let task: URLSessionTask
        let deadline: any DispatchSourceTimer
        /// Nil once the exchange has ended.
        var end: (@Sendable (StatusExchange) -> Void)?
        var outcome: StatusExchange
        var redirects = 0
        var isCut = false
        /// Its task was told to stop: callbacks that were queued before get no answer.
        var isCancelled = false
    }

    private let limits: URLSessionStatusSource.Limits
    private let keepsHeaders: Bool
    /// The session's delegate queue.
    private let callbacks: CallbackQueue
    private let exchanges = Mutex<[Int: Exchange]>([:])
    private let deadlines = DispatchQueue(label: "bellerophon.status.deadlines")
    /// Serial, so that it has a thread of its own: a cancellation that waits must not take one of the shared pool.
    private let cuts = DispatchQueue(label: "bellerophon.status.cuts")

    /// - Parameters:
    ///   - callbacks: the queue that the session calls this delegate on, one call at a time.
    ///   - keepsHeaders: whether somebody wants the response's header fields.
    init(limits: URLSessionStatusSource.Limits, callbacks: CallbackQueue, keepsHeaders: Bool = false) {
        self.limits = limits
        self.callbacks = callbacks
        self.keepsHeaders = keepsHeaders
    }

    /// Starts an exchange. `end` is called once, on any thread.
    func start(_ task: URLSessionTask, end: @escaping @Sendable (StatusExchange) -> Void) -> StatusCheck {
        let id = task.taskIdentifier
        let deadline = DispatchSource.makeTimerSource(queue: deadlines)
        deadline.schedule(deadline: .now() + min(max(limits.deadline.inSeconds, 0.001), 86400))
        deadline.setEventHandler { [weak self, limits] in
            self?.finish(id) { $0.failure = .timedOut(after: limits.deadline) }
            self?.cancel(id)
        }
        let exchange = Exchange(task: task, deadline: deadline, end: end, outcome: StatusExchange())
        exchanges.withLock { $0[id] = exchange }
        deadline.resume()
        task.resume()
        return StatusCheck { [weak self] in
            self?.finish(id) { $0.failure = .transport(code: URLError.cancelled.rawValue, message: "cancelled") }
            self?.cancel(id)
        }
    }

    /// Ends every exchange that is under way, before the session goes.
    func cancelAll() {
        for id in exchanges.withLock({ Array($0.keys) }) {
            finish(id) { $0.failure = .transport(code: URLError.cancelled.rawValue, message: "cancelled") }
            cancel(id)
        }
    }

    /// Ends an exchange unless it has ended.
    private func finish(_ id: Int, _ change: (inout StatusExchange) -> Void) {
        let ended = exchanges.withLock { exchanges in
            let exchange = exchanges[id]
            exchanges[id]?.end = nil
            return exchange
        }
        guard let end = ended?.end, var outcome = ended?.outcome else { return }
        change(&outcome)
        outcome.receipt.latency = outcome.startedAt.duration(to: .now)
        outcome.receipt.excerpt = StatusReceipt.excerpt(of: outcome.body)
        end(outcome)
    }

    // MARK: Cancelling tasks

    /// Cancels a task between two callbacks: Foundation on Linux ends the process with "task not in the registry"
    /// when a cancellation from another thread meets the task's own end.
    private func cancel(_ id: Int) {
        callbacks.addOperation { [weak self] in
            let task = self?.exchanges.withLock { exchanges in
                exchanges[id]?.isCancelled = true
                return exchanges[id]?.task
            }
            task?.cancel()
        }
    }

    /// Whether a callback may still be answered: after a cancellation Foundation on Linux ends the process with "not
    /// waiting for it".
    private func isWaiting(_ id: Int) -> Bool {
        exchanges.withLock { $0[id].map { !$0.isCancelled && !$0.isCut } ?? false }
    }

    /// Cancels a task that floods. Its cancellation waits until the transport has read all that is there, which a
    /// flood puts off; meanwhile the callbacks must go on dropping what comes in, or memory grows with it.
    private func cut(_ id: Int) {
        let task = exchanges.withLock { exchanges -> URLSessionTask? in
            guard let exchange = exchanges[id], !exchange.isCut else { return nil }
            exchanges[id]?.isCut = true
            return exchange.task
        }
        if let task { cuts.async { task.cancel() } }
    }

    /// Bytes past the cap from which a body counts as a flood; a smaller one is left to end by itself, or at the
    /// deadline, so that no cancellation meets its end.
    private static let floodBytes = 256 << 10

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let id = dataTask.taskIdentifier
        guard isWaiting(id) else { return }
        let isTooLarge = response.expectedContentLength > Int64(limits.bodyBytes)
        exchanges.withLock { exchanges in
            guard let head = response as? HTTPURLResponse else { return }
            exchanges[id]?.outcome.take(head, keepingHeaders: keepsHeaders)
            exchanges[id]?.outcome.receipt.lastByteAt = .now
        }
        completionHandler(.allow)
        if isTooLarge { finish(id) { $0.failure = .tooLarge(limit: limits.bodyBytes) } }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        let excess = exchanges.withLock { exchanges in
            guard let received = exchanges[id]?.outcome.receipt.bytes else { return 0 }
            let excess = received + data.count - limits.bodyBytes
            exchanges[id]?.outcome.receipt.bytes = received + data.count
            exchanges[id]?.outcome.receipt.lastByteAt = .now
            if excess <= 0 { exchanges[id]?.outcome.body.append(data) }
            return excess
        }
        if excess > 0 { finish(id) { $0.failure = .tooLarge(limit: limits.bodyBytes) } }
        if excess > Self.floodBytes { cut(id) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let id = task.taskIdentifier
        finish(id) { outcome in
            guard let error else { return }
            outcome.failure = Self.reason(of: error, limits: limits)
        }
        exchanges.withLock { $0.removeValue(forKey: id) }?.deadline.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let id = task.taskIdentifier
        guard isWaiting(id) else { return }
        let taken = exchanges.withLock { exchanges in
            exchanges[id]?.outcome.take(response, keepingHeaders: keepsHeaders)
            exchanges[id]?.redirects += 1
            return exchanges[id]?.redirects ?? 0
        }
        let refusal = RedirectRule.refusal(
            to: request.url, from: task.originalRequest?.url, count: taken, limit: limits.redirects
        )
        completionHandler(refusal == nil ? request : nil)
        if let refusal { finish(id) { $0.failure = .redirectRefused(refusal) } }
    }

    private static func reason(of error: any Error, limits: URLSessionStatusSource.Limits) -> StatusError.Reason {
        guard let error = error as? URLError else {
            return .transport(code: (error as NSError).code, message: StatusError.text(of: error))
        }
        return StatusError.Reason(error, deadline: limits.deadline)
    }
}

extension StatusError.Reason {
    /// The failure of a connection.
    /// - Parameter deadline: what a time-out is reported as.
    public init(_ error: URLError, deadline: Duration) {
        self = error.code == .timedOut
            ? .timedOut(after: deadline)
            : .transport(code: error.code.rawValue, message: error.code.plainText ?? StatusError.text(of: error))
    }
}

extension URLError.Code {
    /// The common failures in words that are the same on every platform.
    var plainText: String? {
        switch self {
        case .notConnectedToInternet: "offline: this computer has no network"
        case .cannotConnectToHost: "could not connect to the server"
        case .cannotFindHost, .dnsLookupFailed: "the server's name was not found"
        case .networkConnectionLost: "the connection was cut"
        case .badServerResponse: "the server closed the connection without an answer"
        case .unsupportedURL: "the answer is not HTTP"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate: "no secure connection"
        case .httpTooManyRedirects: "too many redirects"
        default: nil
        }
    }
}
