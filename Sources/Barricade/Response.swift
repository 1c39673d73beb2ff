import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One ready answer to a request: an HTTP reply, or a failure of the connection.
///
/// ```swift
/// Response("killed", summary: "the service is stopped", json: ["apiInactive": true])
/// Response("offline", summary: "no network", failure: .notConnectedToInternet)
/// ```
public struct Response: Sendable {
    /// What the requesting code sees.
    public enum Outcome: Sendable {
        /// A whole HTTP reply. A `Content-Length` is added unless the headers have one.
        case reply(statusCode: Int, headers: [String: String], body: Data)
        /// No reply: the task ends with this error.
        case failure(URLError)
        /// Neither a reply nor an error, ever: only the requesting code's own deadline ends it.
        ///
        /// A session's timeouts do not apply to a `URLProtocol` on Linux (measured).
        case silence
    }

    /// The name that selects it, unique within its ``ResponseSet``.
    public let name: String
    /// One line for a person who picks from a list.
    public let summary: String
    /// The heading that a list shows it under; nil for none.
    public let group: String?
    public let outcome: Outcome
    /// The wait before the outcome. Default: none.
    public let delay: Duration
    /// A further wait, drawn anew for every request from zero to this. Default: none.
    public let jitter: Duration

    public init(
        _ name: String, summary: String = "", group: String? = nil, outcome: Outcome,
        delay: Duration = .zero, jitter: Duration = .zero
    ) {
        self.name = name
        self.summary = summary
        self.group = group
        self.outcome = outcome
        self.delay = max(delay, .zero)
        self.jitter = max(jitter, .zero)
    }
}

extension Response {
    /// An HTTP reply with raw bytes.
    public init(
        _ name: String, summary: String = "", group: String? = nil, statusCode: Int = 200,
        headers: [String: String] = [:], body: Data = Data(), delay: Duration = .zero, jitter: Duration = .zero
    ) {
        self.init(
            name, summary: summary, group: group,
            outcome: .reply(statusCode: statusCode, headers: headers, body: body), delay: delay, jitter: jitter
        )
    }

    /// An HTTP reply with a value as JSON. A value that can't be encoded becomes a failure that says so.
    public init(
        _ name: String, summary: String = "", group: String? = nil, statusCode: Int = 200,
        headers: [String: String] = [:], json: some Encodable, delay: Duration = .zero, jitter: Duration = .zero
    ) {
        let headers = headers.merging(["Content-Type": "application/json"]) { given, _ in given }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let outcome: Outcome
        do {
            outcome = .reply(statusCode: statusCode, headers: headers, body: try encoder.encode(json))
        } catch {
            let sentence = "the response \"\(name)\" can't be written as JSON: \(error)"
            outcome = .failure(.barricade(.cannotDecodeContentData, sentence))
        }
        self.init(name, summary: summary, group: group, outcome: outcome, delay: delay, jitter: jitter)
    }

    /// A failure of the connection.
    public init(
        _ name: String, summary: String = "", group: String? = nil, failure code: URLError.Code,
        delay: Duration = .zero, jitter: Duration = .zero
    ) {
        self.init(name, summary: summary, group: group, outcome: .failure(URLError(code)), delay: delay, jitter: jitter)
    }
}

extension URLError {
    /// An error whose `localizedDescription` is a sentence of ours.
    static func barricade(_ code: URLError.Code, _ sentence: String, url: URL? = nil) -> URLError {
        var facts: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        facts[NSURLErrorFailingURLErrorKey] = url
        return URLError(code, userInfo: facts)
    }
}
