#if Server
/// The counts of open connections, streams and requests over all event loops, and of authentication failures.
final class Limiters: Sendable {
    let connections = Limiter()
    let streams = Limiter()
    let shedding = Limiter()
    let failures = AuthenticationFailures()
    let rates = AddressRates()
    private let downloads = AddressCounts()
    private let places = RequestPlace.allCases.map { _ in Limiter() }

    /// Requests that the router handles.
    var requests: Int { places.reduce(0) { $0 + $1.value } }

    /// Takes a place for a request.
    /// - Parameter address: the client's address; nil if the system does not provide it.
    /// - Throws: 503 if all places of that kind are taken, 429 if the address has reached its limit of downloads.
    func take(_ place: RequestPlace, _ limits: Limits, from address: String?) throws(HTTPError) -> TakenPlace {
        let key = place == .downloads ? limits.downloadRule.key(of: address) : nil
        if let key, !downloads.acquire(key, limit: limits.downloadsPerAddress) { throw .tooManyDownloads }
        let limiter = places[place.rawValue]
        guard limiter.acquire(limit: limits.concurrentRequests(at: place)) else {
            if let key { downloads.release(key) }
            throw .busy(retryAfter: 1)
        }
        return TakenPlace(limiter: limiter, downloads: downloads, key: key)
    }
}

/// A place that a request holds until its response is complete. It must be released exactly once.
struct TakenPlace: Sendable {
    fileprivate let limiter: Limiter
    fileprivate let downloads: AddressCounts
    fileprivate let key: AddressKey?

    func release() {
        limiter.release()
        if let key { downloads.release(key) }
    }
}
#endif
