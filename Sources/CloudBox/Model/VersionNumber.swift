import Foundation

/// A version in a server's reply or a manifest: a whole number of at least 0, or a string of its digits (the original's
/// example manifest contains both).
struct VersionNumber: Decodable, Equatable {
    let value: Int64

    /// Nil unless the text consists of 1 to 19 digits within the range of `Int64`.
    init?(digits text: String) {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        guard let value = Int64(text) else { return nil }
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let field = try decoder.singleValueContainer()
        if let number = try? field.decode(Int64.self), number >= 0 {
            value = number
        } else if let text = try? field.decode(String.self), let number = VersionNumber(digits: text) {
            self = number
        } else {
            throw DecodingError.dataCorruptedError(
                in: field, debugDescription: "a version is a whole number from 0 on, or its digits as text"
            )
        }
    }
}
