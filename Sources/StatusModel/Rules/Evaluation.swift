import Foundation

/// A verdict in the making.
struct Evaluation {
    let client: Client
    let time: Date
    private(set) var restrictions: [Verdict.Restriction] = []
    private var notices: [Verdict.Notice] = []
    private(set) var next: Date?
    private(set) var nextChanges: [Verdict.Change] = []

    init(client: Client, time: Date) {
        (self.client, self.time) = (client, time)
    }

    // MARK: The flags of the original

    /// - Returns: why the app runs although a flag is true.
    mutating func addFlags(of document: StatusDocument) -> String? {
        var exemption: String?
        if document.requiresUpdate {
            let required = document.requiredVersion
            let reason = Verdict.Reason(
                fact: "version", value: client.facts.version, rule: "the required \(required ?? "")", truth: .unknown)
            let to = required.flatMap(AppVersion.init)
            var (because, reasons): (String?, [Verdict.Reason]) = ("forceUpdate is true", [])
            switch (required, client.version, to) {
            case (nil, _, _): break
            case (let text?, let version?, let to?) where version >= to:
                exemption = "forceUpdate is true, and \(reason.value ?? "") is not below the required \(text)"
                because = nil
            case (let text?, .some, .some):
                because = "\(reason.value ?? "") is below the required \(text)"
                reasons = [.init(fact: "version", value: client.facts.version, rule: "below \(text)", truth: .holds)]
            case (let text?, _, nil): because = "the required version \(text) can't be compared"
            case (let text?, nil, .some):
                because =
                    reason.value.map { "the version \($0) can't be compared with the required \(text)" }
                    ?? "the app's version is not known, and \(text) is required"
                reasons = [reason]
            }
            if let because { add("forceUpdate", .updateRequired, because, reasons, document.facts, to) }
        }
        if document.isInactive {
            if document.plan?.isMirroringOnly == true {
                exemption = exemption ?? "apiInactive only repeats a rule"
            } else {
                add("apiInactive", .killed, "apiInactive is true", [], document.facts, nil)
            }
        }
        return exemption
    }

    private mutating func add(
        _ name: String, _ stage: Stage, _ because: String, _ reasons: [Verdict.Reason], _ facts: StatusFacts, _ to: AppVersion?
    ) {
        add(
            .init(
                stage: stage, by: name, rule: nil, facts: facts, to: to, flagCause: because, flagReasons: reasons,
                app: client.facts))
    }

    // MARK: Rules

    mutating func add(_ rule: Rule) {
        // Times are compared first, because they cost less than conditions.
        if let until = rule.until, time >= until { return }
        guard rule.concerns(client) else { return }
        if let from = rule.from, time < from {
            let isAnnounced = rule.announce.map { time >= $0 } ?? false
            if isAnnounced { notices.append(.init(rule: rule, phase: .announced)) }
            if let announce = rule.announce, !isAnnounced { return changes(at: announce, rule, .isAnnounced) }
            return changes(at: from, rule, .begins)
        }
        if let until = rule.until { changes(at: until, rule, .ends) }
        guard let stage = rule.effect.stage else { return notices.append(.init(rule: rule, phase: .holding)) }
        add(
            .init(
                stage: stage, by: rule.id, rule: rule, facts: rule.facts, to: rule.to, flagCause: nil, flagReasons: [],
                app: client.facts))
    }

    private mutating func changes(at date: Date, _ rule: Rule, _ kind: Verdict.Change.Kind) {
        let change = Verdict.Change(id: rule.id, kind: kind)
        if date == next { return nextChanges.append(change) }
        if let next, next < date { return }
        (next, nextChanges) = (date, [change])
    }

    // MARK: Order

    /// Adds a restriction: at the front if it is stronger than all others. Among equal ones the flags come first, because they are added
    /// first.
    private mutating func add(_ restriction: Verdict.Restriction) {
        let isStrongest = restrictions.first.map { Self.isStronger(restriction, $0) } ?? true
        restrictions.insert(restriction, at: isStrongest ? 0 : restrictions.count)
    }

    private static func isStronger(_ one: Verdict.Restriction, _ two: Verdict.Restriction) -> Bool {
        if one.stage != two.stage { return one.stage == .updateRequired }
        if one.stage == .updateRequired {
            switch (one.to, two.to) {
            case (nil, nil): break
            case (.some, nil): return true
            case (nil, .some): return false
            case (let one?, let two?): if one != two { return one > two }
            }
        }
        if one.isRule != two.isRule { return two.isRule }
        return one.until ?? .never > two.until ?? .never
    }

    /// Announced rules and warnings first, the soonest announced one before the others.
    var sortedNotices: [Verdict.Notice] {
        guard notices.count > 1 else { return notices }
        func rank(_ notice: Verdict.Notice) -> (Int, Date) {
            switch notice.phase {
            case .announced: (0, notice.rule.from ?? .never)
            case .holding: (notice.rule.effect == .notice && notice.rule.level == .warn ? 0 : 1, .never)
            }
        }
        return notices.enumerated().sorted { one, two in
            (rank(one.element).0, rank(one.element).1, one.offset) < (rank(two.element).0, rank(two.element).1, two.offset)
        }.map(\.element)
    }
}

extension Rule {
    /// Whether the rule is for the app: all conditions hold, and nothing exempts it.
    fileprivate func concerns(_ client: Client) -> Bool {
        only.truth(for: client) == .holds && !except.contains { $0.exempts(client) }
    }
}

extension Rule.Exemption {
    /// Whether the set exempts an app. Whatever is not known exempts, so that a misunderstanding never restricts.
    func exempts(_ client: Client) -> Bool {
        switch self {
        case .conditions(let conditions): conditions.truth(for: client) != .fails
        case .unreadable: true
        }
    }
}
