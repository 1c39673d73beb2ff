import Barricade
import Bellerophon
import BellerophonBase
import ProgramKit

/// The comparison of a timeline's changes with those that its file expects.
package struct TimelineVerification: Equatable, Sendable {
    /// One change of stage: expected, found, or both.
    package enum Line: Equatable, Sendable {
        case same(TimelineRun.Change)
        /// Found, but too long after the previous change.
        case late(TimelineRun.Change, after: Duration, within: Duration)
        /// Found, but covered by something else than this rule.
        case otherwise(TimelineRun.Change, by: String)
        case missing(Timeline.Expectation)
        case unexpected(TimelineRun.Change)
    }

    package let timeline: Timeline
    package let run: TimelineRun
    /// In the order in which they were found or expected.
    package let lines: [Line]

    /// Whether the file states expectations.
    package var isClaimed: Bool { !timeline.expectations.isEmpty }

    /// Whether the timeline was played to its end and led to exactly the expected changes.
    package var isAsExpected: Bool {
        run.isWhole
            && lines.allSatisfy {
                if case .same = $0 { true } else { false }
            }
    }

    package init(_ timeline: Timeline, _ run: TimelineRun) {
        self.timeline = timeline
        self.run = run
        lines = Self.compare(timeline.expectations, run.changes)
    }

    /// Pairs equal changes; the others are missing or unexpected.
    private static func compare(_ expected: [Timeline.Expectation], _ found: [TimelineRun.Change]) -> [Line] {
        let difference = found.map { [$0.from.rawValue, $0.to.rawValue] }
            .difference(from: expected.map { [$0.from, $0.to] })
        var missing: Set<Int> = [], unexpected: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): missing.insert(offset)
            case .insert(let offset, _, _): unexpected.insert(offset)
            }
        }
        var lines: [Line] = []
        var (place, other) = (0, 0)
        while place < expected.count || other < found.count {
            if missing.contains(place) {
                lines.append(.missing(expected[place]))
                place += 1
            } else if unexpected.contains(other) {
                lines.append(.unexpected(found[other]))
                other += 1
            } else {
                lines.append(pair(expected[place], found, at: other))
                (place, other) = (place + 1, other + 1)
            }
        }
        return lines
    }

    private static func pair(_ expected: Timeline.Expectation, _ found: [TimelineRun.Change], at index: Int) -> Line {
        let change = found[index]
        if let by = expected.by, by != change.by { return .otherwise(change, by: by) }
        let after = change.at - (index > 0 ? found[index - 1].at : .zero)
        guard let within = expected.within, after > within else { return .same(change) }
        return .late(change, after: after, within: within)
    }
}

// MARK: Output

extension TimelineVerification {
    /// One line if all changes are as expected, else every change with its problem.
    ///
    /// ```
    /// maintenance: not as expected (3 changes in 2 h 0 m, 480 checks)
    ///     0 s       unknown → live
    ///   ! 600.5 s   live → paused      found after 600.5 s, expected within 30 s
    ///   -           paused → live      expected, not found
    ///   + 1200 s    paused → update    found, not expected
    ///   ! 1260 s    paused → update    by min-15, expected by min-16
    /// ```
    package var text: String {
        let count = run.changes.count == 1 ? "1 change" : "\(run.changes.count) changes"
        let facts = "(\(count) in \(run.duration.briefText), \(run.checks) checks)"
        if isAsExpected { return "\(timeline.name): as expected \(facts)" }
        var text = ["\(timeline.name): \(isClaimed ? "not as expected" : "nothing is expected") \(facts)"]
        text += isClaimed ? lines.map(Self.text) : run.changes.map { Self.row(" ", $0, "") }
        if !run.isWhole {
            text.append("  ! given up after \(run.checks) checks in \(run.duration.briefText): the timeline is too long")
        }
        return text.joined(separator: "\n")
    }

    private static func text(_ line: Line) -> String {
        switch line {
        case .same(let change): row(" ", change, "")
        case .late(let change, let after, let within):
            row("!", change, "found after \(seconds(after)), expected within \(seconds(within))")
        case .otherwise(let change, let by): row("!", change, "by \(change.by ?? "no rule"), expected by \(by)")
        case .missing(let expected):
            row("-", "", "\(Stage.word(for: expected.from)) → \(Stage.word(for: expected.to))", "expected, not found")
        case .unexpected(let change): row("+", change, "found, not expected")
        }
    }

    private static func row(_ sign: String, _ change: TimelineRun.Change, _ words: String) -> String {
        row(sign, seconds(change.at), "\(change.from.word) → \(change.to.word)", words)
    }

    private static func row(_ sign: String, _ time: String, _ change: String, _ words: String) -> String {
        let row = "  \(sign) \(time.padding(10))\(change.padding(19))\(words)"
        return String(row.reversed().drop { $0 == " " }.reversed())
    }

    private static func seconds(_ time: Duration) -> String { "\(JSONNode.time(time).line) s" }

    /// One JSON object on one line.
    package var json: String {
        JSONNode.object([
            ("timeline", .printable(timeline.name)), ("asExpected", .bool(isAsExpected)), ("checks", .number(run.checks)),
            ("seconds", .time(run.duration)), ("expected", .array(timeline.expectations.map { .object(Self.members($0)) })),
            ("found", .array(run.changes.map { .object(Self.members($0)) })),
            ("differences", .array(lines.compactMap { Self.members($0).map { .object($0) } })),
        ]).line
    }

    /// The changes that were found, in the format of `expect` in a scenario file.
    package var expectation: String {
        let items = run.changes.map { "  " + JSONNode.object(Self.members($0.expectation)).line }
        return "\"expect\": [\n" + items.joined(separator: ",\n") + "\n]"
    }

    private static func members(_ expected: Timeline.Expectation) -> JSONNode.Members {
        [
            ("from", .printable(expected.from)), ("to", .printable(expected.to)), ("by", expected.by.map { .printable($0) }),
            ("withinSeconds", expected.within.map { .time($0) }),
        ]
    }

    private static func members(_ change: TimelineRun.Change) -> JSONNode.Members {
        members(change.expectation) + [("atSeconds", .time(change.at))]
    }

    private static func members(_ line: Line) -> JSONNode.Members? {
        switch line {
        case .same: nil
        case .late(let change, let after, let within):
            members(change) + [("kind", .text("late")), ("afterSeconds", .time(after)), ("withinSeconds", .time(within))]
        case .otherwise(let change, let by): members(change) + [("kind", .text("otherwise")), ("expectedBy", .printable(by))]
        case .missing(let expected): members(expected) + [("kind", .text("missing"))]
        case .unexpected(let change): members(change) + [("kind", .text("unexpected"))]
        }
    }
}

extension TimelineRun.Change {
    fileprivate var expectation: Timeline.Expectation { .init(from: from.rawValue, to: to.rawValue, by: by) }
}

extension String {
    /// Padded with spaces to a width, with at least one space.
    fileprivate func padding(_ width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
