import Foundation
import HTTPTransport
import StatusModel

/// The header fields and fields of events by which a server tells of its stream.
enum PushHeaders {
    /// A date in milliseconds since 1970. Anything but 1 to 13 digits is unreadable, also two values joined by a comma.
    static func date(_ text: String) -> PublicationDate {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard (1...13).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let milliseconds = Int64(text)
        else { return .unreadable }
        return .at(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    /// The stream that an answer names, by a path. Another origin is not believed, as with redirects.
    static func streamURL(_ path: String, namedBy answer: URL) -> URL? {
        let path = path.trimmingCharacters(in: .whitespaces)
        guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 2048,
            path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
            let url = URL(string: path, relativeTo: answer)?.absoluteURL, url.origin == answer.origin
        else { return nil }
        return url
    }

    /// The time between two heartbeats, whole seconds; nil for anything else. Bounded to 1 s … 300 s.
    static func heartbeat(_ text: String) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .seconds(min(max(Int(text.prefix(9)) ?? 1, 1), 300))
    }
}
