package import Foundation

// A value that is read and then written keeps the order of its members and the digits of its numbers.

extension JSONNode {
    package static let null = JSONNode(.null)

    package static func bool(_ flag: Bool) -> JSONNode { JSONNode(.bool(flag)) }
    package static func text(_ text: String) -> JSONNode { JSONNode(.string(text)) }
    package static func array(_ items: [JSONNode]) -> JSONNode { JSONNode(.array(items)) }

    package static func number(_ number: some BinaryInteger) -> JSONNode {
        JSONNode(.number(Double(number), text: String(number)))
    }

    /// A finite number; a whole one is written without a fraction.
    package static func number(_ number: Double) -> JSONNode {
        JSONNode(.number(number, text: Int64(exactly: number).map(String.init) ?? "\(number)"))
    }

    /// An object with its members in order; members whose value is nil are omitted.
    package static func object(_ members: [(String, JSONNode?)]) -> JSONNode {
        JSONNode(
            .object(
                members.compactMap { name, node in
                    node.map { JSONMember(name: name, position: .start, node: $0) }
                }))
    }

    /// The value as JSON without white space between tokens.
    /// - Parameter isEscaped: which scalars are escaped in addition to controls.
    package func compactText(escaping isEscaped: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(_, let text): text
        case .string(let text): JSONText.quoted(text, escaping: isEscaped)
        case .array(let items): "[" + items.map { $0.compactText(escaping: isEscaped) }.joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { JSONText.quoted($0.name, escaping: isEscaped) + ":" + $0.node.compactText(escaping: isEscaped) }
                .joined(separator: ",") + "}"
        }
    }

    /// The value as compact JSON in UTF-8.
    package var data: Data { Data(compactText().utf8) }

    /// The value as indented JSON; a value that fits into 90 columns stays on one line. Invisible characters are escaped, so
    /// that the text shows them.
    package func prettyText(indent: Int = 0) -> String {
        let flat = spacedText
        if flat.unicodeScalars.count + indent <= 90 { return flat }
        let inner = String(repeating: " ", count: indent + 2)
        let outer = String(repeating: " ", count: indent)
        switch value {
        case .array(let items):
            let lines = items.map { inner + $0.prettyText(indent: indent + 2) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            let lines = members.map { inner + Self.quoted($0.name) + ": " + $0.node.prettyText(indent: indent + 2) }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        case .null, .bool, .number, .string: return flat
        }
    }

    private var spacedText: String {
        switch value {
        case .array(let items): "[" + items.map(\.spacedText).joined(separator: ", ") + "]"
        case .object(let members) where members.isEmpty: "{}"
        case .object(let members):
            "{ " + members.map { Self.quoted($0.name) + ": " + $0.node.spacedText }.joined(separator: ", ") + " }"
        case .null, .bool, .number, .string: compactText(escaping: \.isInvisible)
        }
    }

    private static func quoted(_ text: String) -> String { JSONText.quoted(text, escaping: \.isInvisible) }
}
