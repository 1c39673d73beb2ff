package import Foundation
import SafeText

extension JSONText {
    /// The JSON with every string and name sanitized by ``TextSanitizer``, without a limit on the length.
    ///
    /// An escape such as `\u001b` is harmless on a terminal, but a program that prints the decoded string would send the
    /// control character to its terminal.
    /// - Parameter json: valid JSON in UTF-8. White space between tokens is kept.
    package static func sanitized(_ json: Data) -> String {
        let bytes = Array(json)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == quote else {
                out.append(bytes[index])
                index += 1
                continue
            }
            let end = stringEnd(bytes, from: index + 1)
            out += quoted(TextSanitizer.printable(string(bytes[index..<min(end + 1, bytes.count)]))).utf8
            index = end + 1
        }
        return TextSanitizer.printable(String(decoding: out, as: UTF8.self))
    }

    /// The value as sanitized JSON on one line, with its members in the order of their names and times as ISO 8601 in UTC; nil if
    /// it can't be encoded.
    package static func sanitized(encoding value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return (try? encoder.encode(value)).map(sanitized)
    }

    private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")

    private static func stringEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != quote { index += bytes[index] == backslash ? 2 : 1 }
        return min(index, bytes.count)
    }

    private static func string(_ literal: ArraySlice<UInt8>) -> String {
        guard let node = try? JSONReader.read(repaired(Data(literal))), case .string(let text) = node.value else {
            return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        }
        return text
    }
}
