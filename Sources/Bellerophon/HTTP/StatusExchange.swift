import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange with a status server, before its body is decoded.
package struct StatusExchange: Equatable, Sendable {
    /// When the request began.
    package var startedAt = ContinuousClock.now
    /// The metadata of the exchange.
    package var metadata: ExchangeMetadata
    /// The raw header fields of the response, at most ``headerLimit``, for exchange observers.
    package var headers: [String: String] = [:]
    /// The response's entity tag, for the next request.
    package var entityTag: String?
    /// The received body, within the source's limit.
    package var body: Data
    /// Why the response is incomplete; nil for a complete response.
    package var failure: StatusError.Reason?

    /// Creates an exchange that begins now; by default an empty one.
    package init(metadata: ExchangeMetadata = ExchangeMetadata(), body: Data = Data()) {
        (self.metadata, self.body) = (metadata, body)
    }

    /// The most header fields that are kept. A field of more than 8 KiB is dropped too.
    package static let headerLimit = 100

    /// Reads a response head.
    /// - Parameter date: the current wall-clock time, for a `Retry-After` with a date.
    package mutating func adopt(_ head: HTTPURLResponse, at date: Date = Date()) {
        metadata.httpStatus = head.statusCode
        entityTag = head.value(forHTTPHeaderField: "ETag").flatMap { $0.isEmpty ? nil : $0 }
        metadata.retryAfter = head.value(forHTTPHeaderField: "Retry-After").flatMap { RetryAfter.parse($0, at: date) }
        metadata.serverDate = HTTPDate.present(
            date: head.value(forHTTPHeaderField: "Date"), age: head.value(forHTTPHeaderField: "Age"))
        metadata.published = head.value(forHTTPHeaderField: "Bellerophon-Published").map(PushHeaders.date) ?? .absent
        metadata.streamURL = head.value(forHTTPHeaderField: "Bellerophon-Events").flatMap { path in
            head.url.flatMap { PushHeaders.streamURL(path, namedBy: $0) }
        }
        let fields = head.allHeaderFields.compactMap { name, value -> (String, String)? in
            guard let name = name as? String, let value = value as? String, value.utf8.count <= 8192 else { return nil }
            return (name, value)
        }
        headers = Dictionary(fields.sorted { $0.0 < $1.0 }.prefix(Self.headerLimit)) { first, _ in first }
    }
}

/// The `Retry-After` header field: seconds or an HTTP date (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The wait that a field value requests; nil if the value has neither form. A date in the past results in zero.
    static func parse(_ value: String, at date: Date) -> Duration? {
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More than nine digits exceed thirty years; the policy clamps the value anyway.
            return .seconds(Int64(text.prefix(9)) ?? 0)
        }
        return HTTPDate.any(text).map { .seconds(max(0, $0.timeIntervalSince(date).rounded(.up))) }
    }
}
