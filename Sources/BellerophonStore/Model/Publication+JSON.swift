import BellerophonBase
import Foundation
import StatusModel

extension Publication {
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
        if let node = try fields.node("messages") { messages = try Translations.texts(node, "messages") }
        if let node = try fields.node("rules") { rules = try RulesEdit(node) }
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
}

extension Publication: Codable {
    private enum CodingKeys: CodingKey {
        case scope, request, replaces
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let request = try container.decode(String.self, forKey: .request)
        try self.init(json: Data(request.utf8), scope: try container.decode(Scope.self, forKey: .scope))
        replaces = try container.decodeIfPresent(Int64.self, forKey: .replaces)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(scope, forKey: .scope)
        try container.encode(String(decoding: json, as: UTF8.self), forKey: .request)
        try container.encodeIfPresent(replaces, forKey: .replaces)
    }
}
