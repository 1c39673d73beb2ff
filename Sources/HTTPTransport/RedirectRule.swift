import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides where a redirect leads: within the same origin (RFC 6454), or nowhere.
///
/// The rule reads the raw `Location` field before any URL is merged. A merge would turn `https://` and `file:///etc` into
/// addresses of the server that sent them.
package enum RedirectRule {
    /// Where a response leads, or why it is not followed there; nil where it is no redirect (RFC 9110, section 15.4).
    /// - Parameters:
    ///   - count: the redirects of this exchange so far, this one included.
    ///   - limit: the most that are followed.
    package static func target(of head: HTTPURLResponse, count: Int, limit: Int) -> Result<URL, RedirectRefusal>? {
        guard [301, 302, 303, 307, 308].contains(head.statusCode), let url = head.url,
            let location = head.value(forHTTPHeaderField: "Location")
        else { return nil }
        let target = target(of: location, from: url)
        if case .success = target, count > limit { return .failure(RedirectRefusal("more than \(limit) in a row")) }
        return target
    }

    /// Where a `Location` field leads, as an address of the same origin, or why it is not followed.
    /// - Parameter url: the address that answered with the redirect.
    static func target(of location: String, from url: URL) -> Result<URL, RedirectRefusal> {
        let text = location.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        guard !text.isEmpty else { return .failure(RedirectRefusal("the server names no place")) }
        guard text.utf8.count <= 8192, text.utf8.allSatisfy({ isAddressByte($0) }) else {
            return .failure(RedirectRefusal("the server points to what is not an address"))
        }
        if let refusal = refusal(of: text, from: url) { return .failure(refusal) }
        guard let merged = URL(string: text, relativeTo: url)?.absoluteURL, merged.origin == url.origin else {
            return .failure(RedirectRefusal("the server points to what is not an address"))
        }
        return .success(merged)
    }

    // MARK: The parts of an address (RFC 3986, appendix B)

    /// Why the scheme or the authority of a `Location` is refused; nil where both are absent or those of the origin.
    private static func refusal(of text: String, from url: URL) -> RedirectRefusal? {
        let parts = Parts(text)
        if let scheme = parts.scheme {
            guard scheme == "http" || scheme == "https" else { return .otherOrigin(parts.origin(default: scheme)) }
            guard let authority = parts.authority, !authority.isEmpty else {
                return RedirectRefusal("the server points to \(scheme): without a host")
            }
        }
        guard let authority = parts.authority else { return nil }
        guard isAuthority(authority) else { return RedirectRefusal("the server points to a host that is not one") }
        let found = parts.origin(default: url.scheme?.lowercased() ?? "")
        return found == url.origin ? nil : .otherOrigin(found)
    }

    private struct Parts {
        /// In lower case.
        var scheme: String?
        var authority: Substring?

        init(_ text: String) {
            var rest = text[...]
            if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
                scheme = rest[..<colon].lowercased()
                rest = rest[rest.index(after: colon)...]
            }
            guard rest.hasPrefix("//") else { return }
            authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        }

        private static func isScheme(_ text: Substring) -> Bool {
            guard let first = text.first, first.isASCII, first.isLetter else { return false }
            return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        }

        /// With the default port spelled out, as ``Foundation/URL/origin`` has it.
        func origin(default scheme: String) -> String {
            let scheme = self.scheme ?? scheme
            let authority = authority.map { $0.lowercased() } ?? ""
            let (host, port) = RedirectRule.hostAndPort(authority[...])
            return "\(scheme)://\(host):\(port ?? (scheme == "https" ? "443" : "80"))"
        }
    }

    /// A name, an IPv4 address or an IPv6 address in brackets, with or without a port. A user name, an escape in percent or
    /// anything else that two readers could take for different hosts is not one.
    private static func isAuthority(_ text: Substring) -> Bool {
        let (host, port) = hostAndPort(text)
        if let port, !(1...5).contains(port.utf8.count) || !port.allSatisfy({ $0.isASCII && $0.isNumber }) { return false }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || ":.".contains($0) }
        }
        return !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._~-".contains($0)) }
    }

    /// Parts an authority at its last colon, unless that stands within brackets.
    private static func hostAndPort(_ text: Substring) -> (host: Substring, port: Substring?) {
        guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else { return (text, nil) }
        return (text[..<colon], text[text.index(after: colon)...])
    }

    /// Printable ASCII without space, quotes, angle brackets and the backslash, which some readers take for a slash.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#""<>\^`{|}"#.utf8.contains(byte)
    }
}

/// Why a redirect is not followed.
package struct RedirectRefusal: Error, Equatable, Sendable {
    /// Printable ASCII, at most about 150 characters.
    package let text: String

    init(_ text: String) { self.text = text }

    static func otherOrigin(_ place: String) -> RedirectRefusal {
        let printable = place.utf8.filter { (0x21...0x7E).contains($0) }.prefix(120)
        return RedirectRefusal("the server points to another origin, \(String(decoding: printable, as: UTF8.self))")
    }
}

extension URL {
    /// Scheme, host and port as one text, the default port spelled out (RFC 6454).
    package var origin: String {
        let scheme = self.scheme?.lowercased() ?? ""
        let port = self.port ?? (scheme == "https" ? 443 : 80)
        let host = host?.lowercased() ?? ""
        return "\(scheme)://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)"
    }
}
