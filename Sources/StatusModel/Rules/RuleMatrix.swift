package import Foundation
import SafeText

/// What a document restricts, for every app at every time, as a table.
///
/// The versions are cut wherever a rule that restricts or `requiredVersion` compares one, and the times wherever a phase of such a rule
/// begins or ends, so that the meaning is the same everywhere inside a cell. A row is divided further by the other facts that matter for
/// its versions; values with the same meaning share a line. What is ``Given`` is not cut. Rules that only tell something change
/// nothing in the table and are listed beside it.
package struct RuleMatrix: Equatable, Sendable {
    /// What is already known of the app and of the time.
    package struct Given: Equatable, Sendable {
        /// The facts that are known; the others are cut.
        package var facts: AppFacts
        /// The time; nil for all times.
        package var time: Date?

        package init(facts: AppFacts = AppFacts(), time: Date? = nil) {
            (self.facts, self.time) = (facts, time)
        }
    }

    /// A time between two boundaries.
    package enum Span: Equatable, Sendable {
        /// From a time on, up to and without another one. Without a beginning, it includes a time that is not known.
        case between(from: Date?, until: Date?)
        /// The given time.
        case at(Date)
    }

    /// A part of all versions.
    package enum Band: Equatable, Sendable {
        /// From one edge to another. Without any edge, every version that can be read.
        case range(from: Edge?, to: Edge?)
        /// A version that is not known or can't be read.
        case unknown
        /// Every version, also one that is not known: nothing depends on it.
        case every
        /// The given version.
        case given(String)

        /// A place beside a version.
        package struct Edge: Equatable, Sendable {
            /// The version as it is in the document.
            package let version: String
            /// Whether the place is directly above the version, and not below it.
            package let isAbove: Bool
            /// The first version above the place.
            let start: AppVersion
        }
    }

    /// A fact that rules ask for, and the groups of its values that they tell apart.
    package struct Fact: Equatable, Sendable {
        /// `os`, `osVersion`, `share of offer-1.7` …
        package let name: String
        /// The groups in words: `linux`, `any other`, `not known`.
        package let values: [String]
        /// Of a share, how many installations of 10,000 belong to each group; empty for other facts.
        package let portions: [Int]
    }

    /// What holds for an app at a time.
    package struct Cell: Equatable, Hashable, Sendable {
        package let stage: Stage
        /// What restricts the app: `forceUpdate`, `apiInactive` or the id of a rule; nil for nothing.
        package let by: String?
        /// The ids of the rules that are announced and will restrict the app.
        package let announced: [String]
    }

    /// A part of the versions.
    package struct Row: Equatable, Sendable {
        package let versions: Band
        /// At least one line. Each combination of facts belongs to one of them.
        package let lines: [Line]
    }

    /// A line of a row, with a cell for each part of the time.
    package struct Line: Equatable, Sendable {
        /// The combinations of facts that the line is for: for each fact of ``RuleMatrix/facts`` the groups of values, as indices.
        package let cases: [[[Int]]]
        package let cells: [Cell]
    }

    package internal(set) var times: [Span]
    /// The facts that tell lines apart.
    package let facts: [Fact]
    /// From the lowest versions to the highest ones. The last row is for versions that are not known, if there are several rows.
    package internal(set) var rows: [Row]
    /// The rules that only tell something.
    package let notices: [Rule]
    /// The rules that are not understood.
    package let undecided: [StatusPlan.Undecided]
    /// The names of the facts of which some rows show one group of values only, because there would be too many lines.
    package let omittedFacts: [String]
    /// How many parts of the versions were left out, the highest ones.
    package let omittedVersions: Int

    // How much is computed at most: parts of the versions, combinations of facts in a row, and verdicts.
    private static let (versionLimit, combinationLimit, verdictLimit) = (200, 256, 50_000)

    /// Computes what a document restricts. Pure: it asks no clock.
    package init(_ document: StatusDocument, _ given: Given = Given()) {
        let rules = document.rulesInForce.filter { $0.effect.stage != nil }
        let questions = Questions(document, rules)
        let bands = given.facts.version.map { [VersionBand(given: $0)] } ?? questions.versionBands
        let isLong = bands.count > Self.versionLimit
        let shown = isLong ? Array(bands.prefix(Self.versionLimit - 1) + bands.suffix(1)) : bands
        times = given.time.map { [Span.at($0)] } ?? questions.spans
        let axes = questions.axes(given)
        let most = max(1, min(Self.combinationLimit, Self.verdictLimit / (shown.count * times.count)))

        var omitted: Set<Int> = []
        var rows: [Row] = []
        for band in shown {
            let relevant = Questions(document, rules.compactMap { $0.limited(to: band, given) }).axes(given).map(\.kind)
            var choices: [[[Int]]] = []
            var count = 1
            for (index, axis) in axes.enumerated() {
                let all = Array(axis.samples.indices)
                if !relevant.contains(axis.kind) {
                    choices.append([all])
                } else if count * all.count <= most {
                    choices.append(all.map { [$0] })
                    count *= all.count
                } else {
                    choices.append([all.suffix(1)])
                    omitted.insert(index)
                }
            }
            rows.append(
                Row(versions: band.band, lines: Self.lines(document, given, band: band, axes: axes, choices: choices, times)))
        }
        self.rows = rows
        facts = axes.map { Fact(name: $0.name, values: $0.labels, portions: $0.portions) }
        notices = document.rulesInForce.filter { $0.effect.stage == nil }
        undecided = document.plan?.undecided ?? []
        omittedFacts = omitted.sorted().map { axes[$0].name }
        omittedVersions = bands.count - shown.count
    }

    /// The lines of a row.
    /// - Parameter choices: for each axis the groups that are told apart. The first member of a group stands for all of it.
    private static func lines(
        _ document: StatusDocument, _ given: Given, band: VersionBand, axes: [Axis], choices: [[[Int]]], _ times: [Span]
    ) -> [Line] {
        var cases: [[Cell]: [[[Int]]]] = [:]
        var order: [[Cell]] = []
        for combination in choices.reduce([[]], { starts, choice in starts.flatMap { start in choice.map { start + [$0] } } }) {
            var sample = Sample(given)
            for (axis, indices) in zip(axes, combination) { axis.samples[indices[0]](&sample) }
            let client = sample.client(band.sample, given.facts)
            let cells = times.map { Cell(document.verdict(for: client, at: $0.sample)) }
            if cases[cells] == nil { order.append(cells) }
            cases[cells, default: []].append(combination)
        }
        return order.map { Line(cases: joined(cases[$0] ?? []), cells: $0) }
    }

    /// The same combinations in fewer cases: cases that differ in one fact become one.
    private static func joined(_ cases: [[[Int]]]) -> [[[Int]]] {
        var cases = cases
        var isChanged = true
        while isChanged {
            let count = cases.count
            for index in cases.first?.indices ?? 0..<0 {
                var places: [[[Int]]: Int] = [:]
                var joined: [[[Int]]] = []
                for one in cases {
                    var others = one
                    others[index] = []
                    if let place = places[others] {
                        joined[place][index] = (joined[place][index] + one[index]).sorted()
                    } else {
                        places[others] = joined.count
                        joined.append(one)
                    }
                }
                cases = joined
            }
            isChanged = cases.count < count
        }
        return cases
    }
}

extension RuleMatrix.Cell {
    fileprivate init(_ verdict: Verdict) {
        let announced = verdict.notices.filter { $0.phase == .announced && $0.rule.effect.stage != nil }
        self.init(
            stage: verdict.stage, by: verdict.restrictions.first?.by, announced: announced.map(\.rule.id))
    }
}
