import BellerophonBase
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides on the target of a redirect, which must be in the same origin (RFC 6454).
///
/// The rule checks the raw `Location` field before it is resolved against the URL. Resolution would turn `https://` and
/// `file:///etc` into addresses of the server that sent them.
package enum RedirectRule {
    /// The target of a redirect, or why it is not followed; nil if the response is not a redirect (RFC 9110, section 15.4).
    /// - Parameters:
    ///   - count: the redirects of this exchange so far, including this one.
    ///   - limit: the most redirects that are followed.
    package static func target(of head: HTTPURLResponse, count: Int, limit: Int) -> Result<URL, TransportError>? {
        guard [301, 302, 303, 307, 308].contains(head.statusCode), let url = head.url,
            let location = head.value(forHTTPHeaderField: "Location")
        else { return nil }
        let target = target(of: location, from: url)
        if case .success = target, count > limit { return .failure(.redirect("more than \(limit) in a row")) }
        return target
    }

    /// The target of a `Location` field, as an address of the same origin, or why it is not followed.
    /// - Parameter url: the address that replied with the redirect.
    static func target(of location: String, from url: URL) -> Result<URL, TransportError> {
        let text = location.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        guard !text.isEmpty else { return .failure(.redirect("the server names no place")) }
        guard text.utf8.count <= 8192, text.utf8.allSatisfy({ isAddressByte($0) }) else {
            return .failure(.redirect("the server points to what is not an address"))
        }
        if let refusal = refusal(of: text, from: url) { return .failure(refusal) }
        guard let merged = URL(string: text, relativeTo: url)?.absoluteURL, merged.origin == url.origin,
            merged.isLoopback == url.isLoopback
        else {
            return .failure(.redirect("the server points to what is not an address"))
        }
        return .success(merged)
    }

    // MARK: The parts of an address (RFC 3986, appendix B)

    /// Why the scheme or the authority of a `Location` is refused; nil if they are absent or equal those of the origin.
    private static func refusal(of text: String, from url: URL) -> TransportError? {
        var rest = text[...]
        var scheme: String?
        if let colon = rest.firstIndex(of: ":"), isScheme(rest[..<colon]) {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        let hasAuthority = rest.hasPrefix("//")
        let authority = hasAuthority ? rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" } : ""
        let found = origin(scheme ?? url.scheme?.lowercased() ?? "", authority)
        if let scheme {
            guard scheme == "http" || scheme == "https" else { return .otherOrigin(found) }
            guard !authority.isEmpty else { return .redirect("the server points to \(scheme): without a host") }
        }
        guard hasAuthority else { return nil }
        guard isAuthority(authority) else { return .redirect("the server points to a host that is not one") }
        return found == url.origin ? nil : .otherOrigin(found)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// The origin with an explicit port, in the format of ``Foundation/URL/origin``.
    private static func origin(_ scheme: String, _ authority: Substring) -> String {
        let (host, port) = hostAndPort(authority.lowercased()[...])
        return "\(scheme)://\(host):\(port ?? (scheme == "https" ? "443" : "80"))"
    }

    /// Whether the text is a name, an IPv4 address or an IPv6 address in brackets, with or without a port. A user name, a
    /// percent escape and everything else that two parsers could read as different hosts is refused.
    private static func isAuthority(_ text: Substring) -> Bool {
        let (host, port) = hostAndPort(text)
        if let port, !(1...5).contains(port.utf8.count) || !port.allSatisfy({ $0.isASCII && $0.isNumber }) { return false }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || ":.".contains($0) }
        }
        return !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._~-".contains($0)) }
    }

    /// Splits an authority at its last colon, unless the colon is within brackets.
    private static func hostAndPort(_ text: Substring) -> (host: Substring, port: Substring?) {
        guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else { return (text, nil) }
        return (text[..<colon], text[text.index(after: colon)...])
    }

    /// Printable ASCII without space, quotes, angle brackets and the backslash, which some parsers read as a slash.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#""<>\^`{|}"#.utf8.contains(byte)
    }
}

extension TransportError {
    fileprivate static func otherOrigin(_ place: String) -> TransportError {
        let printable = place.utf8.filter { (0x21...0x7E).contains($0) }.prefix(120)
        return .redirect("the server points to another origin, \(String(decoding: printable, as: UTF8.self))")
    }
}

extension URL {
    /// Scheme, host and port as one text, always with the port (RFC 6454).
    package var origin: String {
        let scheme = self.scheme?.lowercased() ?? ""
        let port = self.port ?? (scheme == "https" ? 443 : 80)
        let host = host?.lowercased() ?? ""
        return "\(scheme)://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)"
    }
}
