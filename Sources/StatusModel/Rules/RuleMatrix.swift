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

    package let times: [Span]
    /// The facts that tell lines apart.
    package let facts: [Fact]
    /// From the lowest versions to the highest ones. The last row is for versions that are not known, if there are several rows.
    package let rows: [Row]
    /// The rules that only tell something.
    package let notices: [Rule]
    /// The rules that are not understood.
    package let undecided: [StatusPlan.Undecided]
    /// The names of the facts of which some rows show one group of values only, because there would be too many lines.
    package let omittedFacts: [String]
    /// How many parts of the versions were left out, the highest ones.
    package let omittedVersions: Int

    /// How much is computed at most.
    package struct Limits: Sendable {
        package var versions = 200
        /// The most combinations of facts in a row.
        package var combinations = 256
        package var verdicts = 50_000

        package init() {}
    }

    /// Computes what a document restricts. Pure: it asks no clock.
    package init(_ document: StatusDocument, _ given: Given = Given(), limits: Limits = Limits()) {
        let rules = document.rulesInForce.filter { $0.effect.stage != nil }
        let questions = Questions(document, rules)
        let bands = given.facts.version.map { [VersionBand(given: $0)] } ?? questions.versionBands
        let isLong = bands.count > limits.versions
        let shown = isLong ? Array(bands.prefix(limits.versions - 1) + bands.suffix(1)) : bands
        times = given.time.map { [Span.at($0)] } ?? questions.spans
        let axes = questions.axes(given)
        let most = max(1, min(limits.combinations, limits.verdicts / (shown.count * times.count)))

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
        facts = axes.map { Fact(name: $0.name, values: $0.labels) }
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
            for (axis, indices) in zip(axes, combination) { sample.take(axis, indices[0]) }
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

// MARK: What rules ask

/// A part of the versions with a version in it.
private struct VersionBand {
    let band: RuleMatrix.Band
    let sample: AppVersion?

    init(_ band: RuleMatrix.Band, _ sample: AppVersion?) { (self.band, self.sample) = (band, sample) }

    init(given text: String) {
        self.init(.given(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80)), AppVersion(text))
    }
}

/// A fact that rules ask for, with a sample of each group of values.
private struct Axis {
    enum Kind: Equatable {
        case osVersion
        case value(String)
        case share(draw: String)
    }

    enum Sample {
        case version(AppVersion?)
        case text(String?)
        case number(Int)
    }

    let name: String
    let kind: Kind
    let labels: [String]
    let samples: [Sample]
}

/// An app that stands for all apps of a combination.
private struct Sample {
    private var values: [String: String]
    private var osVersion: AppVersion?
    private var numbers: [[UInt8]: Int]?

    init(_ given: RuleMatrix.Given) {
        values = given.facts.values
        osVersion = given.facts.osVersion.flatMap(AppVersion.init)
        numbers = given.facts.installID == nil ? [:] : nil
    }

    mutating func take(_ axis: Axis, _ index: Int) {
        switch (axis.kind, axis.samples[index]) {
        case (.osVersion, .version(let version)): osVersion = version
        case (.value(let name), .text(let text)): values[name] = text
        case (.share(let draw), .number(let number)): numbers?[Array(draw.utf8)] = number
        default: break
        }
    }

    func client(_ version: AppVersion?, _ given: AppFacts) -> Client {
        var facts = given
        facts.values = values
        return Client(facts, version: version, osVersion: osVersion, numbers: numbers)
    }
}

extension Rule {
    /// The rule without sets of conditions that can't hold for a part of the versions; nil if the rule itself can't match there.
    fileprivate func limited(to band: VersionBand, _ given: RuleMatrix.Given) -> Rule? {
        let client = Client(AppFacts(), version: band.sample, osVersion: nil, numbers: nil)
        func canHold(_ conditions: [Condition]) -> Bool {
            conditions.allSatisfy { if case .version = $0 { $0.truth(for: client) != .fails } else { true } }
        }
        // An unknown version matches no condition, but does not rule out an exception.
        let needsVersion = only.contains { if case .version = $0 { true } else { false } }
        guard canHold(only), !(needsVersion && band.sample == nil) else { return nil }
        let except = except.filter { if case .conditions(let conditions) = $0 { canHold(conditions) } else { true } }
        return Rule(id: id, effect: effect, only: only, except: except)
    }
}

/// Everything that rules and the flags of a document compare.
private struct Questions {
    private typealias Edge = RuleMatrix.Band.Edge

    private var versionRanges: [VersionRange] = []
    private var osVersionRanges: [VersionRange] = []
    /// The facts with their conditions, in the order in which rules name them.
    private var facts: [(name: String, lists: [[String]])] = []
    private var shares: [(draw: String, rules: [String], shares: [Share])] = []
    private var boundaries: Set<Date> = []

    init(_ document: StatusDocument, _ rules: [Rule]) {
        if document.requiresUpdate, let text = document.requiredVersion, let version = AppVersion(text) {
            versionRanges.append(.between(from: .init(text: text, version: version), below: nil))
        }
        for rule in rules {
            boundaries.formUnion([rule.announce, rule.from, rule.until].compactMap(\.self))
            for condition in rule.only { add(condition, of: rule.id) }
            for case .conditions(let conditions) in rule.except {
                for condition in conditions { add(condition, of: rule.id) }
            }
        }
    }

    private mutating func add(_ condition: Condition, of rule: String) {
        switch condition {
        case .version(let ranges): versionRanges += ranges
        case .osVersion(let ranges): osVersionRanges += ranges
        case .fact(let name, let values):
            if let index = facts.firstIndex(where: { $0.name.isExactly(name) }) {
                facts[index].lists.append(values)
            } else {
                facts.append((name, [values]))
            }
        case .share(let share):
            if let index = shares.firstIndex(where: { $0.draw.isExactly(share.draw) }) {
                shares[index].shares.append(share)
                if !shares[index].rules.contains(rule) { shares[index].rules.append(rule) }
            } else {
                shares.append((share.draw, [rule], [share]))
            }
        }
    }

    // MARK: Times

    var spans: [RuleMatrix.Span] {
        let dates: [Date?] = boundaries.sorted()
        return zip([nil] + dates, dates + [nil]).map { .between(from: $0, until: $1) }
    }

    // MARK: Versions

    var versionBands: [VersionBand] { Self.bands(versionRanges) }

    private static func bands(_ ranges: [VersionRange]) -> [VersionBand] {
        guard !ranges.isEmpty else { return [VersionBand(.every, nil)] }
        // Two edges with the same first version are the same edge. The one below a version has the simpler name.
        var edges: [AppVersion: Edge] = [:]
        for edge in ranges.flatMap(edges(of:)) where edge.start > .lowest {
            if let known = edges[edge.start], !known.isAbove || edge.isAbove { continue }
            edges[edge.start] = edge
        }
        let sorted: [Edge?] = edges.values.sorted { $0.start < $1.start }
        let parts = zip([nil] + sorted, sorted + [nil]).map { from, to in
            VersionBand(.range(from: from, to: to), from?.start ?? .lowest)
        }
        return parts + [VersionBand(.unknown, nil)]
    }

    private static func edges(of range: VersionRange) -> [Edge] {
        func below(_ named: VersionRange.Named) -> Edge { Edge(version: named.text, isAbove: false, start: named.version) }
        switch range {
        case .between(let from, let to): return [from, to].compactMap { $0.map(below) }
        case .exactly(let named):
            return [below(named), Edge(version: named.text, isAbove: true, start: named.version.successor)]
        }
    }

    // MARK: Other facts

    /// The facts that are not given.
    func axes(_ given: RuleMatrix.Given) -> [Axis] {
        var axes: [Axis] = []
        if given.facts.osVersion == nil, !osVersionRanges.isEmpty {
            let bands = Self.bands(osVersionRanges)
            axes.append(
                Axis(
                    name: "osVersion", kind: .osVersion, labels: bands.map(\.band.text),
                    samples: bands.map { .version($0.sample) }))
        }
        var known = Set(given.facts.values.keys)
        // Of several names that Swift's `==` takes for the same, a client has one.
        for fact in facts where known.insert(fact.name).inserted { axes.append(Self.axis(fact.name, fact.lists)) }
        if given.facts.installID == nil { axes += shares.compactMap(Self.axis) }
        return axes
    }

    private static func axis(_ name: String, _ lists: [[String]]) -> Axis {
        // Values that are in the same lists need not be told apart.
        var groups: [(places: [Bool], values: [String])] = []
        var known: [String] = []
        for value in lists.joined() where !known.contains(where: { $0.isExactly(value) }) {
            known.append(value)
            let places = lists.map { list in list.contains { $0.isExactly(value) } }
            if let index = groups.firstIndex(where: { $0.places == places }) {
                groups[index].values.append(value)
            } else {
                groups.append((places, [value]))
            }
        }
        var labels = groups.map { $0.values.map(shown).joined(separator: " or ") } + ["any other"]
        var samples: [Axis.Sample] = groups.map { .text($0.values[0]) } + [.text(other(than: known))]
        if !AppFacts.namesOfEveryClient.contains(where: { $0.isExactly(name) }) {
            labels.append("not known")
            samples.append(.text(nil))
        }
        return Axis(name: shown(name), kind: .value(name), labels: labels, samples: samples)
    }

    private static func other(than known: [String]) -> String {
        var text = "other"
        while known.contains(where: { $0.isExactly(text) }) { text += "-" }
        return text
    }

    /// A text of the document in a line. One that is no plain word is quoted, so that it can't be taken for a part of the sentence.
    private static func shown(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !",;\"".utf8.contains(byte)
            }
        return isPlain && text.utf8.count <= 80 ? text : "\"\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80))\""
    }

    private static func axis(_ draw: String, _ rules: [String], _ shares: [Share]) -> Axis? {
        // A share of 0 % or 100 % needs no number.
        let parts = Set(shares.map(\.hundredths)).filter { (1..<Share.everybody).contains($0) }.sorted()
        guard let largest = parts.last else { return nil }
        let labels = parts.enumerated().map { index, part in
            "inside \(Share.percent(part))" + (index == 0 ? "" : " and outside \(Share.percent(parts[index - 1]))")
        }
        let rest = rules.count - 3
        return Axis(
            name: "share of " + (rules.prefix(3) + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: " and "),
            kind: .share(draw: draw),
            labels: labels + ["outside \(Share.percent(largest))"], samples: ([0] + parts).map { .number($0) })
    }
}
