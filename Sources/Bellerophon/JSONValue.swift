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

    /// The members of an object in which every name stands once, as everything that asks for a change has to be.
    package static func members(of data: Data) throws(JSONMemberProblem) -> [String: JSONValue] {
        let value: JSONValue
        let repeated: String?
        do throws(JSONSyntaxError) {
            var parser = try JSONParser(data)
            value = try parser.document()
            repeated = parser.repeatedNames.min()
        } catch {
            throw .notJSON
        }
        guard case .object(let members) = value else { throw .notObject(found: value.typeName) }
        if let repeated { throw .repeated(repeated) }
        return members
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

/// Why a text is no object in which every name stands once.
package enum JSONMemberProblem: Error, Equatable {
    case notJSON
    case notObject(found: String)
    /// The first such name in alphabetical order.
    case repeated(String)
}
