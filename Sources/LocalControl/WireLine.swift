import BellerophonBase
import Foundation

/// A value as a line of JSON, with sorted keys and without characters that act on a terminal.
package enum WireLine {
    package static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(value) else { return #"{"ok":false,"error":"the reply can't be written"}"# }
        return JSONText.sanitized(data)
    }
}
