import NIOCore
import Synchronization

/// The rate of requests of each address, over all threads, so that a client in a loop does not use the server up.
///
/// An address may send the requests of ``burst`` at once. A refused request does not count.
final class AddressRates: Sendable {
    /// What an address may still send, when it was last asked for.
    private struct Bucket {
        var requests: Double
        var at: NIODeadline
    }

    /// The time whose requests may come at once, in seconds.
    static let burst = 10.0
    /// Addresses beyond this number make room for each other.
    private static let roomLimit = 65_536

    private let buckets = Mutex<[AddressKey: Bucket]>([:])

    /// Counts a request.
    /// - Parameter rate: requests per second.
    /// - Returns: the whole seconds, at least one, after which the next request is permitted; nil if this one is.
    func admit(_ key: AddressKey, rate: Int, at now: NIODeadline) -> Int? {
        let (rate, full) = (Double(rate), Double(rate) * Self.burst)
        return buckets.withLock { buckets in
            if buckets.count >= Self.roomLimit, buckets[key] == nil {
                Self.makeRoom(in: &buckets, rate: rate, full: full, at: now)
            }
            var bucket = buckets[key] ?? Bucket(requests: full, at: now)
            bucket.requests = Self.present(bucket, rate: rate, full: full, at: now)
            bucket.at = max(bucket.at, now)
            defer { buckets[key] = bucket }
            guard bucket.requests >= 1 else { return max(1, Int(((1 - bucket.requests) / rate).rounded(.up))) }
            bucket.requests -= 1
            return nil
        }
    }

    /// The number of addresses that are remembered.
    var count: Int { buckets.withLock(\.count) }

    private static func present(_ bucket: Bucket, rate: Double, full: Double, at now: NIODeadline) -> Double {
        let seconds = Double(max(0, (now - bucket.at).nanoseconds)) / 1e9
        return min(full, bucket.requests + seconds * rate)
    }

    /// Forgets addresses that may send as much as a new one; if there is none, all.
    private static func makeRoom(in buckets: inout [AddressKey: Bucket], rate: Double, full: Double, at now: NIODeadline) {
        let busy = buckets.filter { present($0.value, rate: rate, full: full, at: now) < full }
        buckets = busy.count < buckets.count ? busy : [:]
    }
}
