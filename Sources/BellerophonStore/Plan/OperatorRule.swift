import BellerophonBase
import Foundation
import SafeText
import StatusModel

/// A time in whole milliseconds since 1970, the journal's precision.
typealias MillisecondTime = Int64

/// A rule as an operator has published it.
struct OperatorRule: Equatable, Sendable {
    /// The JSON object, with its members in the order of `Rule.members`. Members that clients may ignore follow unchanged.
    let text: String
    let rule: Rule
    private let node: JSONNode

    static func == (one: OperatorRule, other: OperatorRule) -> Bool { one.text == other.text }

    /// - Throws: ``StoreError`` of kind `invalid` if clients would not understand all of the rule.
    init(_ text: String) throws(StoreError) {
        try self.init(try Self.node(text), strictly: true)
    }

    /// Reads a rule of the journal.
    init(stored text: String) throws(StoreError) {
        // Every change of a scope reads all of its rules again, and seldom a new one.
        self = try Self.known.value(text) { () throws(StoreError) in try OperatorRule(try Self.node(text), strictly: false) }
    }

    /// Rules that were read, by their text.
    private static let known = BoundedMemo<String, OperatorRule>(limit: 1024)

    private init(_ node: JSONNode, strictly: Bool) throws(StoreError) {
        guard case .object(let given) = node.value, let members = node.members, node.repeatedNames.isEmpty else {
            throw .invalid("a rule must be a JSON object in which each name stands once, found \(node.typeName)")
        }
        if strictly, let node = members["messages"] {
            if case .null = node.value {} else { _ = try Translations.texts(node, "messages") }
        }
        let others = given.filter { !Rule.members.contains($0.name) }.map { ($0.name, Optional($0.node)) }
        let ordered = JSONNode.object(Rule.members.map { ($0, members[$0]) } + others)
        let text = ordered.compactText()
        let document: StatusDocument
        do {
            document = try StatusDocument(rules: [text])
        } catch {
            throw .invalid("the rule can't be read: \(error)")
        }
        guard let entry = document.plan?.entries.first else { throw .invalid("the rule can't be read") }
        switch entry {
        case .undecided(let undecided): throw .invalid("the rule \(undecided.label) is not understood: \(undecided.problem)")
        case .rule(let rule): self.rule = rule
        }
        (self.node, self.text) = (ordered, text)
        guard strictly else { return }
        if let remark = document.remarks.first { throw .invalid(remark) }
        if members["message"]?.string != nil, rule.message == nil {
            throw .invalid("the message of the rule \(rule.id) has no text", hint: "write it, or leave the message out")
        }
        for case .unreadable(let problem) in rule.except {
            throw .invalid("a set in \"except\" of the rule \(rule.id) exempts every app: \(problem)")
        }
        try StoreText.validate(
            rule.message, "the message of the rule \(rule.id)", limit: StatusDocument.messageLimit,
            lines: TextSanitizer.lineLimit)
    }

    static func node(_ text: String) throws(StoreError) -> JSONNode {
        do throws(JSONSyntaxError) {
            return try JSONReader.read(Data(text.utf8))
        } catch {
            throw .invalid("a rule is no JSON: \(error)")
        }
    }

    // MARK: Time

    /// Whether the rule has ended.
    func isOver(at time: MillisecondTime) -> Bool { rule.until.map { $0.milliseconds <= time } ?? false }

    private func hasBegun(at time: MillisecondTime) -> Bool { rule.from.map { $0.milliseconds <= time } ?? true }

    /// The times at which what the rule does changes, in their order.
    var phases: [RowPlan.Phase] {
        let dates: [(RowPlan.Phase.Kind, Date?)] = [
            (.announce, rule.announce == rule.from ? nil : rule.announce), (.from, rule.from), (.until, rule.until),
        ]
        return dates.compactMap { kind, date in date.map { RowPlan.Phase(rule: rule.id, kind: kind, at: $0) } }
    }

    // MARK: As it is served

    /// The rule as clients get it; nil if it is over. One that has begun has no beginning, so that the client's clock does not decide.
    func served(at time: MillisecondTime) -> JSONNode? {
        if isOver(at: time) { return nil }
        guard hasBegun(at: time), case .object(let members) = node.value else { return node }
        return JSONNode.object(members.filter { !["announce", "from"].contains($0.name) }.map { ($0.name, $0.node) })
    }

    /// Whether it stops every app now, so that clients that know no rules are told too.
    func stopsEveryApp(at time: MillisecondTime) -> Bool {
        rule.effect == .pause && rule.only.isEmpty && rule.except.isEmpty && hasBegun(at: time) && !isOver(at: time)
    }
}
