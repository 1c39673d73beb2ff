public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// One exchange with a status server as it came over the wire, before anything is read from it.
public struct StatusExchange: Equatable, Sendable {
    /// When the request began.
    public var startedAt: ContinuousClock.Instant
    public var receipt: ExchangeMetadata
    /// The response's header fields, raw. Kept only for those who listen to exchanges; see ``take(_:keepingHeaders:at:)``.
    public var headers: [String: String]
    /// The response's entity tag, for the next request.
    public var entityTag: String?
    /// What came of the body, within the source's limit.
    public var body: Data
    /// Why there is no whole response; nil where there is one.
    public var failure: StatusError.Reason?

    public init(
        startedAt: ContinuousClock.Instant = .now, receipt: ExchangeMetadata = ExchangeMetadata(),
        headers: [String: String] = [:], entityTag: String? = nil, body: Data = Data(),
        failure: StatusError.Reason? = nil
    ) {
        self.startedAt = startedAt
        self.receipt = receipt
        self.headers = headers
        self.entityTag = entityTag
        self.body = body
        self.failure = failure
    }

    /// Header fields beyond that count are dropped, and so is a field of more than 8 KiB.
    public static let headerLimit = 100

    /// Takes what a response head says.
    /// - Parameter date: the wall clock, for a `Retry-After` that names a time.
    public mutating func take(_ head: HTTPURLResponse, keepingHeaders: Bool = false, at date: Date = Date()) {
        receipt.httpStatus = head.statusCode
        entityTag = head.value(forHTTPHeaderField: "ETag")
        receipt.retryAfter = head.value(forHTTPHeaderField: "Retry-After").flatMap { RetryAfter.parse($0, at: date) }
        receipt.published = head.value(forHTTPHeaderField: "Bellerophon-Published").map(PushHeaders.date) ?? .absent
        receipt.streamURL = head.value(forHTTPHeaderField: "Bellerophon-Events").flatMap { path in
            head.url.flatMap { PushHeaders.streamURL(path, namedBy: $0) }
        }
        guard keepingHeaders else { return }
        let fields = head.allHeaderFields.compactMap { name, value -> (String, String)? in
            guard let name = name as? String, let value = value as? String, value.utf8.count <= 8192 else { return nil }
            return (name, value)
        }
        headers = Dictionary(fields.sorted { $0.0 < $1.0 }.prefix(Self.headerLimit)) { first, _ in first }
    }
}
