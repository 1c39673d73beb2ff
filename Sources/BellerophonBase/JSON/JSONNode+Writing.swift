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
        line(spacedBy: "", escaping: isEscaped)
    }

    private func line(spacedBy space: String, escaping isEscaped: (Unicode.Scalar) -> Bool) -> String {
        switch value {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .number(_, let text): return text
        case .string(let text): return JSONText.quoted(text, escaping: isEscaped)
        case .array(let items):
            let texts = items.map { $0.line(spacedBy: space, escaping: isEscaped) }
            return "[" + texts.joined(separator: "," + space) + "]"
        case .object(let members) where members.isEmpty: return "{}"
        case .object(let members):
            let texts = members.map {
                JSONText.quoted($0.name, escaping: isEscaped) + ":" + space + $0.node.line(spacedBy: space, escaping: isEscaped)
            }
            return "{" + space + texts.joined(separator: "," + space) + space + "}"
        }
    }

    /// The value as compact JSON in UTF-8.
    package var data: Data { Data(compactText().utf8) }

    /// The value as indented JSON; a value that fits into 90 columns stays on one line. Invisible characters are escaped, so
    /// that the text shows them.
    package func prettyText(indent: Int = 0) -> String {
        let flat = line(spacedBy: " ", escaping: \.isInvisible)
        if flat.unicodeScalars.count + indent <= 90 { return flat }
        let inner = String(repeating: " ", count: indent + 2)
        let outer = String(repeating: " ", count: indent)
        switch value {
        case .array(let items):
            let lines = items.map { inner + $0.prettyText(indent: indent + 2) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            let lines = members.map {
                inner + JSONText.quoted($0.name, escaping: \.isInvisible) + ": " + $0.node.prettyText(indent: indent + 2)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        case .null, .bool, .number, .string: return flat
        }
    }

}
