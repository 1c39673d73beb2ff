/// The content of a scenario file: kinds of requests with their responses, and timelines.
///
/// A value without I/O. ``init(json:file:)`` parses a file's text, and `json` creates it.
public struct ScenarioFile: Equatable, Sendable {
    /// A short heading; empty for none.
    package var title: String
    /// A description of one or two sentences; empty for none.
    package var summary: String
    /// The kinds of requests, in the order in which requests are matched against them.
    package var requests: [ScenarioRequest]
    /// The timelines in display order.
    package var timelines: [Timeline]

    /// Creates the content of a scenario file; empty by default.
    package init(
        title: String = "", summary: String = "", requests: [ScenarioRequest] = [], timelines: [Timeline] = []
    ) {
        self.title = title
        self.summary = summary
        self.requests = requests
        self.timelines = timelines
    }

    /// The kind of request with that name.
    package func request(_ name: String) -> ScenarioRequest? {
        requests.first { $0.name == name }
    }

    /// The timeline with that name.
    package func timeline(_ name: String) -> Timeline? {
        timelines.first { $0.name == name }
    }

    /// Adds the content of another file. Timelines and responses with an existing name are replaced in place. A request
    /// in both files keeps its rule and its default, and gains the other's responses.
    package mutating func merge(_ other: ScenarioFile) {
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
    /// Replaces the first element that satisfies the predicate, or appends the element.
    mutating func replaceOrAppend(_ element: Element, where isSame: (Element) -> Bool) {
        if let index = firstIndex(where: isSame) {
            self[index] = element
        } else {
            append(element)
        }
    }
}

/// A kind of request: the rule that identifies such requests, and the responses to them.
package struct ScenarioRequest: Equatable, Sendable {
    /// The name of this kind of request, unique within the file.
    package var name: String
    /// The rule that identifies requests of this kind.
    package var match: RequestMatch
    /// The name of the response while none is selected; nil for the first.
    package var defaultResponse: String?
    /// The responses in display order.
    package var responses: [ScenarioResponse]

    /// Creates a kind of request; by default it matches every request.
    package init(
        _ name: String, match: RequestMatch = RequestMatch(), default defaultResponse: String? = nil,
        responses: [ScenarioResponse]
    ) {
        self.name = name
        self.match = match
        self.defaultResponse = defaultResponse
        self.responses = responses
    }

    /// The response with that name.
    package subscript(name: String) -> ScenarioResponse? {
        responses.first { $0.name == name }
    }
}

/// A response as data.
package struct ScenarioResponse: Equatable, Sendable {
    /// The outcome of a request.
    package enum Answer: Equatable, Sendable {
        /// An HTTP reply.
        case reply(ScenarioReply)
        /// No reply: the task ends with the `URLError` that has this code.
        case failure(code: Int)
        /// Neither a reply nor an error.
        case silence
    }

    /// The name for selection, unique within its request.
    package var name: String
    /// One line for a list of responses; empty for none.
    package var summary: String
    /// The heading above the response in a list; nil for none.
    package var group: String?
    /// The outcome of a request.
    package var answer: Answer
    /// The wait before the outcome. Default: zero.
    package var delay: Duration
    /// An additional random wait from zero to this value, drawn for each request. Default: zero.
    package var jitter: Duration
    /// Who the app is and what time it is once a person picks the response. A timeline states that itself.
    package var setting: ScenarioSetting

    /// Creates a response; by default without waits.
    package init(
        _ name: String, summary: String = "", group: String? = nil, answer: Answer,
        delay: Duration = .zero, jitter: Duration = .zero, setting: ScenarioSetting = ScenarioSetting()
    ) {
        self.setting = setting
        self.name = name
        self.summary = summary
        self.group = group
        self.answer = answer
        self.delay = delay
        self.jitter = jitter
    }
}

/// An HTTP reply as data.
package struct ScenarioReply: Equatable, Sendable {
    /// The content of a body.
    package enum Body: Equatable, Sendable {
        /// No body.
        case none
        /// JSON text. The default `Content-Type` is `application/json`.
        case json(String)
        /// Text. The default `Content-Type` is `text/plain; charset=utf-8`.
        case text(String)
        /// Bytes, in Base64 in the scenario file (RFC 4648).
        case data([UInt8])
        /// A file, by its path relative to the scenario file's folder, which must contain it.
        case file(String)
    }

    /// The reply without its body. A scenario file accepts the status codes 200 to 599.
    package var head: Response.Reply
    /// The body before padding.
    package var body: Body

    /// Creates a reply; by default an empty one with status 200.
    package init(
        statusCode: Int = 200, headers: [String: String] = [:], body: Body = .none, bodyBytes: Int? = nil,
        bytesPerSecond: Int? = nil, ending: ReplyEnding = .complete
    ) {
        head = Response.Reply(
            statusCode: statusCode, headers: headers, bodyBytes: bodyBytes, bytesPerSecond: bytesPerSecond, ending: ending)
        self.body = body
    }
}

/// How a reply ends. All cases except ``complete`` send the head and the first half of the body.
public enum ReplyEnding: String, Equatable, Sendable, CaseIterable {
    /// After the last byte.
    case complete
    /// The connection is lost.
    case resetMidBody
    /// Normally, although `Content-Length` announces more bytes.
    case truncatedBody
    /// Never: no more bytes follow.
    case stallMidBody
}
