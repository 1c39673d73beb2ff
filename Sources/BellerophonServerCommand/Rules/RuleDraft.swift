import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation
import StatusModel

/// A rule that an operator's command builds.
struct RuleDraft: Sendable {
    var id: String
    var effect: Rule.Effect
    var only = ConditionSet()
    var except: [ConditionSet] = []
    var announce: Date?
    var from: Date?
    var until: Date?
    var level: Rule.Level?
    var to: String?
    var link: String?
    var message: String?
    /// The message by language tag.
    var messages: [String: String] = [:]

    /// The rule in the form of a document.
    var node: JSONNode {
        func time(_ date: Date?) -> JSONNode? { date.map { .text(PlanTime.text($0)) } }
        return .object([
            ("id", .text(id)), ("effect", .text(effect.rawValue)), ("only", only.node),
            ("except", except.isEmpty ? nil : .array(except.compactMap(\.node))), ("announce", time(announce)),
            ("from", time(from)), ("until", time(until)), ("level", level.map { .text($0.rawValue) }),
            ("to", to.map(JSONNode.text)),
            ("link", link.map(JSONNode.text)), ("message", message.map(JSONNode.text)),
            ("messages", messages.isEmpty ? nil : .object(messages.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })),
        ])
    }

    /// A text as a part of an id: capital letters become small, and what an id can't have becomes a hyphen.
    static func idPart(_ text: String) -> String {
        String(text.lowercased().prefix(48).map { $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0) ? $0 : "-" })
    }

    /// A time as a part of an id, in UTC: `20261205-2200`.
    static func idPart(_ date: Date) -> String {
        let digits = PlanTime.text(date).filter(\.isNumber)
        return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(4))"
    }
}

/// Reads and checks rules in the form of a document.
enum RuleTexts {
    /// The most bytes of a file with rules.
    static let fileLimit = 64 * 1024

    /// The rules of a text: one rule, a list of rules, or a document that has `rules`.
    /// - Parameter origin: the name of the text, for errors.
    static func rules(_ data: Data, origin: String) throws(CommandError) -> [JSONNode] {
        let node: JSONNode
        do {
            node = try JSONReader.read(data)
        } catch {
            throw CommandError("\(origin): \(error)", exitCode: SystemExit.dataError)
        }
        switch (node.value, node.members?["rules"]?.value) {
        case (.array(let rules), _), (_, .array(let rules)?): return rules
        case (.object, nil): return [node]
        default:
            throw CommandError(
                "\(origin): expected a rule, a list of rules, or a status document with such a list",
                exitCode: SystemExit.dataError)
        }
    }

    /// Checks that a client understands every part of the rules that are to be published.
    /// - Throws: ``CommandError`` with the problem that a client would have.
    static func validate(_ rules: [JSONNode], origin: String) throws(CommandError) {
        do {
            try RulesEdit(put: rules.map { $0.compactText() }).validate()
        } catch {
            throw CommandError("\(origin): \(error.message)", hint: error.hint, exitCode: SystemExit.dataError)
        }
    }

    /// The id of a rule; nil if it has none.
    static func id(_ rule: JSONNode) -> String? { rule.members?["id"]?.string }
}

/// The rules that a scope has now.
struct CurrentRules: Sendable {
    let rules: [JSONNode]

    init(_ rules: [JSONNode]) { self.rules = rules }

    /// Reads the rules of a scope as they were published, without those of the app of a channel.
    init(of scope: Scope, at target: OperatorTarget) async throws {
        let newest = try await target.newestRow(of: scope)
        try newest?.checkRead()
        self.init(try (newest?.plan?.rules ?? []).map { try JSONReader.read(Data($0.utf8)) })
    }

    /// Drafts with ids that are free. An id that a person has given replaces the rule of that id.
    /// - Throws: ``CommandError`` if a default id that names no time belongs to another rule.
    func named(_ drafts: [RuleDraft], given: Bool, isTimed: Bool) throws(CommandError) -> [RuleDraft] {
        guard !given else { return drafts }
        var taken = Dictionary(rules.map { (RuleTexts.id($0), $0.compactText()) }) { first, _ in first }
        return try drafts.map { wanted throws(CommandError) in
            var (draft, number) = (wanted, 1)
            // The same rule once more, such as that of a request that is sent again, keeps its id.
            while let other = taken[draft.id], other != draft.node.compactText() {
                guard isTimed else {
                    throw .usage(
                        "there is a rule \(wanted.id) already",
                        hint: "--id \(wanted.id) replaces it, and another --id adds a rule")
                }
                number += 1
                draft.id = "\(wanted.id)-\(number)"
            }
            taken[draft.id] = draft.node.compactText()
            return draft
        }
    }
}
