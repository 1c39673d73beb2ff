import BellerophonBase
import Foundation
import StatusModel

extension Publication: Codable {
    /// Parses the body of a request to publish. Unknown fields are errors.
    ///
    /// ```json
    /// {"action": "kill", "message": "Back at noon.", "messages": {"de": "Ab Mittag wieder da."}, "retryInterval": 15,
    ///  "endsAfter": 7200, "reason": "disk swap"}
    /// ```
    package init(json: Data, scope: Scope) throws(StoreError) {
        var fields = try RequestFields(json)
        let name = try fields.text("action") ?? ""
        guard let action = StatusAction(rawValue: name) else {
            throw .invalid("action must be \"kill\", \"update\", \"restore\" or \"rules\"")
        }
        var facts = StatusFacts()
        for field in StatusField.allCases { facts[field] = try fields.text(field.publishedName) }
        self.init(
            scope: scope, action: action, facts: facts, retryInterval: try fields.number("retryInterval"),
            endsAfter: try fields.duration("endsAfter"), reason: try fields.text("reason")
        )
        if let text = try fields.text("backAt") {
            guard let date = PlanTime.date(text) else {
                throw .invalid("backAt is \(JSONText.quoted(text)), and must be a time such as 2026-12-05T22:00:00Z")
            }
            backAt = date
        }
        if let node = fields.node("messages") { messages = try Translations.texts(node, "messages") }
        if let node = fields.node("rules") { rules = try RulesEdit(node) }
        try fields.finish()
        try validate()
    }

    /// The body of a request to publish this status.
    package var json: Data {
        let texts: [(String, JSONNode?)] = facts.all.map { ($0.field.publishedName, .text($0.value)) }
        return JSONNode.object(
            [("action", .text(action.rawValue))] + texts + [
                ("messages", Translations.node(messages)),
                ("retryInterval", retryInterval.map { .number($0) }),
                ("endsAfter", endsAfter.map { .number(Double($0.milliseconds) / 1000) }),
                ("backAt", backAt.map { .text(PlanTime.text($0)) }), ("reason", reason.map(JSONNode.text)),
                ("rules", rules?.node),
            ]
        ).data
    }

    /// The form in the journal.
    private struct Stored: Codable {
        let scope: Scope
        let request: String
        let replaces: Int64?
    }

    package init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        try self.init(json: Data(stored.request.utf8), scope: stored.scope)
        replaces = stored.replaces
    }

    package func encode(to encoder: any Encoder) throws {
        try Stored(scope: scope, request: String(decoding: json, as: UTF8.self), replaces: replaces).encode(to: encoder)
    }
}
