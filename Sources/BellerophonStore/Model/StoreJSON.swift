import BellerophonBase
import Foundation

/// The JSON format of journal rows, resources and tokens.
///
/// Keys are sorted, slashes are not escaped, and times are ISO 8601 in UTC with milliseconds.
package enum StoreJSON {
    package static func data(_ value: some Encodable) throws(StoreError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in try text(of: date).encode(to: encoder) }
        do {
            return Data(JSONText.escapingControls(try encoder.encode(value)).utf8)
        } catch {
            throw StoreError(.failed, "can't be written as JSON: \(error)")
        }
    }

    /// As stored in the journal.
    static func string(_ value: some Encodable) throws(StoreError) -> String { String(decoding: try data(value), as: UTF8.self) }

    package static func value<Value: Decodable>(_ type: Value.Type, from data: Data) throws(StoreError) -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            Date(milliseconds: try Date(String(from: decoder), strategy: times).milliseconds)
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw .invalid("the JSON is not what was expected: \(error)")
        }
    }

    /// A time in the common format: `2026-11-21T14:02:11.123Z`.
    package static func text(of date: Date) -> String {
        // The style truncates the fraction, and a whole millisecond is seldom exact as a Double.
        date.addingTimeInterval(0.000_25).formatted(times)
    }

    private static let times = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
