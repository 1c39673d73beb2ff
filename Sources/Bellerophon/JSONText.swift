import Foundation

/// Repairs and descriptions of JSON as bytes.
enum JSONText {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The same document with broken text replaced by U+FFFD: bytes that are no UTF-8, lone surrogate escapes
    /// (RFC 8259, section 8.2), and control characters that stand unescaped inside a string.
    static func mended(_ data: Data) -> Data {
        let bytes = Array(String(decoding: data, as: UTF8.self).utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        var isInString = false
        while index < bytes.count {
            let byte = bytes[index]
            if isInString, byte == 0x5C {
                let escape = mendedEscape(bytes, at: index)
                out += escape.text
                index += escape.length
                continue
            }
            if byte == 0x22 { isInString.toggle() }
            if isInString, byte < 0x20 { out += replacement } else { out.append(byte) }
            index += 1
        }
        return Data(out)
    }

    /// `\uFFFD`, as an escape.
    private static let replacement = Array(#"\uFFFD"#.utf8)

    private static func mendedEscape(_ bytes: [UInt8], at index: Int) -> (text: [UInt8], length: Int) {
        guard let unit = codeUnit(bytes, at: index) else {
            let length = min(2, bytes.count - index)
            return (Array(bytes[index..<(index + length)]), length)
        }
        if (0xD800..<0xDC00).contains(unit), let low = codeUnit(bytes, at: index + 6), (0xDC00..<0xE000).contains(low) {
            return (Array(bytes[index..<(index + 12)]), 12)
        }
        return (0xD800..<0xE000).contains(unit) ? (replacement, 6) : (Array(bytes[index..<(index + 6)]), 6)
    }

    /// The UTF-16 code unit of a `\uXXXX` escape at a place; nil where none stands there.
    static func codeUnit(_ bytes: [UInt8], at index: Int) -> Int? {
        guard index + 6 <= bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75 else { return nil }
        let digits = String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
    }

    /// The encoding that a text is in where that is not UTF-8: told from its first two characters, which are ASCII in
    /// every JSON text that holds an object.
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

    /// Whether it has the three parts of a compact JWS, the first of them a JSON object (RFC 7515, section 7.1).
    private static func looksSigned(_ data: Data) -> Bool {
        data.starts(with: Array("eyJ".utf8)) && data.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// What a body that is no JSON looks like: "HTML", "text".
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
