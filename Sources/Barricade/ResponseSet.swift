import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answers that a kind of request may get, and the rule that tells which requests those are.
public struct ResponseSet: Sendable {
    /// The kind of request, unique within a ``Barricade``.
    public let requestName: String
    /// The answers in the order that a list shows them.
    public let responses: [Response]
    /// The answer while none is selected: the first unless set.
    public let defaultResponse: Response?
    /// Whether a request is of this kind.
    public let matches: @Sendable (URLRequest) -> Bool

    /// - Parameters:
    ///   - defaultName: the answer while none is selected. The first one where nil, or where no response has that name.
    ///   - matches: called on any thread.
    public init(
        _ requestName: String, responses: [Response], default defaultName: String? = nil,
        matches: @escaping @Sendable (URLRequest) -> Bool
    ) {
        self.requestName = requestName
        self.responses = responses
        defaultResponse = responses.first { $0.name == defaultName } ?? responses.first
        self.matches = matches
    }

    /// A set for every request to one address, whatever its query.
    public init(_ requestName: String, url: URL, responses: [Response], default defaultName: String? = nil) {
        let place = Self.place(of: url)
        self.init(requestName, responses: responses, default: defaultName) { request in
            request.url.map { Self.place(of: $0) } == place
        }
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
