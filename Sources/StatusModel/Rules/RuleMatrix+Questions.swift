import Foundation
import SafeText

// What the rules of a document ask of an app and of the time.

extension RuleMatrix {
    /// A part of the versions with a version in it.
    struct VersionBand {
        let band: RuleMatrix.Band
        let sample: AppVersion?

        init(_ band: RuleMatrix.Band, _ sample: AppVersion?) { (self.band, self.sample) = (band, sample) }

        init(given text: String) {
            self.init(.given(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80)), AppVersion(text))
        }
    }

    /// A fact that rules ask for, with a sample of each group of values.
    struct Axis {
        enum Kind: Equatable {
            case osVersion
            case value(String)
            case share(draw: String)
        }

        let name: String
        let kind: Kind
        let labels: [String]
        /// For each group, what gives an app a value of it.
        let samples: [(inout Sample) -> Void]
        /// See ``RuleMatrix/Fact/portions``.
        var portions: [Int] = []
    }

    /// An app that stands for all apps of a combination.
    struct Sample {
        fileprivate var values: [String: String]
        fileprivate var osVersion: AppVersion?
        fileprivate var numbers: [[UInt8]: Int]?

        init(_ given: RuleMatrix.Given) {
            values = given.facts.values
            osVersion = given.facts.osVersion.flatMap(AppVersion.init)
            numbers = given.facts.installID == nil ? [:] : nil
        }

        func client(_ version: AppVersion?, _ given: AppFacts) -> Client {
            var facts = given
            facts.values = values
            return Client(facts: facts, version: version, osVersion: osVersion, numbers: numbers)
        }
    }

    /// Everything that rules and the flags of a document compare.
    struct Questions {
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
                for condition in rule.only + rule.exemptingConditions { add(condition, of: rule.id) }
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
                        samples: bands.map { band in { $0.osVersion = band.sample } }))
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
            var samples: [String?] = groups.map { $0.values[0] } + [other(than: known)]
            if !AppFacts.namesOfEveryClient.contains(where: { $0.isExactly(name) }) {
                labels.append("not known")
                samples.append(nil)
            }
            return Axis(
                name: shown(name), kind: .value(name), labels: labels, samples: samples.map { text in { $0.values[name] = text } }
            )
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
            return isPlain && text.utf8.count <= 80
                ? text : "\"\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80))\""
        }

        private static func axis(_ draw: String, _ rules: [String], _ shares: [Share]) -> Axis? {
            // A share of 0 % or 100 % needs no number.
            let parts = Set(shares.map(\.hundredths)).filter { (1..<Share.everybody).contains($0) }.sorted()
            guard let largest = parts.last else { return nil }
            let labels = parts.enumerated().map { index, part in
                "inside \(Share.percent(part))" + (index == 0 ? "" : " and outside \(Share.percent(parts[index - 1]))")
            }
            let (rest, starts, key) = (rules.count - 3, [0] + parts, Array(draw.utf8))
            return Axis(
                name: "share of " + (rules.prefix(3) + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: " and "),
                kind: .share(draw: draw),
                labels: labels + ["outside \(Share.percent(largest))"],
                samples: starts.map { number in { $0.numbers?[key] = number } },
                portions: zip(starts, parts + [Share.everybody]).map { $1 - $0 })
        }
    }
}

extension Rule {
    /// The rule without sets of conditions that can't hold for a part of the versions; nil if the rule itself can't match there.
    func limited(to band: RuleMatrix.VersionBand, _ given: RuleMatrix.Given) -> Rule? {
        let client = Client(facts: AppFacts(), version: band.sample, osVersion: nil, numbers: nil)
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
