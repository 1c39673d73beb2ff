#if Server
public import Foundation

/// The one way in which journal rows, resources and tokens become JSON.
///
/// Keys are sorted, slashes stay as they are, and times are ISO 8601 in UTC with milliseconds.
public enum StoreJSON {
    public static func data(_ value: some Encodable) throws(StoreError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(of: date))
        }
        do {
            return Data(harmless(try encoder.encode(value)).utf8)
        } catch {
            throw StoreError(.failed, "can't be written as JSON: \(error)")
        }
    }

    public static func value<Value: Decodable>(_ type: Value.Type, from data: Data) throws(StoreError) -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return Date(milliseconds: try Date(text, strategy: times).milliseconds)
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw .invalid("the JSON is not what was expected: \(error)")
        }
    }

    /// A time as it is written everywhere: `2026-11-21T14:02:11.123Z`.
    public static func text(of date: Date) -> String {
        // The style cuts the fraction off, and a whole millisecond is seldom whole as a Double.
        date.addingTimeInterval(0.000_25).formatted(times)
    }

    /// JSON text in which no character can act on a terminal: those that could stand in strings only, and are escaped.
    public static func harmless(_ json: Data) -> String {
        let text = String(decoding: json, as: UTF8.self)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? escape($0) : String($0) }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

    /// Text as a JSON string; what would break a line or act on a terminal is escaped.
    public static func quoted(_ text: String) -> String { quoted(text, escaping: { _ in false }) }

    /// The same, and more is escaped.
    /// - Parameter isEscaped: what else is.
    public static func quoted(_ text: String, escaping isEscaped: (Unicode.Scalar) -> Bool) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: out += "\\\""
            case 0x5C: out += "\\\\"
            case 0x0A: out += "\\n"
            case 0x0D: out += "\\r"
            case 0x09: out += "\\t"
            case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: out += escape(scalar)
            default: isEscaped(scalar) ? out += escape(scalar) : out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static let times = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
#endif
