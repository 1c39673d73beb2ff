/// What a scenario file holds: kinds of requests with their responses, and timelines that play them.
///
/// A value without any I/O. Read one with ``init(json:file:)``, write one with ``json``.
public struct ScenarioFile: Equatable, Sendable {
    /// A few words for a heading; empty for none.
    public var title: String
    /// One or two sentences; empty for none.
    public var summary: String
    /// In the order in which requests are tried against them.
    public var requests: [ScenarioRequest]
    /// In the order that a list shows them.
    public var timelines: [Timeline]

    public init(
        title: String = "", summary: String = "", requests: [ScenarioRequest] = [], timelines: [Timeline] = []
    ) {
        self.title = title
        self.summary = summary
        self.requests = requests
        self.timelines = timelines
    }

    public func request(_ name: String) -> ScenarioRequest? {
        requests.first { $0.name == name }
    }

    public func timeline(_ name: String) -> Timeline? {
        timelines.first { $0.name == name }
    }

    /// Adds what another file has. What has the same name is replaced in its place; a request that both have keeps
    /// its rule and its default, and gets the other's responses too.
    public mutating func merge(_ other: ScenarioFile) {
        for request in other.requests {
            guard let index = requests.firstIndex(where: { $0.name == request.name }) else {
                requests.append(request)
                continue
            }
            for response in request.responses {
                requests[index].responses.replaceOrAppend(response) { $0.name == response.name }
            }
        }
        for timeline in other.timelines { timelines.replaceOrAppend(timeline) { $0.name == timeline.name } }
    }
}

extension Array {
    /// Puts an element in the place of the first one that counts as the same, or at the end.
    mutating func replaceOrAppend(_ element: Element, where isSame: (Element) -> Bool) {
        if let index = firstIndex(where: isSame) {
            self[index] = element
        } else {
            append(element)
        }
    }
}

/// A kind of request: which requests those are, and what they may be answered with.
public struct ScenarioRequest: Equatable, Sendable {
    public var name: String
    public var match: RequestMatch
    /// The name of the response that answers while none is selected; nil for the first.
    public var defaultResponse: String?
    public var responses: [ScenarioResponse]

    public init(
        _ name: String, match: RequestMatch = RequestMatch(), default defaultResponse: String? = nil,
        responses: [ScenarioResponse]
    ) {
        self.name = name
        self.match = match
        self.defaultResponse = defaultResponse
        self.responses = responses
    }

    public subscript(name: String) -> ScenarioResponse? {
        responses.first { $0.name == name }
    }
}

/// A response as data.
public struct ScenarioResponse: Equatable, Sendable {
    public enum Answer: Equatable, Sendable {
        case reply(ScenarioReply)
        /// No reply; the code is `URLError`'s.
        case failure(code: Int)
        /// Neither a reply nor an error, ever.
        case silence
    }

    public var name: String
    /// One line for a person who picks from a list.
    public var summary: String
    /// The heading that a list shows it under; nil for none.
    public var group: String?
    public var answer: Answer
    /// The wait before the answer.
    public var delay: Duration
    /// A further wait, drawn anew for every request from zero to this.
    public var jitter: Duration

    public init(
        _ name: String, summary: String = "", group: String? = nil, answer: Answer,
        delay: Duration = .zero, jitter: Duration = .zero
    ) {
        self.name = name
        self.summary = summary
        self.group = group
        self.answer = answer
        self.delay = delay
        self.jitter = jitter
    }
}

/// An HTTP reply as data.
public struct ScenarioReply: Equatable, Sendable {
    public enum Body: Equatable, Sendable {
        case none
        /// JSON as text. A `Content-Type` of `application/json` goes with it unless the headers have one.
        case json(String)
        case text(String)
        /// Bytes; a file has them in base 64 (RFC 4648).
        case data([UInt8])
        /// A path relative to the scenario file's folder, which it never leaves.
        case file(String)
    }

    /// 100 to 599.
    public var statusCode: Int
    public var headers: [String: String]
    public var body: Body
    /// Pads the body with spaces up to so many bytes; nil leaves it as it is. JSON stays JSON.
    public var bodyBytes: Int?
    /// Sends the body slowly; nil sends it at once.
    public var bytesPerSecond: Int?
    public var ending: ReplyEnding

    public init(
        statusCode: Int = 200, headers: [String: String] = [:], body: Body = .none, bodyBytes: Int? = nil,
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

/// How a reply ends. All but ``complete`` send the whole head and the first half of the body.
public enum ReplyEnding: String, Equatable, Sendable, CaseIterable {
    /// With its last byte.
    case complete
    /// The connection is cut.
    case resetMidBody
    /// As if it were complete, though `Content-Length` announced more.
    case truncatedBody
    /// Not at all: nothing more comes.
    case stallMidBody
}
