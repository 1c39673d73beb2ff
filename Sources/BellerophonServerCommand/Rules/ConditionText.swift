import BellerophonBase
import Foundation
import StatusModel

/// A set of conditions in the form of a document, from the conditions that an operator types.
struct ConditionSet: Sendable {
    /// Ranges of versions, in the form of a document.
    var versions: [JSONNode] = []
    var osVersions: [JSONNode] = []
    /// The facts with the values of which they must have one.
    var facts: [(name: String, values: [String])] = []
    var share: String?
    var draw: String?

    /// The set as `only` or as a member of `except`; nil if it has no condition.
    var node: JSONNode? {
        let members: [(String, JSONNode?)] = [
            ("versions", versions.isEmpty ? nil : .array(versions)),
            ("osVersions", osVersions.isEmpty ? nil : .array(osVersions)),
            ("is", facts.isEmpty ? nil : .object(facts.map { ($0.name, .array($0.values.map(JSONNode.text))) })),
            ("share", share.map(JSONNode.text)), ("draw", draw.map(JSONNode.text)),
        ]
        return members.contains { $0.1 != nil } ? .object(members) : nil
    }
}

extension JSONNode {
    /// A range of versions in the form of a document.
    static func versions(from: String? = nil, below: String? = nil, is exact: String? = nil) -> JSONNode {
        .object([("from", from.map(JSONNode.text)), ("below", below.map(JSONNode.text)), ("is", exact.map(JSONNode.text))])
    }
}

extension ConditionSet {
    /// The conditions of `--only` and of the options of the share. Several of one fact are joined: any of them may hold. Those of
    /// different facts must all hold.
    init(only texts: [String], share: String? = nil, draw: String? = nil) throws(CommandError) {
        for text in texts {
            guard !text.contains("&") else {
                throw .usage(
                    "--only: \(JSONText.quoted(text)) has several conditions",
                    hint: "give each its own --only; conditions of different facts must all hold")
            }
            try add(text, option: "--only")
        }
        guard draw == nil || share != nil else { throw .usage("--draw: means nothing without --share") }
        (self.share, self.draw) = (share, draw)
    }

    /// The set of one `--except`: its conditions are separated by `&`, and all must hold.
    init(except text: String) throws(CommandError) {
        var known: Set<String> = []
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            let name = try add(String(part), option: "--except")
            guard known.insert(name).inserted else {
                throw .usage(
                    "--except: \(JSONText.quoted(text)) has two conditions for \(name)",
                    hint: "one --except exempts who meets all of its conditions; give a second --except for other clients")
            }
        }
    }

    private static let signs = [">=", "<=", "!=", "==", "<", ">", "="]

    /// Adds one condition: `version<1.5.2`, `version>=1.6,<1.6.4`, `version=1.6.1,1.6.2` or `os=linux,darwin`.
    /// - Returns: the name of its fact.
    @discardableResult
    private mutating func add(_ condition: String, option: String) throws(CommandError) -> String {
        let quoted = JSONText.quoted(condition)
        func problem(_ text: String, hint: String? = nil) -> CommandError { .usage("\(option): \(quoted) \(text)", hint: hint) }
        guard let start = condition.firstIndex(where: { "<>=!".contains($0) }) else {
            throw .usage(
                "\(option): expected a condition such as \"version<1.5.2\", \"version>=1.6,<1.6.4\" or os=linux; found \(quoted)")
        }
        let name = condition[..<start].trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty else { throw problem("has no name of a fact", hint: "such as version, os or ci") }
        let isVersion = ["version", "osVersion"].contains(name)
        if !isVersion, let near = ["version", "osVersion"].first(where: { $0.lowercased() == name.lowercased() }) {
            throw .usage("\(option): the fact is named \(near), found \(JSONText.quoted(name))")
        }
        var (from, below, values) = (String?.none, String?.none, [String]())
        for part in condition[start...].split(separator: ",", omittingEmptySubsequences: false) {
            let part = part.trimmingCharacters(in: .whitespaces)
            let sign = Self.signs.first { part.hasPrefix($0) } ?? ""
            let value = part.dropFirst(sign.count).trimmingCharacters(in: .whitespaces)
            guard !isVersion || AppVersion(value) != nil else {
                throw .usage("\(option): \(JSONText.quoted(value)) in \(quoted) is no version such as 1.5.2")
            }
            guard !value.isEmpty else { throw problem("has an empty value") }
            switch sign {
            case ">=" where isVersion && from == nil: from = value
            case "<" where isVersion && below == nil: below = value
            case "=": values.append(value)
            case "" where !values.isEmpty: values.append(value)
            default:
                throw isVersion
                    ? problem(
                        "is no range of versions",
                        hint: "possible are version<1.5.2, version>=1.6, version>=1.6,<1.6.4 and version=1.6.1,1.6.2")
                    : problem(
                        "compares a fact that is no version",
                        hint:
                            "only version and osVersion have an order; other facts have one of some values, such as os=linux,darwin"
                    )
            }
        }
        let isRange = from != nil || below != nil
        guard !isRange || values.isEmpty else {
            let hint = option == "--only" ? "give each its own --only; any of them may hold" : "give each its own --except"
            throw problem("mixes a range and single versions", hint: hint)
        }
        let ranges: [JSONNode] = isRange ? [.versions(from: from, below: below)] : values.map { .versions(is: $0) }
        switch name {
        case "version": versions += ranges
        case "osVersion": osVersions += ranges
        default:
            let index = facts.firstIndex { $0.name == name } ?? facts.endIndex
            if index == facts.endIndex { facts.append((name, [])) }
            for value in values where !facts[index].values.contains(value) { facts[index].values.append(value) }
        }
        return name
    }
}
