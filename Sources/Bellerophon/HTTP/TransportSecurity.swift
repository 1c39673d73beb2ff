public import Foundation

/// Whether others can read and change the traffic to an address.
public enum TransportSecurity: String, Equatable, Sendable {
    /// `https`.
    case encrypted
    /// Plain `http` on the loopback interface.
    case loopback
    /// Plain `http`: an attacker on the network path can forge or withhold a status.
    case plain

    /// Classifies an address.
    /// - Parameter url: an `http` or `https` address; any other scheme counts as plain `http`.
    public init(of url: URL) {
        if url.scheme?.lowercased() == "https" {
            self = .encrypted
        } else {
            self = Self.isLoopback(url.host ?? "") ? .loopback : .plain
        }
    }

    /// Why requests to an address are refused; nil if they are allowed.
    public static func refusal(of url: URL, requiresTLS: Bool) -> String? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host != nil else {
            return "\(url.plainName) is no http or https address"
        }
        guard requiresTLS, TransportSecurity(of: url) == .plain else { return nil }
        return "\(url.plainName) is plain http, and TLS is required: use an https address"
    }

    /// `localhost` and names below it (RFC 6761, section 6.3), 127.0.0.0/8 (RFC 1122) and ::1 (RFC 4291).
    private static func isLoopback(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        if name.hasSuffix(".") { name.removeLast() }
        if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
