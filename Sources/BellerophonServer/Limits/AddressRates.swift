import NIOCore
import Synchronization

/// The rate of requests of each address, over all threads, so that a client in a loop does not use the server up.
///
/// An address may send the requests of ``burst`` at once. A refused request does not count.
final class AddressRates: Sendable {
    /// The time whose requests may come at once.
    private static let burst = TimeAmount.seconds(10)
    /// Addresses beyond this number make room for each other.
    private static let roomLimit = 65_536

    /// When an address may send as much at once as a new one (the generic cell rate algorithm).
    private let recoveries = Mutex<[AddressKey: NIODeadline]>([:])

    /// Counts a request.
    /// - Parameter rate: requests per second.
    /// - Returns: the whole seconds, at least one, after which the next request is permitted; nil if this one is.
    func admit(_ key: AddressKey, rate: Int, at now: NIODeadline) -> Int? {
        recoveries.withLock { recoveries in
            if recoveries.count >= Self.roomLimit, recoveries[key] == nil {
                // Addresses that may send as much as a new one make room; if there is none, all do.
                let busy = recoveries.filter { $0.value > now }
                recoveries = busy.count < recoveries.count ? busy : [:]
            }
            let recovery = max(recoveries[key] ?? now, now) + .nanoseconds(1_000_000_000 / Int64(rate))
            let excess = recovery - now - Self.burst
            guard excess.nanoseconds > 0 else {
                recoveries[key] = recovery
                return nil
            }
            return Int((Double(excess.nanoseconds) / 1e9).rounded(.up))
        }
    }

    /// The number of addresses that are remembered.
    var count: Int { recoveries.withLock(\.count) }
}
