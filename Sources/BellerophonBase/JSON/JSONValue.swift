package import Foundation

/// A JSON value without positions. Types are strict: `1` is not a boolean.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number; infinite where a `Double` can't hold it and the reader was told to accept such numbers.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Of several members with the same name, the last one.
    package init(_ node: JSONNode) {
        switch node.value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number, _): self = .number(number)
        case .string(let text): self = .string(text)
        case .array(let items): self = .array(items.map(JSONValue.init))
        case .object: self = .object((node.members ?? [:]).mapValues(JSONValue.init))
        }
    }

    /// Reads strict JSON (RFC 8259) in which each name occurs once per object; nil for anything else.
    package init?(parsing data: Data) {
        guard let value = try? Self(json: data) else { return nil }
        self = value
    }

    /// Reads strict JSON (RFC 8259) in which each name occurs once per object.
    package init(json data: Data) throws(JSONSyntaxError) {
        self.init(try JSONReader.read(data))
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
}
