#if Server
import Foundation
import StatusModel

/// When the rules of a document cover every app.
///
/// The flags of the document do not count: they are statuses of their own. Apps whose version, or whose system's version, is not
/// known do not count either, unless the rules compare no versions. A rule for `0` or later covers everybody.
package struct PlanCoverage: Equatable, Sendable {
    /// The times in which every app is covered, in order and without overlap. A time that has begun has no beginning.
    package let everybody: [RuleMatrix.Span]

    /// - Parameter now: what is over at this time is left out.
    package init(_ document: StatusDocument, from now: Date) {
        let matrix = RuleMatrix(document.keepingRules { _ in true })
        let lines = matrix.linesOfKnownVersions
        var spans: [RuleMatrix.Span] = []
        for (index, span) in matrix.times.enumerated() where span.reaches(beyond: now) {
            guard lines.allSatisfy({ $0.cells[index].stage.isBlocked }), case .between(let from, let until) = span else {
                continue
            }
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
    /// The lines of apps whose versions are known, as far as versions matter.
    fileprivate var linesOfKnownVersions: [Line] {
        let known = rows.count > 1 ? rows.filter { $0.versions != .unknown } : rows
        let all = known.flatMap(\.lines)
        guard let axis = facts.firstIndex(where: { $0.name == "osVersion" && $0.values.last == "unknown" }) else { return all }
        let last = [facts[axis].values.count - 1]
        let rest = all.filter { line in line.cases.contains { $0[axis] != last } }
        return rest.isEmpty ? all : rest
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

    /// The span in words: `from 15 December 2026 00:00 UTC until 16 December 2026 00:00 UTC`.
    package var text: String {
        switch self {
        case .at(let time): "at \(PlanWords.time(time))"
        case .between(nil, nil): "from now on"
        case .between(let from?, nil): "from \(PlanWords.time(from))"
        case .between(nil, let until?): "until \(PlanWords.time(until))"
        case .between(let from?, let until?): "from \(PlanWords.time(from)) until \(PlanWords.time(until))"
        }
    }
}

extension StatusDocument {
    /// The document without its flags, and with some of its rules.
    func keepingRules(_ isKept: (Rule) -> Bool) -> StatusDocument {
        var plan = StatusPlan(text: "")
        plan.entries = rules.filter(isKept).map(StatusPlan.Entry.rule)
        return StatusDocument(isInactive: false, requiresUpdate: false, interval: interval, facts: facts, plan: plan)
    }
}
#endif
