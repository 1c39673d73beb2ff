import BellerophonBase
import Foundation
import SafeText

/// Reads one rule. What is not understood throws, except in the members that are only shown.
struct RuleReader {
    /// Why a rule, or a set of conditions, is not understood.
    struct Problem: Error {
        let text: String
        let reason: RuleReason

        init(_ text: String, _ reason: RuleReason = .badRule) { (self.text, self.reason) = (text, reason) }

        /// Reads a part of a rule. What is wrong in it is reported as a problem of this part.
        static func naming<Value>(_ reason: RuleReason, _ read: () throws(Problem) -> Value) throws(Problem) -> Value {
            do throws(Problem) { return try read() } catch { throw Problem(error.text, reason) }
        }
    }

    private let members: [String: JSONNode]

    static func entry(
        _ node: JSONNode, place: String, known: inout Set<String>, _ problems: inout PlanProblems
    ) -> StatusPlan.Entry {
        var label = place
        do throws(Problem) {
            guard let members = node.members else { throw Problem("a rule must be an object, found \(node.typeName)") }
            label = try id(members, of: node, &known)
            try Problem.naming(.twice) { () throws(Problem) in try noneTwice(node) }
            try allKnown(node)
            return .rule(try RuleReader(members: members).rule(label, &problems))
        } catch {
            return .undecided(.init(label: label, problem: error.text, reason: error.reason))
        }
    }

    private static func id(
        _ members: [String: JSONNode], of node: JSONNode, _ known: inout Set<String>
    ) throws(Problem) -> String {
        guard !node.repeatedNames.contains("id") else { throw Problem("\"id\" appears twice", .badID) }
        guard let id = members["id"]?.string, isID(id) else {
            throw Problem("\"id\" must be a name of small letters, digits, dots, hyphens and underscores", .badID)
        }
        guard known.insert(id).inserted else { throw Problem("an earlier rule has the id \(id)", .badID) }
        return id
    }

    private static func isID(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isPlain(first) else { return false }
        return text.utf8.allSatisfy { isPlain($0) || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains($0) }
    }

    private static func noneTwice(_ node: JSONNode) throws(Problem) {
        if let name = node.repeatedNames.min() { throw Problem("\(quoted(name)) appears twice") }
    }

    /// A member that is not known may narrow the rule, as a mistyped `only` does. So the rule is not understood, unless its member
    /// `optional` says that clients may ignore the other one.
    private static func allKnown(_ node: JSONNode) throws(Problem) {
        guard case .object(let members) = node.value else { return }
        let optional = try optional(members.first { $0.name == "optional" }?.node)
        // Names are compared as they are written, without a normal form.
        for member in members where !Rule.members.contains(member.name) && !optional.contains(Array(member.name.utf8)) {
            let nearest = EditDistance.nearest(to: member.name, among: Rule.members)
            throw Problem(
                "the member \(quoted(member.name)) is not known" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""),
                .badMember)
        }
    }

    private static func optional(_ node: JSONNode?) throws(Problem) -> Set<[UInt8]> {
        guard let node else { return [] }
        let names = (node.texts(1...8) ?? []).map { Array($0.utf8) }
        guard !names.isEmpty, Set(names).count == names.count, names.allSatisfy({ (1...64).contains($0.count) }) else {
            throw Problem("\"optional\" must be a list of 1 to 8 names of members, each once", .badOptional)
        }
        return Set(names)
    }

    private static func quoted(_ text: String) -> String {
        "\"\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 40))\""
    }

    private func rule(_ id: String, _ problems: inout PlanProblems) throws(Problem) -> Rule {
        guard let effect = members["effect"]?.string.flatMap(Rule.Effect.init) else {
            throw Problem("\"effect\" must be one of \(Rule.Effect.allCases.map(\.rawValue).joined(separator: ", "))", .badEffect)
        }
        let only =
            try members["only"].map { node throws(Problem) in
                try Problem.naming(.badOnly) { () throws(Problem) in try Self.conditions(node, draw: id, allowsShare: true) }
            } ?? []
        let except = try exemptions(id)
        let (announce, from, until) = try Problem.naming(.badTime, times)
        var facts = StatusFacts()
        facts[.message] = shown("message", id, &problems, \.string)
        facts[.requiredVersion] = shown("to", id, &problems) { $0.string.flatMap { AppVersion($0) == nil ? nil : $0 } }
        facts[.link] = shown("link", id, &problems) { $0.string.flatMap { StatusDocument.webAddress($0) } }
        return Rule(
            id: id, effect: effect, only: only, except: except, announce: announce, from: from, until: until,
            level: shown("level", id, &problems) { $0.string.flatMap(Rule.Level.init) } ?? .info, facts: facts,
            messages: shown("messages", id, &problems, StatusPlan.messages) ?? [:])
    }

    // MARK: What is only shown

    private func shown<Value>(
        _ name: String, _ id: String, _ problems: inout PlanProblems, _ read: (JSONNode) -> Value?
    ) -> Value? {
        guard let node = members[name] else { return nil }
        if case .null = node.value { return nil }
        let value = read(node)
        if value == nil { problems.add("\"\(name)\" of the rule \(id) can't be used; it was ignored") }
        return value
    }

    // MARK: Times

    private func times() throws(Problem) -> (announce: Date?, from: Date?, until: Date?) {
        let (announce, from, until) = (try time("announce"), try time("from"), try time("until"))
        if let announce {
            guard let from else { throw Problem("\"announce\" needs \"from\"") }
            guard announce <= from else { throw Problem("\"announce\" is after \"from\"") }
        }
        if let from, let until, from >= until { throw Problem("\"until\" is not after \"from\"") }
        return (announce, from, until)
    }

    private func time(_ name: String) throws(Problem) -> Date? {
        guard let node = members[name] else { return nil }
        guard let date = node.string.flatMap(PlanTime.date) else {
            throw Problem("\"\(name)\" must be a time such as 2026-12-05T22:00:00Z")
        }
        return date
    }

    // MARK: Conditions

    private func exemptions(_ id: String) throws(Problem) -> [Rule.Exemption] {
        guard let node = members["except"] else { return [] }
        guard case .array(let items) = node.value, items.count <= 8 else {
            throw Problem("\"except\" must be a list of at most 8 sets of conditions", .badExcept)
        }
        return items.map { item in
            do throws(Problem) {
                return .conditions(try Self.conditions(item, draw: id, allowsShare: false))
            } catch {
                return .unreadable(error.text)
            }
        }
    }

    private static func conditions(_ node: JSONNode, draw: String, allowsShare: Bool) throws(Problem) -> [Condition] {
        guard case .object(let members) = node.value else {
            throw Problem("a set of conditions must be an object, found \(node.typeName)")
        }
        try noneTwice(node)
        var conditions: [Condition] = []
        var (share, draw) = (String?.none, draw)
        for member in members {
            switch member.name {
            case "versions": conditions.append(.version(try ranges(member)))
            case "osVersions": conditions.append(.osVersion(try ranges(member)))
            case "is": conditions += try facts(member.node)
            case "share" where allowsShare:
                guard let text = member.node.string else { throw Problem("\"share\" must be a text such as \"2.5%\"") }
                share = text
            case "draw" where allowsShare:
                guard let text = member.node.string, (1...Share.drawLimit).contains(text.utf8.count) else {
                    throw Problem("\"draw\" must be a text of 1 to \(Share.drawLimit) bytes")
                }
                draw = text
            default: throw Problem("the condition \(quoted(member.name)) is not known")
            }
        }
        guard let share else { return conditions }
        guard let share = Share(share, draw: draw) else { throw Problem("\"share\" must be \"0%\" to \"100%\"") }
        // The share is the only condition whose evaluation costs something, so it is the last one.
        return conditions + [.share(share)]
    }

    private static func ranges(_ member: JSONMember) throws(Problem) -> [VersionRange] {
        guard case .array(let items) = member.node.value, (1...32).contains(items.count) else {
            throw Problem("\"\(member.name)\" must be a list of 1 to 32 ranges")
        }
        var ranges: [VersionRange] = []
        for item in items { ranges.append(try range(item)) }
        return ranges
    }

    private static func range(_ node: JSONNode) throws(Problem) -> VersionRange {
        guard let members = node.members else { throw Problem("a range of versions must be an object, found \(node.typeName)") }
        try noneTwice(node)
        if let name = members.keys.filter({ !["from", "below", "is"].contains($0) }).min() {
            throw Problem("\(quoted(name)) is not known in a range of versions")
        }
        func version(_ name: String) throws(Problem) -> VersionRange.Named? {
            guard let node = members[name] else { return nil }
            guard let text = node.string, let version = AppVersion(text) else {
                throw Problem("\"\(name)\" must be a version such as \"1.5.2\"")
            }
            return .init(text: text, version: version)
        }
        let (from, below, exact) = (try version("from"), try version("below"), try version("is"))
        switch (from, below, exact) {
        case (nil, nil, let exact?): return .exactly(exact)
        case (_, _, nil) where from != nil || below != nil: return .between(from: from, below: below)
        default: throw Problem("a range of versions needs \"from\", \"below\" or both, or \"is\" alone")
        }
    }

    private static func facts(_ node: JSONNode) throws(Problem) -> [Condition] {
        guard case .object(let members) = node.value, (1...16).contains(members.count) else {
            throw Problem("\"is\" must have 1 to 16 facts")
        }
        try noneTwice(node)
        var conditions: [Condition] = []
        for member in members {
            guard (1...64).contains(member.name.utf8.count), let values = member.node.texts(1...16),
                values.allSatisfy({ $0.utf8.count <= 256 })
            else { throw Problem("\(quoted(member.name)) in \"is\" must be a list of 1 to 16 texts") }
            conditions.append(.fact(member.name, values))
        }
        return conditions
    }
}

extension JSONNode {
    /// A list of texts; nil for anything else or for another number of them.
    func texts(_ count: ClosedRange<Int>) -> [String]? {
        guard case .array(let items) = value, count.contains(items.count) else { return nil }
        let texts = items.compactMap(\.string)
        return texts.count == items.count ? texts : nil
    }
}
