import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answers that a kind of request may get, and the rule that tells which requests those are.
public struct ResponseSet: Sendable {
    /// A rule over a request and the parts of its URL; called on any thread, more than once for a request.
    public typealias Rule = @Sendable (_ request: URLRequest, _ components: URLComponents) -> Bool

    /// The kind of request, unique within a ``Barricade``.
    public let requestName: String
    /// The answers in the order that a list shows them.
    public let responses: [Response]
    /// The answer while none is selected: the first unless set.
    public let defaultResponse: Response?
    private let rule: Rule

    /// - Parameters:
    ///   - defaultName: the answer while none is selected. The first one where nil, or where no response has that name.
    ///   - rule: whether a request is of this kind.
    public init(
        _ requestName: String, responses: [Response], default defaultName: String? = nil, where rule: @escaping Rule
    ) {
        self.requestName = requestName
        self.responses = responses
        defaultResponse = responses.first { $0.name == defaultName } ?? responses.first
        self.rule = rule
    }

    /// A set whose rule looks at the request only.
    public init(
        _ requestName: String, responses: [Response], default defaultName: String? = nil,
        matches: @escaping @Sendable (URLRequest) -> Bool
    ) {
        self.init(requestName, responses: responses, default: defaultName) { request, _ in matches(request) }
    }

    /// A set for the requests that a rule written as data matches.
    public init(
        _ requestName: String, matching match: RequestMatch, responses: [Response], default defaultName: String? = nil
    ) {
        self.init(requestName, responses: responses, default: defaultName) { request, _ in match.matches(request) }
    }

    /// A set for every request to one address, whatever its query.
    public init(_ requestName: String, url: URL, responses: [Response], default defaultName: String? = nil) {
        let place = Self.place(of: url)
        self.init(requestName, responses: responses, default: defaultName) { request, _ in
            request.url.map { Self.place(of: $0) } == place
        }
    }

    /// Whether a request is of this kind. One without a URL is of none.
    public func matches(_ request: URLRequest) -> Bool {
        guard let url = request.url, let components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return false
        }
        return rule(request, components)
    }

    /// The response of that name.
    public subscript(name: String) -> Response? {
        responses.first { $0.name == name }
    }

    /// Scheme, host, port and path: what makes two addresses the same endpoint.
    private static func place(of url: URL) -> [String] {
        let path = url.path.isEmpty ? "/" : url.path
        return [url.scheme?.lowercased() ?? "", url.host?.lowercased() ?? "", url.port.map(String.init) ?? "", path]
    }
}
