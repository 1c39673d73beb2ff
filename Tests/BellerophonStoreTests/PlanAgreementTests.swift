import Bellerophon
import BellerophonBase
import BellerophonStore
import Foundation
import TestSupport
import Testing

/// What lint lets pass covers exactly what the matrix says, for both clients of the contract: this package and the one in Python.
///
/// `BELLEROPHON_PLANS` sets the number of plans, and `BELLEROPHON_PLAN_SEED` the seed of the first one; `make plans` uses 10,000.
@Suite("Agreement of lint, matrix and clients")
struct PlanAgreementTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
    private static let count = number("BELLEROPHON_PLANS") ?? 60
    private static let firstSeed = number("BELLEROPHON_PLAN_SEED") ?? Int(Seed.of("plans", default: 31))
    /// The plans whose cases a process of the other client evaluates.
    private static let batch = 40

    private static let client = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Contract/client.py").standardized.path

    @Test func everyCellIsWhatBothClientsSay() async throws {
        var (accepted, cells, unreached) = (0, 0, 0)
        for start in stride(from: 0, to: Self.count, by: Self.batch) {
            var cases: [CellCase] = []
            for index in start..<min(start + Self.batch, Self.count) {
                var sampler = CellSampler(seed: Self.firstSeed + index)
                guard let found = try sampler.cases() else { continue }
                accepted += 1
                cases += found.cases
                unreached += found.unreached
            }
            cells += cases.count
            for one in cases { one.expectVerdict() }
            try await Self.expectReplies(to: cases)
        }
        print(
            "\(Self.count) plans from seed \(Self.firstSeed): \(accepted) pass lint, \(cells) cells, \(unreached) without a sample"
        )
        // Otherwise the test would show nothing.
        #expect(accepted * 5 > Self.count && cells > accepted * 4 && unreached * 10 < cells)
    }

    /// Compares what the client in Python says.
    private static func expectReplies(to cases: [CellCase]) async throws {
        guard !cases.isEmpty else { return }
        let input = cases.map { $0.line + "\n" }.joined()
        let result = try await runCommand("/usr/bin/env", ["python3", "-B", client], input: input, within: .seconds(300))
        let replies = result.standardOutput.split(separator: "\n")
        try #require(replies.count == cases.count, "\(result.standardError.suffix(2000))")
        for (one, reply) in zip(cases, replies) {
            let members = try JSONReader.read(Data(reply.utf8)).members
            #expect(
                members?["stage"]?.string == one.cell.stage.rawValue && members?["by"]?.string == one.cell.by,
                "seed \(one.seed): the client in Python says \(reply) for \(one.line)")
        }
    }
}

/// A concrete app at a concrete time, and the cell of the matrix that it belongs to.
private struct CellCase {
    let seed: Int
    let text: String
    let document: StatusDocument
    let app: AppFacts
    let time: Date?
    let cell: RuleMatrix.Cell

    func expectVerdict() {
        let verdict = document.verdict(for: app, at: time)
        #expect(
            verdict.stage == cell.stage && verdict.restrictions.first?.by == cell.by,
            "seed \(seed): the verdict is \(verdict.stage) by \(verdict.restrictions.first?.by ?? "nothing") for \(line)")
    }

    /// The case as the contract writes it.
    var line: String {
        let facts = JSONNode.object(app.values.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })
        let client = JSONNode.object([
            ("version", app.version.map(JSONNode.text)), ("osVersion", app.osVersion.map(JSONNode.text)),
            ("installID", app.installID.map(JSONNode.text)), ("facts", facts),
        ])
        return JSONNode.object([
            ("level", .text("rules")), ("document", .text(text)), ("client", client),
            ("now", time.map { .text(PlanTime.text($0)) } ?? .null),
        ]).compactText()
    }
}

/// Makes a plan of a seed, and an app for every cell of its matrix.
private struct CellSampler {
    let seed: Int
    private var random: SplitMix64

    init(seed: Int) {
        self.seed = seed
        random = SplitMix64(seed: UInt64(seed))
    }

    /// An app for every cell; nil if lint refuses the plan.
    mutating func cases() throws -> (cases: [CellCase], unreached: Int)? {
        let text = plan()
        var context = PlanLint.Context(now: PlanSample.date("2026-01-01T00:00:00Z"))
        (context.allowsEveryone, context.allowsAbsence) = (true, true)
        guard !PlanLint.findings(Data(text.utf8), context: context).contains(where: { $0.level == .error }) else { return nil }
        let document = try StatusDocument(json: Data(text.utf8))
        let matrix = RuleMatrix(document)
        var cases: [CellCase] = []
        var unreached = 0
        for row in matrix.rows {
            for line in row.lines {
                for (column, span) in matrix.times.enumerated() {
                    guard let app = app(row.versions, line, matrix.facts, document) else {
                        unreached += 1
                        continue
                    }
                    let time = Self.times.filter(span.contains).randomElement(using: &random) ?? nil
                    cases.append(
                        CellCase(seed: seed, text: text, document: document, app: app, time: time, cell: line.cells[column]))
                }
            }
        }
        return (cases, unreached)
    }

    // MARK: Apps

    private static let versions: [String?] = [
        nil, "x", "0-0", "1", "1.2.9", "1.3-rc.1", "1.3", "1.3.0.1-0", "1.3.0.1", "1.4", "1.4.0", "1.5-0", "1.5-1", "1.5-1.0",
        "1.5-rc",
        "1.5", "1.5.0.1-0", "1.6", "2-0", "2-rc", "2", "v2.0.0+x", "2.0.0.1", "3", "9",
    ]
    private static let times: [Date?] =
        [nil] + (1...9).flatMap { day in ["00:00:00", "11:59:59"].map { PlanTime.date("2026-01-0\(day)T\($0)Z") } }
    private static let values: [String: [String?]] = [
        "os": ["linux", "macos", "hurd", "unknown"], "ci": ["true", "false", "unknown"],
        "site": ["ward", "hall", "other", "zoo", nil],
    ]
    private static let ids: [String?] = [nil] + (0..<1000).map { "install-\($0)" }
    private static let draws = ["r0", "r1", "r2", "r3", "x"]
    /// The numbers of the ids by draw.
    private static let numbers: [String: [Int]] = Dictionary(
        uniqueKeysWithValues: draws.map { draw in
            (draw, ids.map { $0.flatMap { Share.number(of: $0, draw: draw) } ?? 10_000 })
        })

    /// A random app of a line; nil if none of the samples belongs to it.
    private mutating func app(
        _ versions: RuleMatrix.Band, _ line: RuleMatrix.Line, _ facts: [RuleMatrix.Fact], _ document: StatusDocument
    ) -> AppFacts? {
        let matching = Self.versions.filter { versions.contains($0.flatMap(AppVersion.init)) }
        guard let version = matching.randomElement(using: &random), let one = line.cases.randomElement(using: &random) else {
            return nil
        }
        var app = AppFacts(version: version)
        for (name, values) in Self.values { app.values[name] = values.randomElement(using: &random) ?? nil }
        app.osVersion = Self.versions.randomElement(using: &random) ?? nil
        var places = Array(Self.ids.indices)
        for (fact, indices) in zip(facts, one) {
            if let values = Self.values[fact.name] {
                let fitting = values.filter { value in
                    indices.contains(fact.index(for: AppFacts(values: value.map { [fact.name: $0] } ?? [:])))
                }
                guard let value = fitting.randomElement(using: &random) else { return nil }
                app.values[fact.name] = value
            } else if fact.name == "osVersion" {
                let fitting = Self.versions.filter { indices.contains(fact.index(for: AppFacts(osVersion: $0))) }
                guard let version = fitting.randomElement(using: &random) else { return nil }
                app.osVersion = version
            } else {
                let numbers = Self.numbers[fact.draw(in: document)] ?? []
                let parts = indices.map { fact.part($0) }
                places.removeAll { place in !parts.contains { $0.contains(numbers[place]) } }
            }
        }
        guard let place = places.randomElement(using: &random) else { return nil }
        app.installID = Self.ids[place]
        return app
    }

    // MARK: Plans

    private mutating func one(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func plan() -> String {
        let rules = (0..<Int.random(in: 1...4, using: &random)).map { rule($0) }
        let update =
            chance(20) ? #""forceUpdate":true,"requiredVersion":"\#(one(["1.3", "1.5", "2"]))""# : #""forceUpdate":false"#
        return #"{"apiInactive":\#(chance(10)),\#(update),"retryInterval":60,"rules":[\#(rules.joined(separator: ","))]}"#
    }

    private mutating func rule(_ index: Int) -> String {
        let effect = one(["pause", "update", "update", "notice"])
        var members = [#""id":"r\#(index)""#, #""effect":"\#(effect)""#]
        if chance(85) { members.append(#""only":\#(conditions(isOnly: true, isUpdate: effect == "update"))"#) }
        if chance(35) { members.append(#""except":[\#(conditions(isOnly: false, isUpdate: false))]"#) }
        if effect == "update", chance(85) { members.append(#""to":"\#(one(["1.5", "2", "3", "3"]))""#) }
        let day = Int.random(in: 1...6, using: &random)
        if chance(40) {
            if chance(50) { members.append(#""announce":"2026-01-0\#(day)T00:00:00Z""#) }
            members.append(#""from":"2026-01-0\#(day + 1)T00:00:00Z""#)
        }
        if chance(40) { members.append(#""until":"2026-01-0\#(day + 2)T00:00:00Z""#) }
        return "{" + members.joined(separator: ",") + "}"
    }

    private mutating func conditions(isOnly: Bool, isUpdate: Bool) -> String {
        var parts: [String] = []
        // Most updates are for lower versions, as people write them.
        if isUpdate ? chance(90) : chance(40) { parts.append(#""versions":[\#(range(isUpdate))]"#) }
        if chance(15) { parts.append(#""osVersions":[\#(range(false))]"#) }
        var facts: [String] = []
        if chance(40) { facts.append(#""os":["\#(one(["linux", "macos"]))"]"#) }
        if chance(20) { facts.append(#""ci":["true"]"#) }
        if chance(20) { facts.append(#""site":["\#(one(["ward", "hall"]))","other"]"#) }
        if !facts.isEmpty { parts.append(#""is":{\#(facts.joined(separator: ","))}"#) }
        if isOnly, chance(20) {
            parts.append(#""share":"\#(one(["10%", "40%", "62.5%", "100%"]))""#)
            if chance(50) { parts.append(#""draw":"x""#) }
        }
        return "{" + parts.joined(separator: ",") + "}"
    }

    private mutating func range(_ isUpdate: Bool) -> String {
        let (low, high) = (one(["1", "1.3", "1.4"]), one(["1.5-0", "1.5", "2"]))
        let below = [#"{"below":"\#(high)"}"#, #"{"from":"\#(low)","below":"\#(high)"}"#]
        return one(isUpdate ? below : below + [#"{"from":"\#(high)"}"#, #"{"is":"\#(low)"}"#])
    }
}

extension RuleMatrix.Fact {
    /// The text that the numbers of a share are drawn with: `share of r0 and r1`.
    fileprivate func draw(in document: StatusDocument) -> String {
        let words = name.split(separator: " ").map(String.init)
        let rule = document.rules.first { words.count > 2 && $0.id == words[2] }
        for case .share(let share) in rule?.only ?? [] { return share.draw }
        return ""
    }

    /// The numbers of a group of a share: `inside 40% and outside 10%`.
    fileprivate func part(_ index: Int) -> Range<Int> {
        let words = values[index].split(separator: " ").map(String.init)
        func bound(_ word: String) -> Int? {
            guard let place = words.firstIndex(of: word), place + 1 < words.count else { return nil }
            return Share(words[place + 1], draw: "x")?.hundredths
        }
        return (bound("outside") ?? 0)..<(bound("inside") ?? 10_001)
    }
}
