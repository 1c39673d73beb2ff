package import Foundation

/// A JSON value whose types are told apart strictly: `1` is no boolean.
package enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    /// A number; one too large for a `Double` is infinite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// - Parameter takesHugeNumbers: reads a number that no `Double` holds as infinite, where all text is
    ///   known to be sound.
    package init?(parsing data: Data, takesHugeNumbers: Bool = false) {
        let decoder = JSONDecoder()
        if let key = Self.hugeNumbers { decoder.userInfo[key] = takesHugeNumbers }
        guard let value = try? decoder.decode(JSONValue.self, from: data) else { return nil }
        self = value
    }

    /// The key of a decoder's setting; the initialiser fails for no text.
    private static let hugeNumbers = CodingUserInfoKey(rawValue: "bellerophon.hugeNumbers")

    package init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: Key.self) {
            var fields: [String: JSONValue] = [:]
            for key in keyed.allKeys { fields[key.stringValue] = try keyed.decode(JSONValue.self, forKey: key) }
            self = .object(fields)
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !list.isAtEnd { values.append(try list.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            let takesHugeNumbers = Self.hugeNumbers.flatMap { decoder.userInfo[$0] as? Bool } ?? false
            self = try Self.scalar(decoder.singleValueContainer(), takesHugeNumbers: takesHugeNumbers)
        }
    }

    private static func scalar(
        _ value: any SingleValueDecodingContainer, takesHugeNumbers: Bool
    ) throws -> JSONValue {
        if value.decodeNil() { return .null }
        if let flag = try? value.decode(Bool.self) { return .bool(flag) }
        if let number = try? value.decode(Double.self) { return .number(number) }
        if takesHugeNumbers { return (try? value.decode(String.self)).map { .string($0) } ?? .number(.infinity) }
        return .string(try value.decode(String.self))
    }

    /// The type as an error message names it.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
