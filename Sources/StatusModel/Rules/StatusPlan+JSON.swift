import BellerophonBase
import Foundation
import SafeText

extension StatusPlan {
    /// The members of a document that belong to the plan.
    private enum Member: String, CaseIterable {
        case rules, mirrors, backAt, userMessages
    }

    /// Reads the plan of a document; nil if it has none. Nothing in it makes the document invalid.
    /// - Parameters:
    ///   - members: the members of the document. For a repeated name the last one counts.
    ///   - repeated: the names that occur more than once.
    ///   - remarks: problems are added here.
    init?(_ members: [String: JSONNode], repeated: Set<String>, data: Data, _ remarks: inout [String]) {
        guard Member.allCases.contains(where: { members[$0.rawValue] != nil }) else { return nil }
        self.init(text: String(decoding: data, as: UTF8.self))
        var problems = PlanProblems()
        func node(_ member: Member) -> JSONNode? {
            guard let node = members[member.rawValue] else { return nil }
            if repeated.contains(member.rawValue) {
                if member != .rules { problems.add("\"\(member.rawValue)\" appears twice; it was ignored") }
                return nil
            }
            if case .null = node.value { return nil }
            return node
        }
        if repeated.contains(Member.rules.rawValue) {
            problem = "\"rules\" appears twice"
        } else if let node = node(.rules) {
            if case .array(let items) = node.value {
                read(Array(items.prefix(Rule.limit)), &problems)
                if items.count > Rule.limit { problems.add("only the first \(Rule.limit) of \(items.count) rules count") }
            } else {
                problem = "\"rules\" must be an array, found \(node.typeName)"
            }
        }
        if let problem { problems.add("\(problem); no rule counts") }
        if let node = node(.mirrors) {
            mirrors = node.texts(1...Rule.limit) ?? []
            if mirrors.isEmpty { problems.add("\"mirrors\" must be a list of ids; it was ignored") }
        }
        if let node = node(.backAt) {
            backAt = node.string.flatMap(PlanTime.date)
            if backAt == nil { problems.add("\"backAt\" must be a time such as 2026-12-05T22:00:00Z; it was ignored") }
        }
        if let node = node(.userMessages) {
            messages = Self.messages(node) ?? [:]
            if messages.isEmpty { problems.add("\"userMessages\" must have texts by language tag; it was ignored") }
        }
        remarks += problems.remarks
    }

    private mutating func read(_ items: [JSONNode], _ problems: inout PlanProblems) {
        var known: Set<String> = []
        for (index, item) in items.enumerated() {
            var shown = PlanProblems()
            let entry = RuleReader.entry(item, place: "#\(index + 1)", known: &known, &shown)
            if case .undecided(let undecided) = entry {
                problems.add("the rule \(undecided.label) does not apply: \(undecided.problem)")
            } else {
                problems.add(shown)
            }
            entries.append(entry)
        }
    }

    /// Texts by language tag, safe to draw; nil if the node is anything else.
    static func messages(_ node: JSONNode) -> [String: String]? {
        guard case .object(let members) = node.value, (1...16).contains(members.count), node.repeatedNames.isEmpty else {
            return nil
        }
        var messages: [String: String] = [:]
        for member in members {
            guard isLanguageTag(member.name), let text = member.node.string else { return nil }
            messages[member.name] = StatusField.message.cleaned(text)
        }
        return messages
    }

    /// Whether a text can be the name of a message: letters, digits and hyphens, at most 35 bytes.
    package static func isLanguageTag(_ text: String) -> Bool {
        (1...35).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-")
            }
    }
}

/// Remarks on a plan, so few that a view can show them.
struct PlanProblems {
    static let limit = 8
    private var texts: [String] = []
    private var count = 0

    mutating func add(_ text: String) {
        count += 1
        if count <= Self.limit { texts.append(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 200)) }
    }

    mutating func add(_ others: PlanProblems) {
        for text in others.texts { add(text) }
    }

    var remarks: [String] { count <= Self.limit ? texts : texts + ["\(count - Self.limit) more problems with rules"] }
}
