import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A predefined response to a request: an HTTP reply or a connection failure.
///
/// ```swift
/// Response("killed", summary: "the service is stopped", json: ["apiInactive": true])
/// Response("offline", summary: "no network", failure: .notConnectedToInternet)
/// Response("page") { request, components in .reply(Response.Reply(text: components?.path ?? "")) }
/// ```
public struct Response: Sendable {
    /// The result that the requesting code receives.
    public enum Outcome: Equatable, Sendable {
        /// An HTTP reply.
        case reply(Reply)
        /// No reply: the task ends with this error.
        case failure(URLError)
        /// Neither a reply nor an error: only the requesting code's own timeout ends the request.
        ///
        /// A session's timeouts do not apply to a `URLProtocol` on Linux (measured).
        case silence
    }

    /// An HTTP reply.
    public struct Reply: Equatable, Sendable {
        /// The HTTP status code. Default: 200.
        public var statusCode: Int
        /// The header fields. A `Content-Length` is added unless there is one.
        public var headers: [String: String]
        /// The body before padding. Default: empty.
        public var body: Data
        /// Pads the body with spaces to this number of bytes, without storing the padding; nil for no padding.
        ///
        /// A session with a data delegate gets the body in pieces; a completion handler gets all of it in memory.
        public var bodyBytes: Int?
        /// The transfer rate of the body in bytes per second; nil for no limit. A completion handler gets the whole
        /// body after the resulting time.
        public var bytesPerSecond: Int?
        /// How the reply ends. Default: complete.
        public var ending: ReplyEnding

        /// Creates a reply; by default an empty one with status 200.
        public init(
            statusCode: Int = 200, headers: [String: String] = [:], body: Data = Data(), bodyBytes: Int? = nil,
            bytesPerSecond: Int? = nil, ending: ReplyEnding = .complete
        ) {
            self.statusCode = statusCode
            self.headers = headers
            self.body = body
            self.bodyBytes = bodyBytes
            self.bytesPerSecond = bytesPerSecond
            self.ending = ending
        }
    }

    /// The name for selection, unique within its ``ResponseSet``.
    public let name: String
    /// One line for a list of responses; may be empty.
    public let summary: String
    /// The heading above the response in a list; nil for none.
    public let group: String?
    /// The wait before the outcome. Default: zero.
    public let delay: Duration
    /// An additional random wait from zero to this value, drawn for each request. Default: zero.
    public let jitter: Duration
    /// Who the app is and what time it is once a person picks the response.
    package var setting = ScenarioSetting()
    /// Computes the outcome from a request and the components of its URL. Called on any thread.
    public let outcome: @Sendable (_ request: URLRequest, _ components: URLComponents?) -> Outcome

    /// A response that computes its outcome for each request. Negative waits count as zero.
    public init(
        _ name: String, summary: String = "", group: String? = nil, delay: Duration = .zero, jitter: Duration = .zero,
        outcome: @escaping @Sendable (_ request: URLRequest, _ components: URLComponents?) -> Outcome
    ) {
        self.name = name
        self.summary = summary
        self.group = group
        self.outcome = outcome
        self.delay = max(delay, .zero)
        self.jitter = max(jitter, .zero)
    }

    /// A response with the same outcome for every request.
    public init(
        _ name: String, summary: String = "", group: String? = nil, outcome: Outcome,
        delay: Duration = .zero, jitter: Duration = .zero
    ) {
        self.init(name, summary: summary, group: group, delay: delay, jitter: jitter) { _, _ in outcome }
    }
}

extension Response {
    /// An HTTP reply with raw bytes.
    public init(
        _ name: String, summary: String = "", group: String? = nil, statusCode: Int = 200,
        headers: [String: String] = [:], body: Data = Data(), delay: Duration = .zero, jitter: Duration = .zero
    ) {
        let reply = Reply(statusCode: statusCode, headers: headers, body: body)
        self.init(name, summary: summary, group: group, outcome: .reply(reply), delay: delay, jitter: jitter)
    }

    /// An HTTP reply with text; the default `Content-Type` is `text/plain`.
    public init(
        _ name: String, summary: String = "", group: String? = nil, statusCode: Int = 200,
        headers: [String: String] = [:], text: String, delay: Duration = .zero, jitter: Duration = .zero
    ) {
        let reply = Reply(statusCode: statusCode, headers: headers, text: text)
        self.init(name, summary: summary, group: group, outcome: .reply(reply), delay: delay, jitter: jitter)
    }

    /// An HTTP reply with a value encoded as JSON. A value that can't be encoded gives a failure with an explanation.
    public init(
        _ name: String, summary: String = "", group: String? = nil, statusCode: Int = 200,
        headers: [String: String] = [:], json: some Encodable, delay: Duration = .zero, jitter: Duration = .zero
    ) {
        let outcome: Outcome
        do {
            outcome = .reply(try Reply(statusCode: statusCode, headers: headers, json: json))
        } catch {
            let sentence = "the response \"\(name)\" can't be written as JSON: \(error)"
            outcome = .failure(.barricade(.cannotDecodeContentData, sentence))
        }
        self.init(name, summary: summary, group: group, outcome: outcome, delay: delay, jitter: jitter)
    }

    /// An HTTP reply with a file's bytes. The file is read for each request, so that it can be edited at run time.
    ///
    /// A file that can't be read, or is larger than 64 MiB, gives a failure with an explanation. The default
    /// `Content-Type` depends on the file extension.
    public init(
        _ name: String, summary: String = "", group: String? = nil, statusCode: Int = 200,
        headers: [String: String] = [:], file: URL, delay: Duration = .zero, jitter: Duration = .zero
    ) {
        let head = Reply(statusCode: statusCode, headers: headers)
        self.init(name, summary: summary, group: group, delay: delay, jitter: jitter) { _, _ in
            ResponseFile(url: file, folder: nil).outcome(head, response: name)
        }
    }

    /// A connection failure.
    public init(
        _ name: String, summary: String = "", group: String? = nil, failure code: URLError.Code,
        delay: Duration = .zero, jitter: Duration = .zero
    ) {
        self.init(name, summary: summary, group: group, outcome: .failure(URLError(code)), delay: delay, jitter: jitter)
    }
}

extension Response.Reply {
    /// A reply with a value encoded as JSON.
    /// - Throws: the error of the encoder.
    public init(statusCode: Int = 200, headers: [String: String] = [:], json: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let headers = headers.adding("Content-Type", "application/json")
        self.init(statusCode: statusCode, headers: headers, body: try encoder.encode(json))
    }

    /// A reply with plain text.
    public init(statusCode: Int = 200, headers: [String: String] = [:], text: String) {
        let headers = headers.adding("Content-Type", "text/plain; charset=utf-8")
        self.init(statusCode: statusCode, headers: headers, body: Data(text.utf8))
    }
}

extension [String: String] {
    /// Adds a header field unless one with that name exists, ignoring case.
    func adding(_ name: String, _ value: String) -> [String: String] {
        keys.contains { $0.lowercased() == name.lowercased() } ? self : merging([name: value]) { $1 }
    }

    /// The value of a header field, ignoring the case of its name.
    func header(_ name: String) -> String? {
        first { $0.key.lowercased() == name.lowercased() }?.value
    }
}

extension URLError {
    /// An error with the given sentence as its `localizedDescription`.
    static func barricade(_ code: URLError.Code, _ sentence: String, url: URL? = nil) -> URLError {
        var facts: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        facts[NSURLErrorFailingURLErrorKey] = url
        return URLError(code, userInfo: facts)
    }
}
