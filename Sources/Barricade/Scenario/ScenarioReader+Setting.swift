import BellerophonBase

extension ScenarioReader {
    /// Who the app is, and what time it is.
    static func setting(_ fields: ScenarioFields, _ problems: inout ScenarioErrors) -> ScenarioSetting {
        ScenarioSetting(
            client: fields["client"].map { client($0, &problems) } ?? ClientChange(),
            time: fields["at"].flatMap { time($0, &problems) })
    }

    private static func time(_ node: ScenarioNode, _ problems: inout ScenarioErrors) -> SimulatedTime? {
        if case .string(let text) = node.node.value, let time = SimulatedTime(text) { return time }
        node.expected("a time in UTC such as \"2026-12-05T21:55:00Z\"", &problems)
        return nil
    }

    private static func client(_ node: ScenarioNode, _ problems: inout ScenarioErrors) -> ClientChange {
        guard let fields = node.fields(.client, &problems) else { return ClientChange() }
        var client = ClientChange()
        client.version = fields["version"].flatMap { fact($0, limit: ClientChange.textLimit, &problems) }
        client.osVersion = fields["osVersion"].flatMap { fact($0, limit: ClientChange.textLimit, &problems) }
        client.installID = fields["installID"].flatMap { fact($0, limit: ClientChange.textLimit, &problems) }
        guard let facts = fields["facts"], let members = facts.namedMembers("facts", &problems) else { return client }
        if members.count > ClientChange.factLimit {
            problems.add(
                facts.node.position, facts.path, "expected at most \(ClientChange.factLimit) facts, found \(members.count)")
        }
        for (name, value) in members {
            if name.utf8.count > ClientChange.nameLimit {
                problems.add(value.node.position, value.path, "expected a name of at most \(ClientChange.nameLimit) bytes")
            }
            client.facts[name] = fact(value, limit: ClientChange.valueLimit, &problems)
        }
        return client
    }

    /// A text, or null for what is not known.
    private static func fact(_ node: ScenarioNode, limit: Int, _ problems: inout ScenarioErrors) -> ClientChange.Fact? {
        switch node.node.value {
        case .null: return .unknown
        case .string(let text):
            if text.utf8.count <= limit { return .known(text) }
            problems.add(node.node.position, node.path, "expected at most \(limit) bytes, found \(text.utf8.count)")
        default: node.expected("text, or null for what is not known", &problems)
        }
        return nil
    }

    /// Reports times that go back: the time of a client never does.
    static func checkOrder(of timeline: Timeline, _ steps: ScenarioNode?, _ problems: inout ScenarioErrors) {
        var last = timeline.setting.time
        for (index, step) in timeline.steps.enumerated() {
            guard let time = step.setting.time else { continue }
            if let earlier = last, time < earlier, let node = steps?.items?[index] {
                problems.add(
                    node.node.position, ScenarioNode.path(node.path, "at"),
                    "expected \(earlier.text) or later: in a timeline the time never goes back")
            }
            last = time
        }
    }
}
