public import Foundation
import TerminalUI

/// Which redirects a status check follows: to the same origin (RFC 6454), and only so many.
public enum RedirectRule {
    /// Why a redirect is not followed; nil where it is.
    /// - Parameters:
    ///   - count: the redirects of this check so far, this one included.
    ///   - limit: the most that are followed.
    public static func refusal(to target: URL?, from origin: URL?, count: Int, limit: Int) -> String? {
        guard let target, let origin, target.origin == origin.origin else {
            let place = SafeText.sanitize(target?.origin ?? "nowhere", keepingNewlines: false, limit: 120)
            return "the server points to another origin, \(place)"
        }
        return count <= limit ? nil : "more than \(limit) in a row"
    }
}

extension URL {
    /// Scheme, host and port as one text, the default port spelled out (RFC 6454).
    package var origin: String {
        let scheme = self.scheme?.lowercased() ?? ""
        let port = self.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port)"
    }
}
