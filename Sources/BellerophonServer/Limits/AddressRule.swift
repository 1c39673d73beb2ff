import BellerophonBase
import Foundation
import NIOCore

/// A limit for each client address, so that no client takes what is for all.
struct AddressRule: Equatable, Sendable {
    /// Zero for no limit.
    var limit: Int
    /// Loopback addresses have no limit: a proxy on this machine serves many clients.
    var exemptsLoopback = true

    /// - Parameter address: IPv4 or IPv6, as text.
    /// - Returns: nil if there is no limit or the address is unknown.
    func key(of address: String?) -> AddressKey? { key(address.flatMap { AddressKey($0) }) }

    /// - Returns: nil if there is no limit, and for a Unix socket.
    func key(ofSocket address: SocketAddress?) -> AddressKey? { key(AddressKey(address)) }

    private func key(_ key: AddressKey?) -> AddressKey? {
        guard limit > 0, let key else { return nil }
        return exemptsLoopback && key.isLoopback ? nil : key
    }
}

/// An IPv4 address, or the /64 network of an IPv6 address: a client may choose any address within its network.
struct AddressKey: Hashable, Sendable {
    /// The address, or the network, in network byte order.
    private let bits: UInt64
    private let isIPv4: Bool
    /// Whether the address, or the IPv4 address that it maps, is one of the loopback interface.
    let isLoopback: Bool

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// - Parameter text: the address. An IPv4-mapped address such as `::ffff:192.0.2.1` equals the IPv4 address.
    /// - Returns: nil if the text is no address.
    init?(_ text: String) { self.init(try? SocketAddress(ipAddress: text, port: 0)) }

    /// - Returns: nil for the address of a Unix socket.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address): self.init(short: withUnsafeBytes(of: address.address.sin_addr) { Array($0) })
        case .v6(let address): self.init(long: withUnsafeBytes(of: address.address.sin6_addr) { Array($0) })
        case .unixDomainSocket, nil: return nil
        }
    }

    /// - Parameter bytes: the 16 bytes of an IPv6 address.
    private init(long bytes: [UInt8]) {
        if bytes.starts(with: Self.mappedPrefix) {
            self.init(short: Array(bytes.suffix(4)))
        } else {
            self.init(bytes: bytes.prefix(8), isIPv4: false, isLoopback: Loopback.contains(bytes))
        }
    }

    private init(short: [UInt8]) {
        self.init(bytes: short[...], isIPv4: true, isLoopback: Loopback.contains(short))
    }

    private init(bytes: ArraySlice<UInt8>, isIPv4: Bool, isLoopback: Bool) {
        bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
        self.isIPv4 = isIPv4
        self.isLoopback = isLoopback
    }
}
