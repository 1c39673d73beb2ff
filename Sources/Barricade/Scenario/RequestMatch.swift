import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A rule for a request and the components of its URL. Nil properties match anything.
public struct RequestMatch: Equatable, Sendable {
    /// The method, such as `GET`; case-insensitive.
    public var method: String?
    /// `http` or `https`; case-insensitive.
    public var scheme: String?
    /// The host without a port; case-insensitive.
    public var host: String?
    /// The whole path, or a prefix followed by `*`. An empty path in a URL counts as `/`.
    public var path: String?
    /// The required query items; the value `*` matches any value. Other items are ignored.
    public var query: [String: String]

    /// Creates a rule; by default it matches every request with a URL.
    public init(
        method: String? = nil, scheme: String? = nil, host: String? = nil, path: String? = nil,
        query: [String: String] = [:]
    ) {
        self.method = method
        self.scheme = scheme
        self.host = host
        self.path = path
        self.query = query
    }

    /// Whether the rule matches a request; false for a request without a URL.
    public func matches(_ request: URLRequest) -> Bool {
        guard let url = request.url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return false
        }
        return Self.isSame(method, request.httpMethod ?? "GET") && Self.isSame(scheme, parts.scheme)
            && Self.isSame(host, parts.host) && matchesPath(parts.path) && matchesQuery(parts.queryItems ?? [])
    }

    private static func isSame(_ wanted: String?, _ found: String?) -> Bool {
        wanted == nil || wanted?.lowercased() == found?.lowercased()
    }

    private func matchesPath(_ found: String) -> Bool {
        guard let path else { return true }
        let found = found.isEmpty ? "/" : found
        return path.hasSuffix("*") ? found.hasPrefix(path.dropLast()) : found == path
    }

    private func matchesQuery(_ items: [URLQueryItem]) -> Bool {
        query.allSatisfy { name, value in
            items.contains { $0.name == name && (value == "*" || ($0.value ?? "") == value) }
        }
    }
}
