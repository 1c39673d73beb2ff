import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the response of one status check, with its body in memory.
struct StatusHandler: HTTPHandler {
    private(set) var exchange = StatusExchange()
    /// The most bytes of the body.
    let bodyLimit: Int

    mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<StatusError.Reason> {
        exchange.adopt(head)
        exchange.metadata.lastByteAt = .now
        return head.expectedContentLength > Int64(bodyLimit) ? .cut(.tooLarge(limit: bodyLimit)) : .proceed
    }

    mutating func take(redirect head: HTTPURLResponse) {
        exchange.adopt(head)
    }

    mutating func take(_ bytes: Data) -> HTTPVerdict<StatusError.Reason> {
        exchange.metadata.bytes += bytes.count
        exchange.metadata.lastByteAt = .now
        guard exchange.metadata.bytes <= bodyLimit else { return .cut(.tooLarge(limit: bodyLimit)) }
        exchange.body.append(bytes)
        return .proceed
    }

    /// The final state of the exchange.
    func exchange(endedBy end: HTTPEnd<StatusError.Reason>) -> StatusExchange {
        var ended = exchange
        ended.failure = StatusError.Reason(end)
        ended.metadata.latency = exchange.startedAt.duration(to: .now)
        ended.metadata.excerpt = ExchangeMetadata.excerpt(of: exchange.body)
        return ended
    }
}

extension StatusError.Reason {
    /// Why an exchange ended without a complete response; nil for a complete one.
    package init?(_ end: HTTPEnd<StatusError.Reason>) {
        switch end {
        case .complete: return nil
        case .cut(let reason): self = reason
        case .failed(.cancelled): self = .cancelled
        case .failed(.deadline(let limit)), .failed(.silence(let limit)): self = .timedOut(after: limit)
        case .failed(.redirect(let why)): self = .redirectRefused(why)
        case .failed(.connection(let code, let message)):
            self = .transport(code: code.rawValue, message: StatusError.safe(message))
        }
    }

    /// Converts the failure of a connection.
    /// - Parameter deadline: the duration to report for a timeout.
    public init(_ error: URLError, deadline: Duration) {
        self =
            error.code == .timedOut
            ? .timedOut(after: deadline)
            : .transport(code: error.code.rawValue, message: StatusError.text(of: error))
    }
}
