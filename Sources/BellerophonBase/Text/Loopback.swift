package import Foundation

/// Decides what counts as the loopback interface, for clients and servers alike.
package enum Loopback {
    /// Whether an address is in 127.0.0.0/8 (RFC 1122) or is ::1 (RFC 4291).
    /// - Parameter bytes: 4 bytes of an IPv4 address, or 16 of an IPv6 address. An IPv4-mapped address does not count.
    package static func contains(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: bytes[0] == 127
        case 16: bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
        default: false
        }
    }

    /// Whether the host of an address is `localhost` or a literal address of the loopback interface.
    ///
    /// Names are compared and not looked up, so another spelling never counts: `localhost.`, `a.localhost`, `127.1`,
    /// `0x7f.1`, `127.0.0.1.`. A percent escape does not count either.
    /// - Parameter host: as it stands in a URL; an IPv6 address is in brackets.
    static func contains(host: some StringProtocol) -> Bool {
        if host.lowercased() == "localhost" { return true }
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return false }
            return contains(withUnsafeBytes(of: address) { Array($0) })
        }
        var address = in_addr()
        guard inet_pton(AF_INET, String(host), &address) == 1 else { return false }
        return contains(withUnsafeBytes(of: address) { Array($0) })
    }
}

extension URL {
    /// Whether the address plainly names the loopback interface of this machine.
    ///
    /// The authority is read as it stands, because parsers disagree about odd ones. It must be a host with or without a
    /// port: a user name never counts.
    package var isLoopback: Bool {
        let text = absoluteString
        guard let start = text.range(of: "://")?.upperBound else { return false }
        let authority = text[start...].prefix { !"/?#".contains($0) }
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
            return Loopback.contains(host: authority)
        }
        let port = authority[authority.index(after: colon)...]
        return port.utf8.allSatisfy { (0x30...0x39).contains($0) } && Loopback.contains(host: authority[..<colon])
    }
}
