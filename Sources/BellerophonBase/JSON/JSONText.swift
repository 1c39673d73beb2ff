package import Foundation

/// Functions on the characters of JSON text: escapes, quotes and white space.
package enum JSONText {
    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    // MARK: Writing

    /// The text as a JSON string. Quotes, backslashes, controls and line separators are escaped.
    /// - Parameter isEscaped: which other scalars are escaped too.
    package static func quoted(_ text: String, escaping isEscaped: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: out += "\\\""
            case 0x5C: out += "\\\\"
            case 0x0A: out += "\\n"
            case 0x0D: out += "\\r"
            case 0x09: out += "\\t"
            case 0x2028, 0x2029: out += escape(scalar)
            default: isControl(scalar) || isEscaped(scalar) ? out += escape(scalar) : out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// The JSON with control characters replaced by escapes, so that it is safe on a terminal. In valid JSON such characters
    /// occur only in strings.
    package static func escapingControls(_ json: Data) -> String {
        let text = String(decoding: json, as: UTF8.self)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? escape($0) : String($0) }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    // MARK: Reading

    /// The UTF-16 code unit of the `\uXXXX` escape at an index; nil if there is no such escape.
    package static func codeUnit(_ bytes: [UInt8], at index: Int) -> Int? {
        guard index + 6 <= bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75 else { return nil }
        let digits = String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
    }

    /// The characters of the two-character escapes, by the byte after the backslash (RFC 8259, section 7).
    package static let shortEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt8(ascii: "/"),
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09,
    ]

    /// The JSON with broken text replaced by U+FFFD: bytes that are not UTF-8, lone surrogate escapes (RFC 8259, section 8.2),
    /// and unescaped control characters inside strings.
    package static func repaired(_ data: Data) -> Data {
        let bytes = Array(String(decoding: data, as: UTF8.self).utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        var isInString = false
        while index < bytes.count {
            let byte = bytes[index]
            if isInString, byte == 0x5C {
                let escape = repairedEscape(bytes, at: index)
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

    private static func repairedEscape(_ bytes: [UInt8], at index: Int) -> (text: [UInt8], length: Int) {
        guard let unit = codeUnit(bytes, at: index) else {
            let length = min(2, bytes.count - index)
            return (Array(bytes[index..<(index + length)]), length)
        }
        if (0xD800..<0xDC00).contains(unit), let low = codeUnit(bytes, at: index + 6), (0xDC00..<0xE000).contains(low) {
            return (Array(bytes[index..<(index + 12)]), 12)
        }
        return (0xD800..<0xE000).contains(unit) ? (replacement, 6) : (Array(bytes[index..<(index + 6)]), 6)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control, reorders text, ends a line or takes no space. Names must not contain such scalars.
    /// Joiners and variation selectors are excluded, because they are parts of emoji.
    package var isInvisible: Bool {
        // The lookup of Unicode properties is slow, and nearly all text in files is ASCII.
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default:
            properties.isBidiControl || (0xE0000...0xE0FFF).contains(value)
                || (properties.isDefaultIgnorableCodePoint && value != 0x200D && value != 0xFE0E && value != 0xFE0F)
        }
    }
}
