package import Foundation
import SafeText

extension JSONText {
    /// The JSON with every string and name sanitized by ``TextSanitizer``, without a limit on the length.
    ///
    /// An escape such as `\u001b` is harmless on a terminal, but a program that prints the decoded string would send the
    /// control character to its terminal.
    /// - Parameter json: valid JSON in UTF-8. White space between tokens is left out.
    package static func sanitized(_ json: Data) -> String {
        guard let node = try? JSONReader.read(repaired(json), [.acceptsHugeNumbers, .acceptsRepeatedNames]) else {
            return TextSanitizer.printable(String(decoding: json, as: UTF8.self))
        }
        return node.printable.compactText()
    }

    /// The value as sanitized JSON on one line, with its members in the order of their names and times as ISO 8601 in UTC; nil if
    /// it can't be encoded.
    package static func sanitized(encoding value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return (try? encoder.encode(value)).map(sanitized)
    }
}

extension JSONNode {
    fileprivate var printable: JSONNode {
        switch value {
        case .null, .bool, .number: self
        case .string(let text): .text(TextSanitizer.printable(text))
        case .array(let items): .array(items.map(\.printable))
        case .object(let members): .object(members.map { (TextSanitizer.printable($0.name), $0.node.printable) })
        }
    }
}
