import Foundation

// MARK: A smaller table

extension RuleMatrix {
    /// The same table without cuts that change nothing.
    package var condensed: RuleMatrix { condensedRows.condensedTimes }

    private var condensedRows: RuleMatrix {
        var matrix = self
        var rows: [Row] = []
        for row in self.rows {
            if let last = rows.last, last.lines == row.lines, let joined = last.versions.joined(row.versions) {
                rows[rows.count - 1] = Row(versions: joined, lines: row.lines)
            } else {
                rows.append(row)
            }
        }
        // The version does not matter.
        if rows.count == 2, rows[1].versions == .unknown, rows[0].lines == rows[1].lines {
            rows = [Row(versions: .every, lines: rows[0].lines)]
        }
        matrix.rows = rows
        return matrix
    }

    private var condensedTimes: RuleMatrix {
        var times: [Span] = []
        var kept: [Int] = []
        let lines = rows.flatMap(\.lines)
        for (index, span) in self.times.enumerated() {
            if let last = times.last, let joined = last.joined(span),
                lines.allSatisfy({ $0.cells[index] == $0.cells[index - 1] })
            {
                times[times.count - 1] = joined
            } else {
                times.append(span)
                kept.append(index)
            }
        }
        var matrix = self
        matrix.times = times
        matrix.rows = rows.map { row in
            Row(
                versions: row.versions,
                lines: row.lines.map { line in Line(cases: line.cases, cells: kept.map { line.cells[$0] }) })
        }
        return matrix
    }
}

extension RuleMatrix.Band {
    fileprivate func joined(_ next: RuleMatrix.Band) -> RuleMatrix.Band? {
        guard case .range(let from, _) = self, case .range(_, let to) = next else { return nil }
        return .range(from: from, to: to)
    }

    /// The part in words: `below 1.5.2`, `1.5.2 to below 1.6.0`, `1.6.4 or later`, `unknown`.
    package var text: String {
        switch self {
        case .unknown: return "unknown"
        case .every: return "every version"
        case .given(let text): return text
        case .range(let from, let to):
            let start = from.map { ($0.isAbove ? "above " : "") + $0.version }
            let end = to.map { ($0.isAbove ? "" : "below ") + $0.version }
            switch (start, end) {
            case (nil, nil): return "any known version"
            case (nil, let end?): return to?.isAbove == true ? "up to \(end)" : end
            case (let start?, nil): return from?.isAbove == true ? start : "\(start) or later"
            // The version itself, and nothing else.
            case (let start?, .some) where from?.isAbove == false && from?.start.successor == to?.start: return start
            case (let start?, let end?): return "\(start) to \(end)"
            }
        }
    }
}

extension RuleMatrix.Span {
    fileprivate func joined(_ next: RuleMatrix.Span) -> RuleMatrix.Span? {
        guard case .between(let from, _) = self, case .between(_, let until) = next else { return nil }
        return .between(from: from, until: until)
    }

    /// A time of the span; nil for a time that is not known.
    var sample: Date? {
        switch self {
        case .between(let from, _): from
        case .at(let time): time
        }
    }
}

// MARK: The combinations of a line

extension RuleMatrix {
    /// The combinations of facts of a line in words: `os linux`, `os any other, site ward`. Empty for a line of all combinations.
    package func cases(of line: Line) -> [String] {
        line.cases.map(named).filter { !$0.isEmpty }.map { one in
            one.map { "\($0.name) \($0.values.joined(separator: " or "))" }.joined(separator: ", ")
        }
    }

    /// The facts that matter in a case.
    private func named(_ one: [[Int]]) -> [(name: String, values: [String])] {
        zip(facts, one).compactMap { fact, indices in
            indices.count == fact.values.count ? nil : (fact.name, indices.map { fact.values[$0] })
        }
    }
}

extension Rule {
    /// The apps that the rule is for, in words: `version below 1.7.0, share below 2.5%, except os linux`.
    package var audience: String {
        func text(_ conditions: [Condition]) -> String {
            conditions.isEmpty ? "every app" : conditions.map(\.text).joined(separator: ", ")
        }
        let exceptions = except.map { exemption in
            switch exemption {
            case .conditions(let conditions): text(conditions)
            case .unreadable: "every app, because an exception is not understood"
            }
        }
        return ([text(only)] + exceptions.map { "except \($0)" }).joined(separator: ", ")
    }
}

// MARK: JSON

extension RuleMatrix: Encodable {
    private enum Key: String, CodingKey { case times, facts, rows, notices, undecided, omittedFacts, omittedVersions }

    /// An object: `rows` has the parts of the versions with their bounds, and the lines of each. The `cells` of a line are in the order of
    /// `times`. `cases` are the combinations of `facts` that a line is for, each a list of facts; an empty list is all of them. Times are
    /// as in a rule.
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(times.map { Self.members(of: $0) }, forKey: .times)
        try object.encode(facts.map { FactObject(name: $0.name, values: $0.values) }, forKey: .facts)
        try object.encode(
            rows.map { row in
                RowObject(
                    versions: Self.members(of: row.versions),
                    lines: row.lines.map { line in
                        LineObject(
                            cases: line.cases.map { one in named(one).map { FactObject(name: $0.name, values: $0.values) } },
                            cells: line.cells)
                    })
            }, forKey: .rows)
        try object.encode(notices.map { Self.members(of: $0) }, forKey: .notices)
        try object.encode(undecided.map { ["rule": $0.label, "reason": $0.problem] }, forKey: .undecided)
        if !omittedFacts.isEmpty { try object.encode(omittedFacts, forKey: .omittedFacts) }
        if omittedVersions > 0 { try object.encode(omittedVersions, forKey: .omittedVersions) }
    }

    private struct RowObject: Encodable {
        let versions: [String: String]
        let lines: [LineObject]
    }

    private struct LineObject: Encodable {
        let cases: [[FactObject]]
        let cells: [Cell]
    }

    private static func members(of notice: Rule) -> [String: String] {
        [
            "id": notice.id, "effect": notice.effect.rawValue, "audience": notice.audience,
            "announce": notice.announce.map(PlanTime.text), "from": notice.from.map(PlanTime.text),
            "until": notice.until.map(PlanTime.text),
        ].compactMapValues(\.self)
    }

    private static func members(of band: Band) -> [String: String] {
        var members = ["label": band.text]
        guard case .range(let start, let end) = band else { return members }
        if let start { members[start.isAbove ? "above" : "from"] = start.version }
        if let end { members[end.isAbove ? "upTo" : "below"] = end.version }
        return members
    }

    private static func members(of span: Span) -> [String: String] {
        let times: [String: Date?] =
            switch span {
            case .at(let time): ["at": time]
            case .between(let start, let end): ["from": start, "until": end]
            }
        return times.compactMapValues { $0.map(PlanTime.text) }
    }

    private struct FactObject: Encodable {
        let name: String
        let values: [String]
    }
}

extension RuleMatrix.Cell: Encodable {
    private enum Key: String, CodingKey { case stage, by, announced }

    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(stage, forKey: .stage)
        try object.encode(by, forKey: .by)
        try object.encode(announced, forKey: .announced)
    }
}
