import BellerophonBase
import Foundation
import SafeText

/// Checks addresses of statuses before they are used.
package enum StatusAddress {
    /// What is wrong with an address and what to do, in one line that begins with the address; nil for an `http` or `https`
    /// address with a host.
    package static func problem(of url: URL) -> String? {
        let name = shown(url.absoluteString)
        guard let scheme = url.scheme, url.absoluteString.dropFirst(scheme.count).hasPrefix("://") else {
            return "\(name) \(missing(in: url))"
        }
        guard isWeb(scheme) else { return "\(name) begins with \(scheme)://; use an http or https address" }
        guard url.host?.isEmpty == false else { return "\(name) has no host; write one after \(scheme)://" }
        guard let port = url.port, !(1...65535).contains(port) else { return nil }
        return "\(name) has the port \(port); use one from 1 to 65535"
    }

    /// What an address without `://` after its scheme lacks. Of `status.example.com:8080/status` the host is taken for a scheme.
    private static func missing(in url: URL) -> String {
        if let scheme = url.scheme, isWeb(scheme) { return "has no \"://\"; write \(scheme):// and the host" }
        if url.absoluteString.hasPrefix("//") { return "has no scheme; put https: before it" }
        if url.scheme == nil, url.path.isEmpty || url.path.hasPrefix("/") {
            return "has no scheme and no host; write an address such as https://status.example.com/status"
        }
        return "has no scheme; put https:// before it"
    }

    private static func isWeb(_ scheme: String) -> Bool { ["http", "https"].contains(scheme.lowercased()) }

    /// The address in quotation marks, without its password.
    private static func shown(_ text: String) -> String {
        "\"\(TextSanitizer.sanitize(AddressText.withoutPassword(text), keepingNewlines: false, limit: 200))\""
    }
}
