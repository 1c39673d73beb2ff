#if Server
import HTTPTypes
import Hummingbird

/// A path with one method and its handler.
struct Endpoint: Sendable {
    typealias Handler = @Sendable (Request, ServerContext) async throws -> Response

    /// Such as `/v1/apps/:app/status`.
    let path: String
    let method: HTTPRequest.Method
    let handler: Handler

    init(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.handler = handler
    }

    /// Whether a request's path matches the pattern.
    func fits(_ parts: [Substring]) -> Bool {
        let own = path.split(separator: "/", omittingEmptySubsequences: false)
        guard own.count == parts.count else { return false }
        for (mine, theirs) in zip(own, parts) where mine != theirs {
            guard mine.first == ":", !theirs.isEmpty else { return false }
        }
        return true
    }
}

extension [Endpoint] {
    /// The methods of a path, for the `Allow` field; empty for an unknown path.
    func methods(for path: String) -> [String] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        var methods: [String] = []
        for endpoint in self where endpoint.fits(parts) {
            methods.append(endpoint.method.rawValue)
            if endpoint.method == .get { methods.append("HEAD") }
        }
        return methods
    }
}
#endif
