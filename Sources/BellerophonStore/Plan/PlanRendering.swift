import BellerophonBase
import Foundation
import StatusModel

/// The document that clients get of a base and rules at a time.
struct PlanRendering {
    private(set) var base: RowPlan.Base
    private var rules: [JSONNode] = []
    /// The ids of the rules that stop every app now.
    private var mirrors: [String] = []
    /// What the first of these rules says that says anything.
    private var message: String?

    /// - Parameters:
    ///   - plan: whose rules apply.
    ///   - base: the status apart from its rules.
    init(_ plan: RowPlan, base: RowPlan.Base) {
        self.base = base
        add(plan)
    }

    /// - Parameters:
    ///   - rows: whose rules apply, such as those of an app and of its channel.
    ///   - base: the status apart from its rules.
    init(_ rows: [JournalEntry], base: RowPlan.Base) {
        self.base = base
        for row in rows {
            if row.unread != nil {
                let other = PlanRendering(reading: row.document ?? "")
                rules += other.rules
                mirrors += other.mirrors
            } else if let plan = row.plan {
                add(plan)
            }
        }
    }

    /// The base and the rules of a document that was rendered, as far as it says them.
    ///
    /// A document that can't be read counts as a kill, so that no other one is shown in its place.
    init(reading document: String) {
        base = RowPlan.Base(action: .kill, document: document)
        guard let node = try? JSONReader.read(Data(document.utf8)), case .object(let members) = node.value else { return }
        var others: [(String, JSONNode?)] = []
        var flags: Set<String> = []
        for (name, node) in members.map({ ($0.name, $0.node) }) {
            switch (name, node.value) {
            case ("rules", .array(let items)): rules = items
            case ("mirrors", .array(let items)): mirrors = items.compactMap(\.string)
            default: others.append((name, node))
            }
            if case .bool(true) = node.value { flags.insert(name) }
        }
        if !mirrors.isEmpty {
            flags.remove("apiInactive")
            others = others.map { $0.0 == "apiInactive" ? ($0.0, .bool(false)) : $0 }
        }
        base.action = flags.contains("apiInactive") ? .kill : flags.contains("forceUpdate") ? .update : .restore
        base.document = JSONNode.object(others).compactText()
    }

    private mutating func add(_ plan: RowPlan) {
        let time = plan.asOf.milliseconds
        for rule in plan.operatorRules {
            guard let node = rule.served(at: time) else { continue }
            rules.append(node)
            guard rule.stopsEveryApp(at: time) else { continue }
            mirrors.append(rule.rule.id)
            message = message ?? rule.rule.message
        }
    }

    /// The base's document with the rules. A rule that stops every app is repeated in the original's fields, for clients that know no
    /// rules, unless a person has stopped the service by hand: that stands by itself.
    var document: String {
        guard !rules.isEmpty, let node = try? JSONReader.read(Data(base.document.utf8)), case .object(let members) = node.value
        else { return base.document }
        var result = members.map { ($0.name, JSONNode?.some($0.node)) }
        if !mirrors.isEmpty, base.action != .kill {
            result = result.map { name, node in
                switch (name, node?.value) {
                case ("apiInactive", _): (name, .bool(true))
                case ("userMessage", .null): (name, message.map(JSONNode.text) ?? node)
                default: (name, node)
                }
            }
            result.append(("mirrors", .array(mirrors.map(JSONNode.text))))
        }
        return JSONNode.object(result + [("rules", .array(rules))]).compactText()
    }
}
