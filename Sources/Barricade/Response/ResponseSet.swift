import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The responses to a kind of request, and the rule that identifies such requests.
public struct ResponseSet: Sendable {
    /// A predicate on a request and the components of its URL; called on any thread, more than once per request.
    public typealias Rule = @Sendable (_ request: URLRequest, _ components: URLComponents) -> Bool

    /// The name of this kind of request, unique within a ``BarricadeServer``.
    public let requestName: String
    /// The responses in display order.
    public let responses: [Response]
    /// The response while none is selected: the first by default.
    public let defaultResponse: Response?
    private let rule: Rule

    /// A set with a rule for a request and the components of its URL.
    /// - Parameters:
    ///   - requestName: the name of the set.
    ///   - responses: the responses to choose from.
    ///   - defaultName: the response while none is selected; the first if nil or unknown.
    ///   - rule: returns whether a request is of this kind.
    public init(
        _ requestName: String, responses: [Response], default defaultName: String? = nil, where rule: @escaping Rule
    ) {
        self.requestName = requestName
        self.responses = responses
        defaultResponse = responses.first { $0.name == defaultName } ?? responses.first
        self.rule = rule
    }

    /// A set whose rule only uses the request.
    public init(
        _ requestName: String, responses: [Response], default defaultName: String? = nil,
        matches: @escaping @Sendable (URLRequest) -> Bool
    ) {
        self.init(requestName, responses: responses, default: defaultName) { request, _ in matches(request) }
    }

    /// A set for the requests that a ``RequestMatch`` matches.
    public init(
        _ requestName: String, matching match: RequestMatch, responses: [Response], default defaultName: String? = nil
    ) {
        self.init(requestName, responses: responses, default: defaultName) { request, _ in match.matches(request) }
    }

    /// A set for all requests to a URL, regardless of the query.
    public init(_ requestName: String, url: URL, responses: [Response], default defaultName: String? = nil) {
        let place = Self.place(of: url)
        self.init(requestName, responses: responses, default: defaultName) { request, _ in
            request.url.map { Self.place(of: $0) } == place
        }
    }

    /// Whether a request is of this kind; false for a request without a URL.
    package func matches(_ request: URLRequest) -> Bool {
        guard let url = request.url, let components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return false
        }
        return rule(request, components)
    }

    /// The response with that name.
    public subscript(name: String) -> Response? {
        responses.first { $0.name == name }
    }

    /// Scheme, host, port and path, which identify an endpoint.
    private static func place(of url: URL) -> [String] {
        let path = url.path.isEmpty ? "/" : url.path
        return [url.scheme?.lowercased() ?? "", url.host?.lowercased() ?? "", url.port.map(String.init) ?? "", path]
    }
}
