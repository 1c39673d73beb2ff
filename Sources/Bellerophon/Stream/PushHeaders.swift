import Foundation
import HTTPTransport
import StatusModel

/// Parses the header fields and event fields that describe a server's stream.
enum PushHeaders {
    /// A date in milliseconds since 1970. Anything but 1 to 13 digits is unreadable, also two values joined by a comma.
    static func date(_ text: String) -> PublicationDate {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard (1...13).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let milliseconds = Int64(text)
        else { return .unreadable }
        return .at(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    /// The stream that a reply names, by an address or relative to the reply's own (RFC 3986, section 4.2); nil if it is invalid or leads
    /// to another origin.
    static func streamURL(_ reference: String, namedBy answer: URL) -> URL? {
        let reference = reference.trimmingCharacters(in: .whitespaces)
        guard !reference.isEmpty, !reference.hasPrefix("//"), reference.utf8.count <= 2048,
            reference.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
            let url = URL(string: reference, relativeTo: answer)?.absoluteURL, url.origin == answer.origin
        else { return nil }
        return url
    }

    /// The time between two heartbeats, clamped to 1 s … 300 s; nil for anything but whole seconds.
    static func heartbeat(_ text: String) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .seconds(min(max(Int(text.prefix(9)) ?? 1, 1), 300))
    }
}
