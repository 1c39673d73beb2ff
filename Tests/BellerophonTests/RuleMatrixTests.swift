import Bellerophon
import Foundation
import TestSupport
import Testing

/// The table of what a document restricts, for every app at every time.
@Suite("Matrix of rules")
struct RuleMatrixTests {
    private static func document(_ rules: String, _ flags: String = #""forceUpdate":false"#) throws -> StatusDocument {
        try StatusDocument(json: Data(#"{"apiInactive":false,\#(flags),"retryInterval":60,"rules":[\#(rules)]}"#.utf8))
    }

    private static func matrix(_ rules: String, _ given: RuleMatrix.Given = .init()) throws -> RuleMatrix {
        RuleMatrix(try document(rules), given).condensed
    }

    /// What a matrix says, a line for each line of the table: `below 1.5.2 [os linux]: active; updateRequired by a`.
    private static func text(_ matrix: RuleMatrix) -> [String] {
        matrix.rows.flatMap { row in
            row.lines.map { line in
                let cases = matrix.cases(of: line)
                let cells = line.cells.map { cell in
                    cell.stage.rawValue + (cell.by.map { " by \($0)" } ?? "")
                        + (cell.announced.isEmpty ? "" : " announced \(cell.announced.joined(separator: ","))")
                }
                return row.versions.text + (cases.isEmpty ? "" : " [\(cases.joined(separator: "; "))]") + ": "
                    + cells.joined(separator: "; ")
            }
        }
    }

    // MARK: Versions

    @Test(
        "The versions are cut at every bound",
        arguments: [
            (
                #"[{"below":"1.5.2"}]"#,
                ["below 1.5.2: updateRequired by a", "1.5.2 or later: active", "unknown: active"]
            ),
            (
                #"[{"from":"1.6.0","below":"1.6.4"}]"#,
                [
                    "below 1.6.0: active", "1.6.0 to below 1.6.4: updateRequired by a", "1.6.4 or later: active",
                    "unknown: active",
                ]
            ),
            (
                #"[{"is":"1.5"}]"#,
                ["below 1.5: active", "1.5: updateRequired by a", "above 1.5: active", "unknown: active"]
            ),
            (
                #"[{"is":"1.5"},{"from":"2"}]"#,
                [
                    "below 1.5: active", "1.5: updateRequired by a", "above 1.5 to below 2: active",
                    "2 or later: updateRequired by a", "unknown: active",
                ]
            ),
            // Two neighbours with the same meaning are one row, and an empty range cuts nothing that can be seen.
            (#"[{"below":"1"},{"is":"1.0.0"}]"#, ["up to 1.0.0: updateRequired by a", "above 1.0.0: active", "unknown: active"]),
            (#"[{"from":"2","below":"1"}]"#, ["every version: active"]),
            // 0-0 is the lowest version of all, so nothing is below it.
            (#"[{"from":"0-0"}]"#, ["any known version: updateRequired by a", "unknown: active"]),
        ])
    func cuts(versions: String, lines: [String]) throws {
        let matrix = try Self.matrix(#"{"id":"a","effect":"update","only":{"versions":\#(versions)}}"#)
        #expect(Self.text(matrix) == lines)
    }

    @Test("A rule that applies to every version makes one row")
    func oneRow() throws {
        #expect(Self.text(try Self.matrix(#"{"id":"a","effect":"pause"}"#)) == ["every version: killed by a"])
        #expect(Self.text(try Self.matrix("")) == ["every version: active"])
    }

    @Test("The required version cuts the versions, and an unknown version is covered")
    func requiredVersion() throws {
        let document = try Self.document("", #""forceUpdate":true,"requiredVersion":"2.0""#)
        #expect(
            Self.text(RuleMatrix(document)) == [
                "below 2.0: updateRequired by forceUpdate", "2.0 or later: active", "unknown: updateRequired by forceUpdate",
            ])
    }

    // MARK: Times

    @Test("The times are cut where a rule is announced, begins and ends")
    func times() throws {
        let matrix = try Self.matrix(
            #"{"id":"w","effect":"pause","announce":"2026-12-04T22:00:00Z","from":"2026-12-05T22:00:00Z","until":"2026-12-05T23:30:00Z"}"#
        )
        #expect(Self.text(matrix) == ["every version: active; active announced w; killed by w; active"])
        let dates = ["2026-12-04T22:00:00Z", "2026-12-05T22:00:00Z", "2026-12-05T23:30:00Z"].map(PlanTime.date)
        #expect(
            matrix.times == [
                .between(from: nil, until: dates[0]), .between(from: dates[0], until: dates[1]),
                .between(from: dates[1], until: dates[2]), .between(from: dates[2], until: nil),
            ])
    }

    @Test("A given time and a given version are not cut")
    func given() throws {
        var given = RuleMatrix.Given(facts: AppFacts(version: "1.4"), time: PlanTime.date("2026-12-05T22:00:00Z"))
        let rule = #"{"id":"a","effect":"update","only":{"versions":[{"below":"1.5"}]},"from":"2026-12-05T22:00:00Z"}"#
        #expect(Self.text(try Self.matrix(rule, given)) == ["1.4: updateRequired by a"])
        given.facts.version = "one"
        #expect(Self.text(try Self.matrix(rule, given)) == ["one: active"])
    }

    // MARK: Facts

    @Test("Values that rules do not tell apart share a line, and only where they matter")
    func facts() throws {
        let matrix = try Self.matrix(
            #"{"id":"a","effect":"update","only":{"versions":[{"below":"1"}],"is":{"os":["linux","macos"]}}}"#)
        #expect(
            Self.text(matrix) == [
                "below 1 [os linux or macos]: updateRequired by a", "below 1 [os any other]: active", "1 or later: active",
                "unknown: active",
            ])
    }

    @Test("An exception on a fact of the app shows what a missing fact does")
    func missingFact() throws {
        let matrix = try Self.matrix(#"{"id":"a","effect":"pause","except":[{"is":{"site":["ward"]}}]}"#)
        #expect(
            Self.text(matrix) == [
                "every version [site ward or not known]: active", "every version [site any other]: killed by a",
            ])
    }

    @Test("Facts that matter in different rows do not multiply the lines")
    func independentFacts() throws {
        let rules = (1...12).map { number in
            #"{"id":"r\#(number)","effect":"pause","only":{"versions":[{"is":"\#(number)"}],"is":{"fact\#(number)":["a"]}}}"#
        }
        let matrix = try Self.matrix(rules.joined(separator: ","))
        #expect(matrix.omittedFacts == [])
        #expect(
            Self.text(matrix).filter { $0.hasPrefix("7 [") } == [
                "7 [fact7 a]: killed by r7", "7 [fact7 any other or not known]: active",
            ])
    }

    @Test("Facts that make too many lines are named, and the lines say what they are for")
    func tooManyFacts() throws {
        let rules = (1...12).map { #"{"id":"r\#($0)","effect":"pause","only":{"is":{"fact\#($0)":["a"]}}}"# }
        let matrix = try Self.matrix(rules.joined(separator: ","))
        #expect(!matrix.omittedFacts.isEmpty)
        #expect(matrix.rows.count == 1 && matrix.rows[0].lines.count <= 256)
        for name in matrix.omittedFacts {
            #expect(matrix.rows[0].lines.allSatisfy { matrix.cases(of: $0).allSatisfy { $0.contains("\(name) not known") } })
        }
    }

    @Test("A share is inside or outside, and rules with one draw cut it together")
    func shares() throws {
        let matrix = try Self.matrix(
            #"{"id":"a","effect":"update","only":{"share":"10%","draw":"x"}},{"id":"b","effect":"pause","only":{"share":"30%","draw":"x"}}"#
        )
        #expect(
            Self.text(matrix) == [
                "every version [share of a and b inside 10%]: updateRequired by a",
                "every version [share of a and b inside 30% and outside 10%]: killed by b",
                "every version [share of a and b outside 30%]: active",
            ])
        // Where only one of the rules can match, their common draw is still told apart.
        let below = try Self.matrix(
            #"{"id":"a","effect":"update","only":{"share":"10%","draw":"x"}},{"id":"b","effect":"pause","only":{"versions":[{"below":"1"}],"share":"10%","draw":"x"}}"#
        )
        #expect(
            Self.text(below) == [
                "every version [share of a and b inside 10%]: updateRequired by a",
                "every version [share of a and b outside 10%]: active",
            ])
        let everybody = try Self.matrix(#"{"id":"a","effect":"update","only":{"share":"100%"}}"#)
        #expect(Self.text(everybody) == ["every version: updateRequired by a"])
    }

    @Test("Rules that only tell something are listed beside the table")
    func notices() throws {
        let matrix = try Self.matrix(
            #"{"id":"o","effect":"offer","only":{"versions":[{"below":"1.7"}],"share":"2.5%"},"except":[{"is":{"os":["linux"]}}]}"#
        )
        #expect(Self.text(matrix) == ["every version: active"])
        #expect(matrix.notices.map(\.audience) == ["version below 1.7, share below 2.5%, except os linux"])
    }

    @Test("A rule that is not understood is named and restricts nothing")
    func undecided() throws {
        let matrix = try Self.matrix(#"{"id":"a","effect":"explode"}"#)
        #expect(Self.text(matrix) == ["every version: active"])
        #expect(matrix.undecided.map(\.label) == ["a"])
    }

    @Test("The largest document that makes many rows stays within the limits")
    func manyVersions() throws {
        let ranges = (1...32).map { #"{"is":"\#($0)"}"# }.joined(separator: ",")
        let rules = (1...8).map {
            #"{"id":"r\#($0)","effect":"pause","except":[{"versions":[\#(ranges.replacing("\"is\":\"", with: "\"is\":\"\($0)."))]}]}"#
        }
        let matrix = RuleMatrix(try Self.document(rules.joined(separator: ",")))
        #expect(matrix.rows.count == 200)
        #expect(matrix.rows.last?.versions == .unknown)
        #expect(matrix.omittedVersions > 0)
    }

    @Test("The JSON has bounds, lines, cases and cells")
    func json() throws {
        let matrix = RuleMatrix(
            try Self.document(
                #"{"id":"a","effect":"update","only":{"versions":[{"below":"1"}],"is":{"os":["linux"]}},"from":"2026-12-05T22:00:00Z"}"#
            ))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(matrix), as: UTF8.self)
        let (live, update) = (
            #"{"announced":[],"by":null,"stage":"active"}"#, #"{"announced":[],"by":"a","stage":"updateRequired"}"#
        )
        #expect(
            text == #"{"facts":[{"name":"os","values":["linux","any other"]}],"notices":[],"rows":["#
                + #"{"lines":[{"cases":[[{"name":"os","values":["linux"]}]],"cells":[\#(live),\#(update)]},"#
                + #"{"cases":[[{"name":"os","values":["any other"]}]],"cells":[\#(live),\#(live)]}],"versions":{"below":"1","label":"below 1"}},"#
                + #"{"lines":[{"cases":[[]],"cells":[\#(live),\#(live)]}],"versions":{"from":"1","label":"1 or later"}},"#
                + #"{"lines":[{"cases":[[]],"cells":[\#(live),\#(live)]}],"versions":{"label":"unknown"}}],"#
                + #""times":[{"until":"2026-12-05T22:00:00Z"},{"from":"2026-12-05T22:00:00Z"}],"undecided":[]}"#)
    }
}

// MARK: Against the evaluator

extension RuleMatrixTests {
    @Test("The cell of an app says what the verdict for the app says", arguments: Seed.range("rule matrix", default: 0..<75))
    func cellsAgreeWithVerdicts(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let document = try Self.document(
            (0..<Int.random(in: 1...5, using: &random)).map { Self.rule($0, &random) }.joined(separator: ","),
            Bool.random(using: &random) ? #""forceUpdate":false"# : #""forceUpdate":true,"requiredVersion":"1.3""#)
        let whole = RuleMatrix(document)
        for matrix in [whole, whole.condensed] {
            for _ in 0..<60 {
                var app = AppFacts(version: Self.versions.randomElement(using: &random) ?? nil)
                app.osVersion = Self.versions.randomElement(using: &random) ?? nil
                app.installID = Bool.random(using: &random) ? nil : "\(Int.random(in: 0..<1000, using: &random))"
                app.values["os"] = ["linux", "macos", "hurd"].randomElement(using: &random)
                app.values["site"] = (["ward", "hall", "other", nil] as [String?]).randomElement(using: &random) ?? nil
                let time = Self.times.randomElement(using: &random) ?? nil
                let verdict = document.verdict(for: app, at: time)
                guard let cell = matrix.cell(of: app, at: time) else {
                    // A table that would be too large leaves facts out, and says so.
                    #expect(!matrix.omittedFacts.isEmpty || matrix.omittedVersions > 0, "\(app)")
                    continue
                }
                #expect(
                    cell.stage == verdict.stage && cell.by == verdict.restrictions.first?.by, "\(app) \(String(describing: time))"
                )
            }
        }
    }

    private static let versions: [String?] = [
        nil, "x", "0-0", "1", "1.2.9", "1.3-rc.1", "1.3", "1.3.0.1-0", "1.3.0.1", "1.4", "1.4.0", "1.5-1", "1.5-1.0", "1.5", "2",
        "9",
    ]
    private static let times = [nil] + (1...9).map { PlanTime.date("2026-01-0\($0)T00:00:00Z") }

    private static func rule(_ index: Int, _ random: inout SplitMix64) -> String {
        func one(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
        func set(_ hasShare: Bool) -> String {
            let ranges = ["1.3", "1.4", "1.5-1", "2"]
            let range = one([
                #"{"below":"\#(one(ranges))"}"#, #"{"from":"\#(one(ranges))"}"#, #"{"is":"\#(one(ranges))"}"#,
                #"{"from":"\#(one(ranges))","below":"\#(one(ranges))"}"#,
            ])
            let parts =
                [
                    #""versions":[\#(range)]"#, #""osVersions":[\#(range)]"#, #""is":{"os":["\#(one(["linux", "macos"]))"]}"#,
                    #""is":{"site":["\#(one(["ward", "hall"]))","other"]}"#,
                ] + (hasShare ? [#""share":"\#(one(["10%", "40%", "100%"]))""#] : [])
            let first = one(parts)
            let second = one(parts.filter { $0.prefix(5) != first.prefix(5) } + [""])
            return "{" + [first, second].filter { !$0.isEmpty }.joined(separator: ",") + "}"
        }
        var members = [#""id":"r\#(index)""#, #""effect":"\#(one(["pause", "update", "update", "notice"]))""#]
        if Bool.random(using: &random) { members.append(#""only":\#(set(true))"#) }
        if Bool.random(using: &random) { members.append(#""except":[\#(set(false))]"#) }
        if Bool.random(using: &random) { members.append(#""to":"\#(one(["1.3", "2"]))""#) }
        let day = Int.random(in: 1...7, using: &random)
        if Bool.random(using: &random) {
            members.append(#""announce":"2026-01-0\#(day)T00:00:00Z","from":"2026-01-0\#(day + 1)T00:00:00Z""#)
        }
        if Bool.random(using: &random) { members.append(#""until":"2026-01-0\#(day + 2)T00:00:00Z""#) }
        return "{" + members.joined(separator: ",") + "}"
    }
}
