/// A JSON value that knows its position, and keeps the order of its members and its numbers as they were written.
package struct JSONNode: Sendable {
    package enum Value: Sendable {
        case null
        case bool(Bool)
        /// The text is the number as it was written, so that no digit is lost.
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

/// A name and its value in an object.
package struct JSONMember: Sendable {
    package let name: String
    package let position: JSONPosition
    package let node: JSONNode
}

/// A position in a text.
package struct JSONPosition: Equatable, Sendable {
    /// Counts from 1.
    package var line: Int
    /// Counts from 1, in bytes of UTF-8.
    package var column: Int

    package static let start = JSONPosition(line: 1, column: 1)
}

extension JSONNode {
    /// The type as an error message names it.
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

    /// The members of an object by name, the last one of each name; nil for any other value.
    package var members: [String: JSONNode]? {
        guard case .object(let members) = value else { return nil }
        return Dictionary(members.map { ($0.name, $0.node) }) { _, last in last }
    }

    /// The names that occur more than once among the members of this object.
    package var repeatedNames: Set<String> {
        guard case .object(let members) = value else { return [] }
        var known: Set<String> = []
        return Set(members.lazy.map(\.name).filter { !known.insert($0).inserted })
    }
}
