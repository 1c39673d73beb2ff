package import Foundation

/// A JSON value without positions. Types are strict: `1` is not a boolean.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number; infinite if it is outside the range of `Double` and the reader accepts such numbers.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Removes the positions. For a repeated name the last member counts.
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

    /// The value as JSON without white space. Members are in the order of their names, and invisible characters are escaped.
    package var compactText: String { node.compactText(escaping: \.isInvisible) }

    private var node: JSONNode {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let number): .number(number)
        case .string(let text): .text(text)
        case .array(let items): .array(items.map(\.node))
        case .object(let members): .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.node) })
        }
    }

    /// The value of a string; nil for any other value.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a number; nil for any other value.
    package var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The strings of an array; nil for any other value.
    package var strings: [String]? {
        guard case .array(let values) = self else { return nil }
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : nil
    }

    /// The strings of an array, or the words of one string; nil for any other value.
    package var words: [String]? { string?.split(whereSeparator: \.isWhitespace).map(String.init) ?? strings }

    /// The type's name for error messages.
    package var typeName: String { node.typeName }
}
