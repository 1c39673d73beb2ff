import BellerophonBase
import Foundation
import NIOCore

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
    init?(_ text: String?) { self.init(text.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }) }

    /// - Returns: nil for an address of another kind.
    init?(_ address: SocketAddress?) {
        var bytes: [UInt8]
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket, nil: return nil
        }
        if bytes.starts(with: Self.mappedPrefix) { bytes.removeFirst(Self.mappedPrefix.count) }
        (isIPv4, isLoopback) = (bytes.count == 4, Loopback.contains(bytes))
        bits = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
