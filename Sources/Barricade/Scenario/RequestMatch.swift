import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A rule over a request and the parts of its URL. What it leaves open matches anything.
public struct RequestMatch: Equatable, Sendable {
    /// `GET`, `POST`…, in any case.
    public var method: String?
    /// `http` or `https`, in any case.
    public var scheme: String?
    /// In any case, without a port.
    public var host: String?
    /// The whole path; one that ends in `*` matches whatever goes on after that. The empty path is `/`.
    public var path: String?
    /// Query items that must be there, whatever else is; the value `*` takes any.
    public var query: [String: String]

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
