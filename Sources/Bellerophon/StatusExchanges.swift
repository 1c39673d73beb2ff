import Dispatch
import Foundation
import Synchronization
import TerminalUI
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The exchanges of one session: each ends once, by its answer, its deadline, a limit or a cancellation.
final class StatusExchanges: NSObject, URLSessionDataDelegate {
    /// How an exchange ended.
    struct Outcome: Sendable {
        var receipt = StatusReceipt()
        var body = Data()
        var entityTag: String?
        var failure: StatusError.Reason?
    }

    /// Unchecked because a Dispatch source is not marked Sendable although any thread may use it.
    private struct Exchange: @unchecked Sendable {
        let task: URLSessionTask
        let startedAt: ContinuousClock.Instant
        let deadline: any DispatchSourceTimer
        let end: @Sendable (Outcome) -> Void
        var outcome = Outcome()
        var redirects = 0
    }

    /// The session's callbacks. Kept here because an operation queue does not keep its underlying queue alive, and
    /// the session, which holds its delegate to the last callback, may outlive the source.
    let callbacks = DispatchQueue(label: "bellerophon.status", qos: .userInitiated)
    private let limits: URLSessionStatusSource.Limits
    private let exchanges = Mutex<[Int: Exchange]>([:])
    private let deadlines = DispatchQueue(label: "bellerophon.status.deadlines")
    /// Cancelling waits until the transport has read what is there, which a flood can put off for as long as it
    /// lasts. Meanwhile the callbacks must go on dropping what comes in, or memory would grow with it.
    private static let cancellations = DispatchQueue(label: "bellerophon.status.cancellations", attributes: .concurrent)

    init(limits: URLSessionStatusSource.Limits) {
        self.limits = limits
    }

    /// Starts an exchange. `end` is called once, on any thread.
    func start(_ task: URLSessionTask, end: @escaping @Sendable (Outcome) -> Void) -> StatusCheck {
        let id = task.taskIdentifier
        let deadline = DispatchSource.makeTimerSource(queue: deadlines)
        deadline.schedule(deadline: .now() + min(max(limits.deadline.inSeconds, 0.001), 86400))
        deadline.setEventHandler { [weak self, limits] in
            self?.finish(id) { $0.failure = .timedOut(after: limits.deadline) }
        }
        let exchange = Exchange(task: task, startedAt: .now, deadline: deadline, end: end)
        exchanges.withLock { $0[id] = exchange }
        deadline.resume()
        task.resume()
        return StatusCheck { [weak self] in
            self?.finish(id) { $0.failure = .transport(code: URLError.cancelled.rawValue, message: "cancelled") }
        }
    }

    /// Ends an exchange unless it has ended; the task is cancelled, and what it still brings is dropped.
    private func finish(_ id: Int, _ change: (inout Outcome) -> Void) {
        guard var exchange = exchanges.withLock({ $0.removeValue(forKey: id) }) else { return }
        exchange.deadline.cancel()
        let task = exchange.task
        Self.cancellations.async { task.cancel() }
        change(&exchange.outcome)
        exchange.outcome.receipt.latency = exchange.startedAt.duration(to: .now)
        exchange.outcome.receipt.excerpt = Self.excerpt(of: exchange.outcome.body)
        exchange.end(exchange.outcome)
    }

    private static func excerpt(of body: Data) -> String {
        SafeText.sanitize(String(decoding: body.prefix(8192), as: UTF8.self), keepingNewlines: true, limit: 2048)
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let id = dataTask.taskIdentifier
        let isTooLarge = response.expectedContentLength > Int64(limits.bodyBytes)
        exchanges.withLock { exchanges in
            guard let head = response as? HTTPURLResponse else { return }
            exchanges[id]?.outcome.take(head)
        }
        completionHandler(.allow)
        if isTooLarge { finish(id) { $0.failure = .tooLarge(limit: limits.bodyBytes) } }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        let isTooLarge = exchanges.withLock { exchanges in
            guard let received = exchanges[id]?.outcome.receipt.bytes else { return false }
            exchanges[id]?.outcome.receipt.bytes = received + data.count
            guard received + data.count <= limits.bodyBytes else { return true }
            exchanges[id]?.outcome.body.append(data)
            return false
        }
        if isTooLarge { finish(id) { $0.failure = .tooLarge(limit: limits.bodyBytes) } }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(task.taskIdentifier) { outcome in
            guard let error else { return }
            outcome.failure = Self.reason(of: error, limits: limits)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let id = task.taskIdentifier
        let taken = exchanges.withLock { exchanges in
            exchanges[id]?.outcome.take(response)
            exchanges[id]?.redirects += 1
            return exchanges[id]?.redirects ?? 0
        }
        let refusal = refusal(of: request.url, from: task.originalRequest?.url, count: taken)
        completionHandler(refusal == nil ? request : nil)
        if let refusal { finish(id) { $0.failure = .redirectRefused(refusal) } }
    }

    private func refusal(of target: URL?, from origin: URL?, count: Int) -> String? {
        guard let target, let origin, target.origin == origin.origin else {
            let place = SafeText.sanitize(target?.origin ?? "nowhere", keepingNewlines: false, limit: 120)
            return "the server points to another origin, \(place)"
        }
        return count <= limits.redirects ? nil : "more than \(limits.redirects) in a row"
    }

    private static func reason(of error: any Error, limits: URLSessionStatusSource.Limits) -> StatusError.Reason {
        let code = (error as? URLError)?.code
        if code == .timedOut { return .timedOut(after: limits.deadline) }
        return .transport(code: (error as NSError).code, message: StatusError.text(of: error))
    }
}

extension StatusExchanges.Outcome {
    /// Takes what the response head says.
    fileprivate mutating func take(_ head: HTTPURLResponse) {
        receipt.httpStatus = head.statusCode
        entityTag = head.value(forHTTPHeaderField: "ETag")
        receipt.retryAfter = head.value(forHTTPHeaderField: "Retry-After").flatMap { RetryAfter.parse($0, at: Date()) }
    }
}

extension URL {
    /// Scheme, host and port as one text, the default port spelled out (RFC 6454).
    var origin: String {
        let scheme = self.scheme?.lowercased() ?? ""
        let port = self.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port)"
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
