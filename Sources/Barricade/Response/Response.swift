import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One ready answer to a request: an HTTP reply, or a failure of the connection.
///
/// ```swift
/// Response("killed", summary: "the service is stopped", json: ["apiInactive": true])
/// Response("offline", summary: "no network", failure: .notConnectedToInternet)
/// Response("page") { request, components in .reply(Response.Reply(text: components?.path ?? "")) }
/// ```
public struct Response: Sendable {
    /// What the requesting code sees.
    public enum Outcome: Equatable, Sendable {
        case reply(Reply)
        /// No reply: the task ends with this error.
        case failure(URLError)
        /// Neither a reply nor an error, ever: only the requesting code's own deadline ends it.
        ///
        /// A session's timeouts do not apply to a `URLProtocol` on Linux (measured).
        case silence
    }

    /// An HTTP reply.
    public struct Reply: Equatable, Sendable {
        public var statusCode: Int
        /// A `Content-Length` is added unless there is one.
        public var headers: [String: String]
        public var body: Data
        /// Pads the body with spaces up to so many bytes, without holding them in memory.
        ///
        /// Sent in pieces to a session with a data delegate; whoever waits for the whole body holds it whole.
        public var bodyBytes: Int?
        /// Sends the body slowly. A task with a completion handler gets it whole when its time is over.
        public var bytesPerSecond: Int?
        public var ending: ReplyEnding

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

    /// The name that selects it, unique within its ``ResponseSet``.
    public let name: String
    /// One line for a person who picks from a list.
    public let summary: String
    /// The heading that a list shows it under; nil for none.
    public let group: String?
    /// The wait before the outcome. Default: none.
    public let delay: Duration
    /// A further wait, drawn anew for every request from zero to this. Default: none.
    public let jitter: Duration
    /// What a request gets, computed from it and the parts of its URL. Called on any thread.
    public let outcome: @Sendable (_ request: URLRequest, _ components: URLComponents?) -> Outcome

    /// A dynamic response: computed for each request.
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

    /// The same outcome for every request.
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

    /// An HTTP reply with a text, such as JSON written out.
    public init(
        _ name: String, summary: String = "", group: String? = nil, statusCode: Int = 200,
        headers: [String: String] = [:], text: String, delay: Duration = .zero, jitter: Duration = .zero
    ) {
        let reply = Reply(statusCode: statusCode, headers: headers, text: text)
        self.init(name, summary: summary, group: group, outcome: .reply(reply), delay: delay, jitter: jitter)
    }

    /// An HTTP reply with a value as JSON. A value that can't be encoded becomes a failure that says so.
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

    /// An HTTP reply with a file's bytes, read anew for each request, so that the file can be edited meanwhile.
    ///
    /// A file that can't be read, or is larger than 64 MiB, is a failure that says so. The `Content-Type` goes by the
    /// file's extension unless the headers have one.
    public init(
        _ name: String, summary: String = "", group: String? = nil, statusCode: Int = 200,
        headers: [String: String] = [:], file: URL, delay: Duration = .zero, jitter: Duration = .zero
    ) {
        let head = Reply(statusCode: statusCode, headers: headers)
        self.init(name, summary: summary, group: group, delay: delay, jitter: jitter) { _, _ in
            ResponseFile(url: file, folder: nil).outcome(head, response: name)
        }
    }

    /// A failure of the connection.
    public init(
        _ name: String, summary: String = "", group: String? = nil, failure code: URLError.Code,
        delay: Duration = .zero, jitter: Duration = .zero
    ) {
        self.init(name, summary: summary, group: group, outcome: .failure(URLError(code)), delay: delay, jitter: jitter)
    }
}

extension Response.Reply {
    /// A reply with a value as JSON.
    /// - Throws: what the encoder throws.
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
    /// With a header field added unless there is one of that name, in any case.
    func adding(_ name: String, _ value: String) -> [String: String] {
        keys.contains { $0.lowercased() == name.lowercased() } ? self : merging([name: value]) { $1 }
    }

    /// The value of a header field, by its name in any case.
    func header(_ name: String) -> String? {
        first { $0.key.lowercased() == name.lowercased() }?.value
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
