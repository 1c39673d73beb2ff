import BellerophonBase
import SafeText
import StatusModel

/// A message by language tag: what a person has written, and its checks.
package enum Translations {
    /// The most languages.
    package static let limit = 16

    /// Reads texts by language tag.
    /// - Parameter name: the name of the object, for errors. An error about a text names it with its tag: `messages.de`.
    static func texts(_ node: JSONNode, _ name: String) throws(StoreError) -> [String: String] {
        guard case .object(let members) = node.value else {
            throw .invalid("\(name) must be texts by language tag, found \(node.typeName)", hint: "such as {\"de\": \"…\"}")
        }
        var texts: [String: String] = [:]
        for member in members {
            guard let text = member.node.string else {
                throw .invalid("\(name).\(shown(member.name)) must be text, found \(member.node.typeName)")
            }
            guard texts.updateValue(text, forKey: member.name) == nil else { throw twice(member.name, name) }
        }
        try validate(texts, name)
        return texts
    }

    /// Refuses languages and texts that a client would ignore or cut.
    static func validate(_ texts: [String: String], _ name: String) throws(StoreError) {
        guard texts.count <= limit else {
            throw .invalid("\(name) has \(texts.count) languages; at most \(limit) are possible")
        }
        var known: Set<String> = []
        for (tag, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard StatusPlan.isLanguageTag(tag) else {
                throw .invalid(
                    "\(name): \(JSONText.quoted(shown(tag))) is no language tag",
                    hint: "a tag has letters, digits and hyphens, such as de or pt-BR")
            }
            guard known.insert(tag.lowercased()).inserted else { throw twice(tag, name) }
            guard StoreText.message(text) != nil else {
                throw .invalid("\(name).\(tag) has no text", hint: "write it, or leave the language out")
            }
            try StoreText.validate(
                StoreText.nonBlank(text), "\(name).\(tag)", limit: StatusDocument.messageLimit, lines: TextSanitizer.lineLimit)
        }
    }

    /// The texts as clients show them, by their tags in order.
    static func node(_ texts: [String: String]) -> JSONNode? {
        let texts = texts.compactMapValues(StoreText.message).sorted { $0.key < $1.key }
        return texts.isEmpty ? nil : .object(texts.map { ($0.key, .text($0.value)) })
    }

    private static func shown(_ tag: String) -> String { String(tag.prefix(80)) }

    private static func twice(_ tag: String, _ name: String) -> StoreError {
        .invalid("\(name) has the language \(shown(tag)) twice", hint: "give each language once")
    }
}
