/// The caching times of a document, in seconds (RFC 9111, section 5.2; RFC 5861).
package struct CachePolicy: Equatable, Sendable {
    /// How long a client may use its copy without a request.
    package var maxAge = 0
    /// How long a shared cache may use its copy; the maximum delay of a publish for its clients.
    package var sharedMaxAge = 1
    /// How long a shared cache may reply from an old copy while it fetches a new one.
    package var staleWhileRevalidate = 5
    /// How long a shared cache may reply from an old copy while the server is unreachable.
    package var staleIfError = 86_400

    package init() {}

    /// The value of `Cache-Control` for changing documents.
    package var header: String {
        "public, max-age=\(maxAge), s-maxage=\(sharedMaxAge), stale-while-revalidate=\(staleWhileRevalidate), "
            + "stale-if-error=\(staleIfError)"
    }

    /// A copy with times limited so that no cache uses a document for longer than `limit` seconds, fresh or stale.
    package func capped(at limit: Int) -> CachePolicy {
        var capped = self
        capped.maxAge = min(maxAge, limit)
        capped.sharedMaxAge = min(sharedMaxAge, limit)
        let rest = limit - max(capped.maxAge, capped.sharedMaxAge)
        capped.staleWhileRevalidate = min(staleWhileRevalidate, rest)
        capped.staleIfError = min(staleIfError, rest)
        return capped
    }

    /// For content that never changes at its address.
    package static let immutable = "public, max-age=31536000, immutable"
    /// For content that depends on the request: only the client may keep it, and must revalidate it before each use.
    package static let perRequest = "private, no-cache"
    /// For content that no cache may keep.
    package static let none = "no-store"
}
