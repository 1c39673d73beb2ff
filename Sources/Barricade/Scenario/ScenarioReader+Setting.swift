import BellerophonBase

extension ScenarioReader {
    /// Who the app is, and what time it is.
    static func setting(_ fields: ScenarioFields) -> ScenarioSetting {
        ScenarioSetting(
            client: fields["client"].map(client) ?? ClientChange(), time: fields["at"].flatMap(time))
    }

    private static func time(_ node: ScenarioNode) -> SimulatedTime? {
        node.node.string.flatMap { SimulatedTime($0) } ?? node.expected("a time in UTC such as \"2026-12-05T21:55:00Z\"")
    }

    private static func client(_ node: ScenarioNode) -> ClientChange {
        guard let fields = node.fields(.client) else { return ClientChange() }
        var client = ClientChange()
        client.version = fields["version"].flatMap { fact($0, limit: ClientChange.textLimit) }
        client.osVersion = fields["osVersion"].flatMap { fact($0, limit: ClientChange.textLimit) }
        client.installID = fields["installID"].flatMap { fact($0, limit: ClientChange.textLimit) }
        guard let facts = fields["facts"], let members = facts.namedMembers("facts") else { return client }
        if members.count > ClientChange.factLimit {
            facts.refuse("expected at most \(ClientChange.factLimit) facts, found \(members.count)")
        }
        for (name, value) in members {
            if name.utf8.count > ClientChange.nameLimit {
                value.refuse("expected a name of at most \(ClientChange.nameLimit) bytes")
            }
            client.facts[name] = fact(value, limit: ClientChange.valueLimit)
        }
        return client
    }

    /// A text, or null for what is not known.
    private static func fact(_ node: ScenarioNode, limit: Int) -> ClientChange.Fact? {
        switch node.node.value {
        case .null: return .unknown
        case .string(let text):
            if text.utf8.count <= limit { return .known(text) }
            return node.refuse("expected at most \(limit) bytes, found \(text.utf8.count)")
        default: return node.expected("text, or null for what is not known")
        }
    }

    /// Reports times that go back: the time of a client never does.
    static func verifyOrder(of timeline: Timeline, _ steps: ScenarioNode?) {
        var last = timeline.setting.time
        for (index, step) in timeline.steps.enumerated() {
            guard let time = step.setting.time else { continue }
            if let earlier = last, time < earlier, let node = steps?.items?[index] {
                node.problems.add(
                    node.node.position, ScenarioNode.path(node.path, "at"),
                    "expected \(earlier.text) or later: in a timeline the time never goes back")
            }
            last = time
        }
    }
}
