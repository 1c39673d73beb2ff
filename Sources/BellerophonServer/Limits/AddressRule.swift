#if Server
import BellerophonBase
import Foundation
import Synchronization

/// A limit for each client address, so that no client takes what is for all.
struct AddressRule: Equatable, Sendable {
    /// Zero for no limit.
    var limit: Int
    /// Loopback addresses have no limit: a proxy on this machine serves many clients.
    var exemptsLoopback = true

    /// - Parameter address: IPv4 or IPv6, as text.
    /// - Returns: nil if there is no limit or the address is unknown.
    func key(of address: String?) -> AddressKey? {
        guard limit > 0, let address, let key = AddressKey(address) else { return nil }
        return exemptsLoopback && key.isLoopback ? nil : key
    }
}

/// An IPv4 address, or the /64 network of an IPv6 address: a client may choose any address within its network.
struct AddressKey: Hashable, Sendable {
    private let bytes: [UInt8]
    /// Whether the address, or the IPv4 address that it maps, is one of the loopback interface.
    let isLoopback: Bool

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// - Parameter text: the address. An IPv4-mapped address such as `::ffff:192.0.2.1` equals the IPv4 address.
    /// - Returns: nil if the text is no address.
    init?(_ text: String) {
        var (short, long) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &short) == 1 {
            self.init(short: withUnsafeBytes(of: short) { Array($0) })
        } else if inet_pton(AF_INET6, text, &long) == 1 {
            let all = withUnsafeBytes(of: long) { Array($0) }
            if all.starts(with: Self.mappedPrefix) {
                self.init(short: Array(all.suffix(4)))
            } else {
                self.init(bytes: Array(all.prefix(8)), isLoopback: Loopback.contains(all))
            }
        } else {
            return nil
        }
    }

    private init(short: [UInt8]) {
        self.init(bytes: short, isLoopback: Loopback.contains(short))
    }

    private init(bytes: [UInt8], isLoopback: Bool) {
        self.bytes = bytes
        self.isLoopback = isLoopback
    }
}

/// A count per address, shared by all threads.
final class AddressCounts: Sendable {
    private let counts = Mutex<[AddressKey: Int]>([:])

    /// Increments the count; false if the address has reached the limit.
    func acquire(_ key: AddressKey, limit: Int) -> Bool {
        counts.withLock { counts in
            let count = counts[key] ?? 0
            guard count < limit else { return false }
            counts[key] = count + 1
            return true
        }
    }

    func release(_ key: AddressKey) {
        counts.withLock { counts in
            guard let count = counts[key] else { return }
            counts[key] = count > 1 ? count - 1 : nil
        }
    }
}
#endif
