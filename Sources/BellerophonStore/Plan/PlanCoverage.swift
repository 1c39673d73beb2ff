import Foundation
import StatusModel

/// When the rules of a document cover every app.
///
/// The flags of the document do not count: they are statuses of their own. Apps whose version, or whose system's version, is not
/// known do not count either, unless the rules compare no versions. What leaves out one app of a hundred at most covers every app, and so
/// does a bound of versions that no known version reaches: see ``Rule/withoutOpenBounds(above:)``.
struct PlanCoverage: Equatable, Sendable {
    /// The times in which every app is covered, in order and without overlap. A time that has begun has no beginning.
    let everybody: [RuleMatrix.Span]
    /// Whether the rules compare so much that the table leaves something out. They may then cover every app.
    let isPartial: Bool

    /// - Parameters:
    ///   - highest: the highest version that is known to exist; nil if none is.
    ///   - now: what is over at this time is left out.
    init(_ document: StatusDocument, highest: AppVersion?, from now: Date) {
        let matrix = RuleMatrix(StatusDocument(document.rules.map { $0.withoutOpenBounds(above: highest) }))
        isPartial = !matrix.omittedFacts.isEmpty || matrix.omittedVersions > 0
        var spans: [RuleMatrix.Span] = []
        for (index, span) in matrix.times.enumerated() where span.reaches(beyond: now) {
            guard matrix.restrictsEverybody(at: index), case .between(let from, let until) = span else { continue }
            if case .between(let start, let end?)? = spans.last, end == from {
                spans[spans.count - 1] = .between(from: start, until: until)
            } else {
                spans.append(.between(from: from.flatMap { $0 > now ? $0 : nil }, until: until))
            }
        }
        everybody = spans
    }
}

extension RuleMatrix {
    /// Whether at most one of a hundred apps with the same facts is not restricted.
    fileprivate func restrictsEverybody(at time: Int) -> Bool {
        let known = rows.count > 1 ? rows.filter { $0.versions != .unknown } : rows
        return known.allSatisfy { unrestricted(in: $0, at: time).allSatisfy { $0 <= 0.01 + 1e-9 } }
    }

    /// The portions of apps that are not restricted, one for each combination of the facts that are no shares.
    private func unrestricted(in row: Row, at time: Int) -> [Double] {
        let cases = row.lines.flatMap(\.cases)
        let axes = facts.indices.filter { axis in
            facts[axis].portions.isEmpty && cases.contains { $0[axis].count < facts[axis].values.count }
        }
        let system = axes.firstIndex { facts[$0].name == "osVersion" && facts[$0].values.last == "unknown" }
        var portions: [[Int]: Double] = [:]
        for line in row.lines where !line.cells[time].stage.isBlocked {
            for one in line.cases {
                let portion = zip(facts, one).reduce(1.0) { $0 * $1.0.portion(of: $1.1) }
                for combination in axes.reduce(
                    [[]], { starts, axis in starts.flatMap { start in one[axis].map { start + [$0] } } })
                {
                    if let system, combination[system] == facts[axes[system]].values.count - 1 { continue }
                    portions[combination, default: 0] += portion
                }
            }
        }
        return Array(portions.values)
    }
}

extension RuleMatrix.Fact {
    /// The portion of apps in some groups of a share, 0 to 1; 1 of another fact.
    fileprivate func portion(of groups: [Int]) -> Double {
        portions.isEmpty ? 1 : Double(groups.reduce(0) { $0 + portions[$1] }) / Double(portions.reduce(0, +))
    }
}

extension Rule {
    /// The rule without the bounds of versions that no known version reaches, so that `below 999999` and `0 or later` are for every
    /// version. The version that the rule requires is known.
    /// - Parameter highest: the highest version that is known beside it. If none is, every bound may be such a bound.
    func withoutOpenBounds(above highest: AppVersion?) -> Rule {
        let highest = [highest, version.flatMap(AppVersion.init)].compactMap(\.self).max()
        let lowest = AppVersion("0")
        func isAbove(_ named: VersionRange.Named) -> Bool { highest.map { named.version > $0 } ?? true }
        func isNoLimit(_ named: VersionRange.Named) -> Bool { highest == nil || lowest.map { named.version <= $0 } ?? false }
        let only = only.map { condition in
            guard case .version(let ranges) = condition else { return condition }
            return .version(
                ranges.map { range in
                    guard case .between(let from, let below) = range else { return range }
                    return .between(
                        from: from.flatMap { isNoLimit($0) ? nil : $0 }, below: below.flatMap { isAbove($0) ? nil : $0 })
                })
        }
        // A range that exempts no known version.
        func isEmpty(_ range: VersionRange) -> Bool {
            switch range {
            case .exactly(let named): isAbove(named)
            case .between(let from, let below): from.map(isAbove) ?? false || below.map(isNoLimit) ?? false
            }
        }
        let except = except.filter { exemption in
            guard case .conditions(let conditions) = exemption else { return true }
            return !conditions.contains { if case .version(let ranges) = $0 { ranges.allSatisfy(isEmpty) } else { false } }
        }
        return Rule(id: id, effect: effect, only: only, except: except, from: from, until: until, facts: facts)
    }
}

extension RuleMatrix.Span {
    /// Whether a part of the span is after a time.
    func reaches(beyond time: Date) -> Bool {
        switch self {
        case .between(_, let until): until.map { $0 > time } ?? true
        case .at(let date): date >= time
        }
    }
}
