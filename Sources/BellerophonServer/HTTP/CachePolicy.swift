#if Server
/// What caches may do with a document, in whole seconds (RFC 9111, section 5.2; RFC 5861).
public struct CachePolicy: Equatable, Sendable {
    /// How long a client may use its copy without asking.
    public var maxAge = 0
    /// How long a shared cache may: a publish is seen behind it at most this much later.
    public var sharedMaxAge = 1
    /// How long a shared cache may answer from the old copy while it asks for a new one.
    public var staleWhileRevalidate = 5
    /// How long a shared cache may go on when the server is gone.
    public var staleIfError = 86_400

    public init() {}

    /// The value of `Cache-Control` for what changes.
    public var header: String {
        "public, max-age=\(maxAge), s-maxage=\(sharedMaxAge), stale-while-revalidate=\(staleWhileRevalidate), "
            + "stale-if-error=\(staleIfError)"
    }

    /// The same for what is of no use after a time, in whole seconds: no cache goes on with it for longer, fresh or stale.
    public func capped(at limit: Int) -> CachePolicy {
        var capped = self
        capped.maxAge = min(maxAge, limit)
        capped.sharedMaxAge = min(sharedMaxAge, limit)
        let rest = limit - max(capped.maxAge, capped.sharedMaxAge)
        capped.staleWhileRevalidate = min(staleWhileRevalidate, rest)
        capped.staleIfError = min(staleIfError, rest)
        return capped
    }

    /// For bytes that never change under their address.
    public static let immutable = "public, max-age=31536000, immutable"
    /// For what depends on who asks, or how: kept by the client alone, which asks before each use.
    public static let perRequest = "private, no-cache"
    /// For what no cache may keep.
    public static let none = "no-store"
}
#endif
