/// A JSON value with its position. It keeps the order of members and the digits of numbers.
package struct JSONNode: Sendable {
    package enum Value: Sendable {
        case null
        case bool(Bool)
        /// The text contains the original digits, so that no precision is lost.
        case number(Double, text: String)
        case string(String)
        case array([JSONNode])
        case object([JSONMember])
    }

    package let value: Value
    package let position: JSONPosition

    package init(_ value: Value, at position: JSONPosition = .start) {
        self.value = value
        self.position = position
    }
}

/// A member of an object: its name and value.
package struct JSONMember: Sendable {
    package let name: String
    package let position: JSONPosition
    package let node: JSONNode
}

/// A position in a JSON text.
package struct JSONPosition: Equatable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in bytes of UTF-8.
    package var column: Int

    package static let start = JSONPosition(line: 1, column: 1)
}

extension JSONNode {
    /// The type's name for error messages.
    package var typeName: String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value of a string; nil for any other value.
    package var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// The members of an object by name; nil for any other value. For a repeated name the last member counts.
    package var members: [String: JSONNode]? {
        guard case .object(let members) = value else { return nil }
        return Dictionary(members.map { ($0.name, $0.node) }) { _, last in last }
    }

    /// The names that occur more than once in this object. Names are the same if they have the same bytes (RFC 8259, section 8.3).
    package var repeatedNames: Set<String> {
        guard case .object(let members) = value else { return [] }
        var known = JSONNames()
        return Set(members.lazy.map(\.name).filter { !known.insert($0) })
    }
}
