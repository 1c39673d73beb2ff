import BellerophonBase
import Foundation
import StatusModel

/// A set of conditions in the form of a document, from the conditions that an operator types.
struct ConditionSet: Equatable, Sendable {
    /// A range of versions, in the form of a document.
    enum Range: Equatable, Sendable {
        case between(from: String?, below: String?)
        case exactly(String)

        var node: JSONNode {
            switch self {
            case .between(let from, let below): .object([("from", from.map(JSONNode.text)), ("below", below.map(JSONNode.text))])
            case .exactly(let version): .object([("is", .text(version))])
            }
        }
    }

    /// A fact and the values of which it must have one.
    struct Fact: Equatable, Sendable {
        let name: String
        var values: [String]
    }

    var versions: [Range] = []
    var osVersions: [Range] = []
    var facts: [Fact] = []
    var share: String?
    var draw: String?

    /// The set as `only` or as a member of `except`; nil if it has no condition.
    var node: JSONNode? {
        guard self != ConditionSet() else { return nil }
        func list(_ ranges: [Range]) -> JSONNode? { ranges.isEmpty ? nil : .array(ranges.map(\.node)) }
        let facts = facts.map { ($0.name, JSONNode?.some(.array($0.values.map(JSONNode.text)))) }
        return .object([
            ("versions", list(versions)), ("osVersions", list(osVersions)), ("is", facts.isEmpty ? nil : .object(facts)),
            ("share", share.map(JSONNode.text)), ("draw", draw.map(JSONNode.text)),
        ])
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
        if let share {
            guard Share(share, draw: "") != nil else {
                throw .usage("--share: expected a share such as 10% or 2.5%, 0% to 100%; found \(JSONText.quoted(share))")
            }
            self.share = share
        }
        if let draw {
            guard share != nil else { throw .usage("--draw: means nothing without --share") }
            guard (1...Share.drawLimit).contains(draw.utf8.count) else {
                throw .usage("--draw: expected 1 to \(Share.drawLimit) bytes, found \(draw.utf8.count)")
            }
            self.draw = draw
        }
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

    private static let operators = [">=", "<=", "!=", "<", ">", "="]

    /// Adds one condition.
    /// - Returns: the name of its fact.
    @discardableResult
    private mutating func add(_ condition: String, option: String) throws(CommandError) -> String {
        let text = condition.trimmingCharacters(in: .whitespaces)
        guard let start = text.firstIndex(where: { "<>=!".contains($0) }) else {
            throw .usage(
                "\(option): expected a condition such as \"version<1.5.2\", \"version>=1.6,<1.6.4\" or os=linux; "
                    + "found \(JSONText.quoted(condition))")
        }
        let name = text[..<start].trimmingCharacters(in: .whitespaces)
        guard (1...64).contains(name.utf8.count) else {
            throw .usage("\(option): \(JSONText.quoted(condition)) has no name of a fact", hint: "such as version, os or ci")
        }
        let rest = String(text[start...])
        switch name {
        case "version": versions += try Self.ranges(rest, condition, option)
        case "osVersion": osVersions += try Self.ranges(rest, condition, option)
        default: try addFact(name, rest, condition, option)
        }
        return name
    }

    private mutating func addFact(_ name: String, _ rest: String, _ condition: String, _ option: String) throws(CommandError) {
        if let near = ["version", "osVersion"].first(where: { $0.lowercased() == name.lowercased() }) {
            throw .usage("\(option): the fact is named \(near), found \(JSONText.quoted(name))")
        }
        guard rest.hasPrefix("="), !rest.hasPrefix("==") else {
            throw .usage(
                "\(option): \(JSONText.quoted(condition)) compares a fact that is no version",
                hint:
                    "only version and osVersion have an order; other facts have one of some values, such as os=linux,darwin"
            )
        }
        let values = rest.dropFirst().split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard values.allSatisfy({ (1...256).contains($0.utf8.count) }) else {
            throw .usage("\(option): \(JSONText.quoted(condition)) has an empty value, or one of more than 256 bytes")
        }
        let index = facts.firstIndex { $0.name == name } ?? facts.endIndex
        if index == facts.endIndex { facts.append(Fact(name: name, values: [])) }
        for value in values where !facts[index].values.contains(value) { facts[index].values.append(value) }
        guard facts[index].values.count <= 16 else { throw .usage("\(option): more than 16 values of \(name)") }
    }

    // MARK: Versions

    /// `<1.5.2`, `>=1.6,<1.6.4` as one range, or `=1.6.1,1.6.2` as several.
    private static func ranges(_ text: String, _ condition: String, _ option: String) throws(CommandError) -> [Range] {
        var (from, below, exact) = (String?.none, String?.none, [String]())
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let part = part.trimmingCharacters(in: .whitespaces)
            let sign = operators.first { part.hasPrefix($0) } ?? ""
            let version = part.dropFirst(sign.count).trimmingCharacters(in: .whitespaces)
            guard AppVersion(version) != nil else {
                throw .usage(
                    "\(option): \(JSONText.quoted(version)) in \(JSONText.quoted(condition)) is no version such as 1.5.2")
            }
            switch sign {
            case ">=" where from == nil: from = version
            case "<" where below == nil: below = version
            case "=": exact.append(version)
            case "" where !exact.isEmpty: exact.append(version)
            default:
                throw .usage(
                    "\(option): \(JSONText.quoted(condition)) is no range of versions",
                    hint: "possible are version<1.5.2, version>=1.6, version>=1.6,<1.6.4 and version=1.6.1,1.6.2")
            }
        }
        let isRange = from != nil || below != nil
        guard !isRange || exact.isEmpty else {
            throw .usage(
                "\(option): \(JSONText.quoted(condition)) mixes a range and single versions",
                hint: option == "--only" ? "give each its own --only; any of them may hold" : "give each its own --except")
        }
        if let from, let below, let low = AppVersion(from), let high = AppVersion(below), low >= high {
            throw .usage("\(option): no version is in \(JSONText.quoted(condition)), because \(from) is not below \(below)")
        }
        return isRange ? [.between(from: from, below: below)] : exact.map(Range.exactly)
    }
}
