package import Foundation

/// A JSON value whose types are told apart strictly: `1` is no boolean.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number; one too large for a `Double` is infinite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads JSON strictly (RFC 8259); nil for anything else.
    package init?(parsing data: Data) {
        guard let value = try? Self(json: data) else { return nil }
        self = value
    }

    /// The same, and tells what is wrong.
    package init(json data: Data) throws(JSONSyntaxError) {
        var parser = try JSONParser(data)
        self = try parser.document()
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
