import Foundation

extension StatusDocument {
    /// The encoding of a text that is not UTF-8; nil for other texts. It is detected from the first two characters, which
    /// are ASCII in every JSON text that contains an object.
    static func foreignEncoding(of data: Data) -> String? {
        let start = Array(data.prefix(4))
        if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] { return "UTF-32" }
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        switch start.map({ $0 == 0 }) {
        case [true, true, true, false], [false, true, true, true]: return "UTF-32"
        case [true, false, true, false], [false, true, false, true]: return "UTF-16"
        default: return nil
        }
    }

    /// Whether the text looks like a compact JWS: three parts, the first one a JSON object (RFC 7515, section 7.1).
    private static func looksSigned(_ data: Data) -> Bool {
        data.starts(with: Array("eyJ".utf8)) && data.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// A description of a body that is not JSON, such as "HTML" or "plain text", for an error message.
    static func appearance(of data: Data) -> String {
        let start = String(decoding: data.prefix(256), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "HTML" }
        if start.hasPrefix("<") { return "markup" }
        if looksSigned(data) { return "a signed document, which needs a key to be trusted (trust.keys)" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return "broken or incomplete" }
        return "plain text"
    }
}
