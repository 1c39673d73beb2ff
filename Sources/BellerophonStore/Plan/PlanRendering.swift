#if Server
import BellerophonBase
import Foundation
import StatusModel

/// The document that clients get of a base and rules at a time.
struct PlanRendering {
    private let base: RowPlan.Base
    private var rules: [JSONNode] = []
    /// The rules that stop every app now.
    private var stopping: [Rule] = []

    /// - Parameters:
    ///   - plans: whose rules apply, such as those of an app and of its channel.
    ///   - base: the status apart from its rules.
    init(_ plans: [RowPlan], base: RowPlan.Base) {
        self.base = base
        for plan in plans {
            let time = plan.asOf.milliseconds
            for rule in plan.operatorRules {
                guard let node = rule.served(at: time) else { continue }
                rules.append(node)
                if rule.stopsEveryApp(at: time) { stopping.append(rule.rule) }
            }
        }
    }

    /// The base's document with the rules. A rule that stops every app is repeated in the original's fields, for clients that know no
    /// rules, unless a person has stopped the service by hand: that stands by itself.
    var document: String {
        guard !rules.isEmpty, let node = try? JSONReader.read(Data(base.document.utf8)), case .object(let members) = node.value
        else { return base.document }
        var result = members.map { ($0.name, JSONNode?.some($0.node)) }
        if !stopping.isEmpty, base.action != .kill {
            result = result.map { name, node in
                switch (name, node?.value) {
                case ("apiInactive", _): (name, .bool(true))
                case ("userMessage", .null): (name, stopping.lazy.compactMap(\.message).first.map(JSONNode.text) ?? node)
                default: (name, node)
                }
            }
            result.append(("mirrors", .array(stopping.map { .text($0.id) })))
        }
        return JSONNode.object(result + [("rules", .array(rules))]).compactText()
    }
}
#endif
