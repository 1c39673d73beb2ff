import Foundation
import SafeText

/// The check of a status address before anything is started with it.
package enum StatusAddress {
    /// What is wrong with an address, in a line that says how to write it; nil for an `http` or `https` address with a host.
    package static func problem(of url: URL) -> String? {
        let text = TextSanitizer.sanitize(url.absoluteString, keepingNewlines: false, limit: 2048)
        let subject = "the status address \"\(text)\""
        guard let scheme = url.scheme?.lowercased(), !scheme.isEmpty else {
            return "\(subject) has no scheme: begin it with https://"
        }
        guard scheme == "http" || scheme == "https" else {
            return "\(subject) is neither http nor https: begin it with https://"
        }
        guard let host = url.host, !host.isEmpty else { return "\(subject) has no host: write it as https://HOST/PATH" }
        return nil
    }
}
