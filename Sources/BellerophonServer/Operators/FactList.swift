import SafeText

/// Names with values, one below the other and aligned.
package struct FactList: Encodable, Sendable {
    /// A name and its value, which may have several lines.
    package struct Fact: Encodable, Equatable, Sendable {
        package let name: String
        package let value: String
    }

    package private(set) var facts: [Fact] = []

    package init() {}

    package func encode(to encoder: any Encoder) throws { try facts.encode(to: encoder) }

    /// - Parameter value: may be untrusted text of several lines, which are indented. Nothing is added for nil.
    package mutating func append(_ name: String, _ value: String?) {
        guard let value else { return }
        facts.append(Fact(name: name, value: TextSanitizer.sanitize(value, keepingNewlines: true, limit: 8192, lines: 200)))
    }

    /// Adds the messages by language tag: `in de`.
    package mutating func append(_ messages: [String: String]) {
        for (tag, text) in messages.sorted(by: { $0.key < $1.key }) { append("in \(tag)", text) }
    }

    /// The facts as text for a terminal.
    package var text: String {
        let width = facts.map(\.name.count).max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        return facts.map { fact in
            "  " + fact.name + String(repeating: " ", count: width - fact.name.count + 2)
                + fact.value.replacing("\n", with: "\n" + indent)
        }.joined(separator: "\n")
    }
}
