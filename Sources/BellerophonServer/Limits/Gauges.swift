#if Server
/// What all event loops together have open, and whom they refused for the want of a token.
final class Gauges: Sendable {
    let connections = Gauge()
    let streams = Gauge()
    let shedding = Gauge()
    let failures = AuthenticationFailures()
    private let downloads = AddressCounts()
    private let places = RequestPlace.allCases.map { _ in Gauge() }

    /// Requests that the router works on.
    var requests: Int { places.reduce(0) { $0 + $1.value } }

    /// Takes a place for a request.
    /// - Parameter address: the client's; nil where the system does not tell.
    /// - Throws: 503 where all places of that kind are taken, 429 where the address has all that it may have.
    func take(_ place: RequestPlace, _ limits: Limits, from address: String?) throws(HTTPProblem) -> TakenPlace {
        let key = place == .downloads ? limits.downloadRule.key(of: address) : nil
        if let key, !downloads.enter(key, limit: limits.downloadsPerAddress) { throw .tooManyDownloads }
        let gauge = places[place.rawValue]
        guard gauge.enter(limit: limits.concurrentRequests(at: place)) else {
            if let key { downloads.leave(key) }
            throw .busy(retryAfter: 1)
        }
        return TakenPlace(gauge: gauge, downloads: downloads, key: key)
    }
}

/// A place that a request has until its answer is whole. Whoever has it gives it back, once.
struct TakenPlace: Sendable {
    fileprivate let gauge: Gauge
    fileprivate let downloads: AddressCounts
    fileprivate let key: AddressKey?

    func leave() {
        gauge.leave()
        if let key { downloads.leave(key) }
    }
}
#endif
