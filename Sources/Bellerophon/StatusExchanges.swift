import Dispatch
public import Foundation
import Synchronization
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The exchanges of one session: each ends once, by its answer, its deadline, a limit or a cancellation.
final class StatusExchanges: NSObject, URLSessionDataDelegate {
    /// Unchecked because a Dispatch source is not marked Sendable although any thread may use it.
    private struct Exchange: @unchecked Sendable {
        let task: URLSessionTask
        let deadline: any DispatchSourceTimer
        let end: @Sendable (StatusExchange) -> Void
        var outcome: StatusExchange
        var redirects = 0
    }

    private let limits: URLSessionStatusSource.Limits
    private let keepsHeaders: Bool
    private let exchanges = Mutex<[Int: Exchange]>([:])
    private let deadlines = DispatchQueue(label: "bellerophon.status.deadlines")

    /// - Parameter keepsHeaders: whether somebody wants the response's header fields.
    init(limits: URLSessionStatusSource.Limits, keepsHeaders: Bool = false) {
        self.limits = limits
        self.keepsHeaders = keepsHeaders
    }

    /// Starts an exchange. `end` is called once, on any thread.
    func start(_ task: URLSessionTask, end: @escaping @Sendable (StatusExchange) -> Void) -> StatusCheck {
        let id = task.taskIdentifier
        let deadline = DispatchSource.makeTimerSource(queue: deadlines)
        deadline.schedule(deadline: .now() + min(max(limits.deadline.inSeconds, 0.001), 86400))
        deadline.setEventHandler { [weak self, limits] in
            self?.finish(id) { $0.failure = .timedOut(after: limits.deadline) }
        }
        let exchange = Exchange(task: task, deadline: deadline, end: end, outcome: StatusExchange())
        exchanges.withLock { $0[id] = exchange }
        deadline.resume()
        task.resume()
        return StatusCheck { [weak self] in
            self?.finish(id) { $0.failure = .transport(code: URLError.cancelled.rawValue, message: "cancelled") }
        }
    }

    /// Ends an exchange unless it has ended; the task is cancelled, and what it still brings is dropped.
    private func finish(_ id: Int, _ change: (inout StatusExchange) -> Void) {
        guard var exchange = exchanges.withLock({ $0.removeValue(forKey: id) }) else { return }
        exchange.deadline.cancel()
        exchange.task.cancel()
        change(&exchange.outcome)
        exchange.outcome.receipt.latency = exchange.outcome.startedAt.duration(to: .now)
        exchange.outcome.receipt.excerpt = StatusReceipt.excerpt(of: exchange.outcome.body)
        exchange.end(exchange.outcome)
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
            exchanges[id]?.outcome.take(head, keepingHeaders: keepsHeaders)
            exchanges[id]?.outcome.receipt.lastByteAt = .now
        }
        completionHandler(.allow)
        if isTooLarge { finish(id) { $0.failure = .tooLarge(limit: limits.bodyBytes) } }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        let isTooLarge = exchanges.withLock { exchanges in
            guard let received = exchanges[id]?.outcome.receipt.bytes else { return false }
            exchanges[id]?.outcome.receipt.bytes = received + data.count
            exchanges[id]?.outcome.receipt.lastByteAt = .now
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
        case .badServerResponse: "the answer is not HTTP"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate: "no secure connection"
        case .httpTooManyRedirects: "too many redirects"
        default: nil
        }
    }
}
