import BellerophonBase
import Foundation

/// Whether others can read and change the traffic to an address.
public enum TransportSecurity: String, Equatable, Sendable {
    /// `https`.
    case encrypted
    /// Plain `http` on the loopback interface: to `localhost`, 127.0.0.0/8 or `[::1]`, written exactly so. Such a request
    /// never goes through a proxy.
    case loopback
    /// Plain `http`: an attacker on the network path can forge or withhold a status.
    case plain

    /// Classifies an address.
    /// - Parameter url: an `http` or `https` address; any other scheme counts as plain `http`.
    package init(of url: URL) {
        if url.scheme?.lowercased() == "https" {
            self = .encrypted
        } else {
            self = url.isLoopback ? .loopback : .plain
        }
    }

    /// Why requests to an address are refused; nil if they are allowed.
    package static func refusal(of url: URL, requiresTLS: Bool) -> String? {
        if let problem = StatusAddress.problem(of: url) { return problem }
        guard requiresTLS, TransportSecurity(of: url) == .plain else { return nil }
        return """
            \(url.plainName) is plain http, and TLS is required except to localhost, 127.0.0.0/8 and [::1]: use an https address
            """
    }
}
