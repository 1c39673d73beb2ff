#if Server
/// What caches may do with a document, in whole seconds (RFC 9111, section 5.2; RFC 5861).
package struct CachePolicy: Equatable, Sendable {
    /// How long a client may use its copy without asking.
    package var maxAge = 0
    /// How long a shared cache may: a publish is seen behind it at most this much later.
    package var sharedMaxAge = 1
    /// How long a shared cache may answer from the old copy while it asks for a new one.
    package var staleWhileRevalidate = 5
    /// How long a shared cache may go on when the server is gone.
    package var staleIfError = 86_400

    package init() {}

    /// The value of `Cache-Control` for what changes.
    package var header: String {
        "public, max-age=\(maxAge), s-maxage=\(sharedMaxAge), stale-while-revalidate=\(staleWhileRevalidate), "
            + "stale-if-error=\(staleIfError)"
    }

    /// The same for what is of no use after a time, in whole seconds: no cache goes on with it for longer, fresh or stale.
    package func capped(at limit: Int) -> CachePolicy {
        var capped = self
        capped.maxAge = min(maxAge, limit)
        capped.sharedMaxAge = min(sharedMaxAge, limit)
        let rest = limit - max(capped.maxAge, capped.sharedMaxAge)
        capped.staleWhileRevalidate = min(staleWhileRevalidate, rest)
        capped.staleIfError = min(staleIfError, rest)
        return capped
    }

    /// For bytes that never change under their address.
    package static let immutable = "public, max-age=31536000, immutable"
    /// For what depends on who asks, or how: kept by the client alone, which asks before each use.
    package static let perRequest = "private, no-cache"
    /// For what no cache may keep.
    package static let none = "no-store"
}
#endif
