/// A JSON value that knows where it stands in its text, and keeps the order of its members and its numbers as written.
struct JSONNode {
    enum Value {
        case null
        case bool(Bool)
        /// The text is the number as it was written: what no `Double` holds survives.
        case number(Double, text: String)
        case string(String)
        case array([JSONNode])
        case object([JSONMember])
    }

    let value: Value
    let place: JSONPlace
}

/// A name and its value in an object.
struct JSONMember {
    let name: String
    let place: JSONPlace
    let node: JSONNode
}

/// A place in a text; both count from 1, and a column is a byte of UTF-8.
struct JSONPlace: Equatable, Sendable {
    var line: Int
    var column: Int
}

extension JSONNode {
    /// What a person calls the type: "text", "an object".
    var typeName: String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The value as JSON without white space between its parts.
    var compactText: String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(_, let text): text
        case .string(let text): JSONString.quoted(text)
        case .array(let items): "[" + items.map(\.compactText).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONString.quoted($0.name) + ":" + $0.node.compactText }.joined(separator: ",") + "}"
        }
    }

    /// The value as JSON over several lines; what is short stays on one.
    func prettyText(indent: Int = 0) -> String {
        let flat = spacedText
        if flat.unicodeScalars.count + indent <= 90 { return flat }
        let inner = String(repeating: " ", count: indent + 2)
        let outer = String(repeating: " ", count: indent)
        switch value {
        case .array(let items):
            let lines = items.map { inner + $0.prettyText(indent: indent + 2) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            let lines = members.map { inner + JSONString.quoted($0.name) + ": " + $0.node.prettyText(indent: indent + 2) }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        case .null, .bool, .number, .string: return flat
        }
    }

    private var spacedText: String {
        switch value {
        case .array(let items): "[" + items.map(\.spacedText).joined(separator: ", ") + "]"
        case .object(let members) where members.isEmpty: "{}"
        case .object(let members):
            "{ " + members.map { JSONString.quoted($0.name) + ": " + $0.node.spacedText }.joined(separator: ", ") + " }"
        case .null, .bool, .number, .string: compactText
        }
    }
}

extension Unicode.Scalar {
    /// Controls, what reorders text or ends a line, and what takes no place: nothing that a name may hold. Joiners and
    /// selectors are parts of emoji.
    var isUnseen: Bool {
        // The tables of properties are slow to ask, and nearly all text of scenario files is ASCII.
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default:
            properties.isBidiControl || (0xE0000...0xE0FFF).contains(value)
                || (properties.isDefaultIgnorableCodePoint && value != 0x200D && value != 0xFE0E && value != 0xFE0F)
        }
    }
}
