import BellerophonBase
import StatusModel

/// A change of the rules of a scope.
package struct RulesEdit: Codable, Equatable, Sendable {
    /// The rules to publish, each the text of a JSON object: the form that `rules` of a status document has. A rule replaces the one
    /// with its id in its place; a new one is the last.
    package var put: [String]
    /// The ids of the rules to remove. Each must be one of the scope's rules.
    package var remove: [String]
    /// Whether the rules may cover every app that asks.
    package var everyone: Bool
    /// Whether an exception may ask for a fact that apps say of themselves: it exempts all that do not say it.
    package var allowsAbsence: Bool

    package init(put: [String] = [], remove: [String] = [], everyone: Bool = false, allowsAbsence: Bool = false) {
        (self.put, self.remove, self.everyone, self.allowsAbsence) = (put, remove, everyone, allowsAbsence)
    }

    /// Parses the member `rules` of a request. Unknown members are errors.
    ///
    /// ```json
    /// {"put": [{"id": "min-15", "effect": "update", "to": "1.5.2"}], "remove": ["old"], "everyone": true}
    /// ```
    init(_ node: JSONNode) throws(StoreError) {
        guard case .object(let members) = node.value else { throw .invalid("rules must be an object, found \(node.typeName)") }
        self.init()
        for member in members {
            switch (member.name, member.node.value) {
            case ("put", .array(let items)): put = items.map { $0.compactText() }
            case ("remove", .array(let items)) where items.allSatisfy({ $0.string != nil }): remove = items.compactMap(\.string)
            case ("everyone", .bool(let flag)): everyone = flag
            case ("allowAbsence", .bool(let flag)): allowsAbsence = flag
            default:
                throw .invalid(
                    "rules.\(String(member.name.prefix(80))) is not known, or has another form",
                    hint: "known are put, a list of rules, remove, a list of ids, and everyone and allowAbsence, true or false")
            }
        }
    }

    /// The member `rules` of a request for this change. A rule that is no JSON is sent as a text, which is refused.
    var node: JSONNode {
        JSONNode.object([
            ("put", .array(put.map { (try? OperatorRule.node($0)) ?? .text($0) })),
            ("remove", remove.isEmpty ? nil : .array(remove.map(JSONNode.text))), ("everyone", everyone ? .bool(true) : nil),
            ("allowAbsence", allowsAbsence ? .bool(true) : nil),
        ])
    }

    /// Refuses an edit that changes nothing, and rules that clients would not understand.
    package func validate() throws(StoreError) {
        let rules = try put.map { text throws(StoreError) in try OperatorRule(text) }
        guard !rules.isEmpty || !remove.isEmpty else { throw .invalid("no rule is to be published or removed", hint: "name one") }
        var ids: Set<String> = []
        for id in rules.map(\.rule.id) + remove where !ids.insert(id).inserted {
            throw .invalid("the rule \(JSONText.quoted(id)) is named twice", hint: "name each rule once")
        }
    }

    /// The rules after this change.
    /// - Parameters:
    ///   - rules: the rules before it. Those that are over are dropped.
    ///   - now: decides which are over.
    func applied(to rules: [OperatorRule], at now: MillisecondTime) throws(StoreError) -> [OperatorRule] {
        let ids = rules.map(\.rule.id)
        if let id = remove.first(where: { !ids.contains($0) }) {
            throw StoreError(
                .notFound, "there is no rule \(JSONText.quoted(String(id.prefix(80))))",
                hint: (ids.isEmpty ? "there are none" : "there are \(ids.joined(separator: ", "))") + "; nothing was published")
        }
        var result = rules.filter { !$0.isOver(at: now) && !remove.contains($0.rule.id) }
        for text in put {
            let rule = try OperatorRule(text)
            if let until = rule.rule.until, rule.isOver(at: now) {
                throw .invalid(
                    "\(rule.rule.id): the rule is over since \(PlanTime.text(until))",
                    hint: "give it a later end; nothing was published")
            }
            if let index = result.firstIndex(where: { $0.rule.id == rule.rule.id }) {
                result[index] = rule
            } else {
                result.append(rule)
            }
        }
        return result
    }
}
