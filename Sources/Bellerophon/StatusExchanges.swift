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
        /// Nil until the session has made it.
        var task: URLSessionTask?
        let deadline: any DispatchSourceTimer
        /// Nil once the exchange has ended.
        var end: (@Sendable (StatusExchange) -> Void)?
        var outcome: StatusExchange
        var redirects = 0
        var isCut = false
        /// Its task was told to stop: callbacks that were queued before get no answer.
        var isCancelled = false
    }

    private struct State: Sendable {
        /// By an id of ours: an exchange begins before there is a task.
        var exchanges: [Int: Exchange] = [:]
        /// The exchange of a task, by the task's identifier.
        var ids: [Int: Int] = [:]
        var lastID = 0
    }

    private let limits: URLSessionStatusSource.Limits
    private let keepsHeaders: Bool
    /// The session's delegate queue.
    private let callbacks: GatedQueue
    private let state = Mutex(State())
    private let deadlines = DispatchQueue(label: "bellerophon.status.deadlines")
    /// Serial, so that it has a thread of its own: a cancellation that waits must not take one of the shared pool.
    private let cuts = DispatchQueue(label: "bellerophon.status.cuts")

    /// - Parameters:
    ///   - callbacks: the queue that the session calls this delegate on, one call at a time.
    ///   - keepsHeaders: whether somebody wants the response's header fields.
    init(limits: URLSessionStatusSource.Limits, callbacks: GatedQueue, keepsHeaders: Bool = false) {
        self.limits = limits
        self.callbacks = callbacks
        self.keepsHeaders = keepsHeaders
    }

    /// Starts an exchange; never waits. `end` is called once, on any thread.
    /// - Parameter line: of the session that this is the delegate of.
    func start(
        _ request: URLRequest, on line: SessionLine, end: @escaping @Sendable (StatusExchange) -> Void
    ) -> StatusCheck {
        let deadline = DispatchSource.makeTimerSource(queue: deadlines)
        let exchange = Exchange(deadline: deadline, end: end, outcome: StatusExchange())
        let id = state.withLock { state in
            state.lastID += 1
            state.exchanges[state.lastID] = exchange
            return state.lastID
        }
        deadline.schedule(deadline: .now() + min(max(limits.deadline.inSeconds, 0.001), 86400))
        deadline.setEventHandler { [weak self, limits] in self?.end(id, .timedOut(after: limits.deadline)) }
        deadline.resume()
        line.start(request) { [weak self] in
            self?.isWanted(id) ?? false
        } willStart: { [weak self] number in
            self?.state.withLock { $0.ids[number] = id }
        } didStart: { [weak self] task in
            self?.attach(task, to: id)
        }
        return StatusCheck { [weak self] in self?.end(id, Self.cancelled) }
    }

    /// Whether anybody still waits for what has no task yet; forgets it where nobody does.
    private func isWanted(_ id: Int) -> Bool {
        state.withLock { state in
            guard state.exchanges[id]?.end == nil else { return true }
            state.exchanges[id] = nil
            return false
        }
    }

    private func attach(_ task: URLSessionTask, to id: Int) {
        let isOver = state.withLock { state in
            state.exchanges[id]?.task = task
            return state.exchanges[id].map { $0.end == nil } ?? false
        }
        if isOver { cancel(id) }
    }

    private static let cancelled = StatusError.Reason.transport(code: URLError.cancelled.rawValue, message: "cancelled")

    private func end(_ id: Int, _ reason: StatusError.Reason) {
        finish(id) { $0.failure = reason }
        cancel(id)
    }

    private func id(of task: URLSessionTask) -> Int {
        state.withLock { $0.ids[task.taskIdentifier] ?? 0 }
    }

    /// Ends every exchange that is under way, before the session goes.
    func cancelAll() {
        for id in state.withLock({ Array($0.exchanges.keys) }) { end(id, Self.cancelled) }
    }

    /// Ends an exchange unless it has ended.
    private func finish(_ id: Int, _ change: (inout StatusExchange) -> Void) {
        let ended = state.withLock { state in
            let exchange = state.exchanges[id]
            state.exchanges[id]?.end = nil
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
        callbacks.addUngated { [weak self] in
            let task = self?.state.withLock { state -> URLSessionTask? in
                // One without a task yet is cancelled once it has one.
                guard let exchange = state.exchanges[id], exchange.task != nil else { return nil }
                state.exchanges[id]?.isCancelled = true
                return exchange.isCut ? nil : exchange.task
            }
            task?.cancel()
        }
    }

    /// Whether a callback may still be answered: after a cancellation Foundation on Linux ends the process with "not
    /// waiting for it".
    private func isWaiting(_ id: Int) -> Bool {
        state.withLock { $0.exchanges[id].map { !$0.isCancelled && !$0.isCut } ?? false }
    }

    /// Cancels a task that floods. Its cancellation waits until the transport has read all that is there, which a
    /// flood puts off; meanwhile the callbacks must go on dropping what comes in, or memory grows with it.
    private func cut(_ id: Int) {
        let task = state.withLock { state -> URLSessionTask? in
            guard let exchange = state.exchanges[id], !exchange.isCut else { return nil }
            state.exchanges[id]?.isCut = true
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
        let id = id(of: dataTask)
        guard isWaiting(id) else { return }
        let isTooLarge = response.expectedContentLength > Int64(limits.bodyBytes)
        state.withLock { state in
            guard let head = response as? HTTPURLResponse else { return }
            state.exchanges[id]?.outcome.take(head, keepingHeaders: keepsHeaders)
            state.exchanges[id]?.outcome.receipt.lastByteAt = .now
        }
        completionHandler(.allow)
        if isTooLarge { finish(id) { $0.failure = .tooLarge(limit: limits.bodyBytes) } }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = id(of: dataTask)
        let excess = state.withLock { state in
            guard let received = state.exchanges[id]?.outcome.receipt.bytes else { return 0 }
            let excess = received + data.count - limits.bodyBytes
            state.exchanges[id]?.outcome.receipt.bytes = received + data.count
            state.exchanges[id]?.outcome.receipt.lastByteAt = .now
            if excess <= 0 { state.exchanges[id]?.outcome.body.append(data) }
            return excess
        }
        if excess > 0 { finish(id) { $0.failure = .tooLarge(limit: limits.bodyBytes) } }
        if excess > Self.floodBytes { cut(id) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let id = id(of: task)
        finish(id) { outcome in
            guard let error else { return }
            outcome.failure = Self.reason(of: error, limits: limits)
        }
        let over = state.withLock { state in
            state.ids[task.taskIdentifier] = nil
            return state.exchanges.removeValue(forKey: id)
        }
        over?.deadline.cancel()
        if let over, over.outcome.receipt.bytes > limits.bodyBytes + Self.floodBytes { cuts.async { FreedMemory.giveBack() } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let id = id(of: task)
        guard isWaiting(id) else { return }
        let taken = state.withLock { state in
            state.exchanges[id]?.outcome.take(response, keepingHeaders: keepsHeaders)
            state.exchanges[id]?.redirects += 1
            return state.exchanges[id]?.redirects ?? 0
        }
        let refusal = RedirectRule.refusal(
            to: request.url, from: task.originalRequest?.url, count: taken, limit: limits.redirects
        )
        completionHandler(refusal == nil ? request : nil)
        if let refusal { finish(id) { $0.failure = .redirectRefused(refusal) } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let disposition = AuthenticationRule.disposition(of: challenge)
        if disposition == .rejectProtectionSpace {
            // Foundation on Linux cancels the task then, in place of answering.
            let code = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 401
            finish(id(of: task)) { $0.failure = .httpStatus(code) }
        }
        completionHandler(disposition, nil)
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
            : .transport(code: error.code.rawValue, message: error.code.plainText ?? Self.words(of: error))
    }

    /// What has no code of its own is told in the transport's words, which need to be said what they are about: a header
    /// that is too long is "Out of memory".
    private static func words(of error: URLError) -> String {
        let text = StatusError.text(of: error)
        guard error.code == .unknown else { return text }
        let isSecurity = ["SSL", "TLS", "certificate"].contains { text.contains($0) }
        return (isSecurity ? "no secure connection: " : "no whole answer: ") + text
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
