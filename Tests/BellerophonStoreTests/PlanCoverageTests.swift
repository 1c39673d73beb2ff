import Foundation
import StatusModel
import TestSupport
import Testing

@testable import BellerophonStore

/// Whether rules cover every app decides which token may publish them, and whether that takes two persons.
@Suite("What covers every app")
struct PlanCoverageTests {
    /// 1 December 2026.
    private static let now = PlanSample.date("2026-12-01T00:00:00Z")

    private static func pause(_ only: String, id: String = "a", more: String = "") -> String {
        #"{"id":"\#(id)","effect":"pause","only":\#(only)\#(more.isEmpty ? "" : "," + more)}"#
    }

    private static func update(_ range: String, to version: String) -> String {
        #"{"id":"a","effect":"update","only":{"versions":[\#(range)]},"to":"\#(version)"}"#
    }

    private static func coverage(_ rules: String, highest: String? = "1.5", at time: Date = now) throws -> PlanCoverage {
        let document = try StatusDocument(json: Data(PlanSample.document(rules).utf8))
        return PlanCoverage(document, highest: highest.flatMap(AppVersion.init), from: time)
    }

    // MARK: Times

    @Test("The times that are not over are joined")
    func times() throws {
        func spans(_ rules: String, at time: Date = Self.now) throws -> [RuleMatrix.Span] {
            try Self.coverage(rules, at: time).everybody
        }
        let (start, middle, end) = (
            PlanSample.date("2026-12-05T22:00:00Z"), PlanSample.date("2026-12-05T23:30:00Z"),
            PlanSample.date("2026-12-06T01:00:00Z")
        )
        let window = Self.pause("{}", id: "w", more: #""from":"2026-12-05T22:00:00Z","until":"2026-12-05T23:30:00Z""#)
        let next = Self.pause("{}", id: "x", more: #""from":"2026-12-05T23:30:00Z","until":"2026-12-06T01:00:00Z""#)
        #expect(try spans(window) == [.between(from: start, until: middle)])
        #expect(try spans(window + "," + next) == [.between(from: start, until: end)])
        #expect(try spans(window, at: PlanSample.inTheWindow) == [.between(from: nil, until: middle)])
        #expect(try spans(window, at: middle) == [])
        #expect(try spans(#"{"id":"n","effect":"notice","message":"x"}"#) == [])
    }

    @Test("A rule that has begun covers everybody like one without a beginning")
    func rendering() throws {
        let (planned, served) = (
            Self.pause("{}", more: #""from":"2026-12-01T00:00:00Z","until":"2026-12-01T01:00:00Z""#),
            Self.pause("{}", more: #""until":"2026-12-01T01:00:00Z""#)
        )
        #expect(try Self.coverage(planned) == Self.coverage(served))
    }

    // MARK: By another name

    @Test(
        "Every app by another name is every app, and a part is not, where 1.5 is the highest version that is known",
        arguments: [
            ("every version", #"{"versions":[{"from":"0-0"}]}"#, true),
            ("0 or later", #"{"versions":[{"from":"0"}]}"#, true),
            ("0.0.0 or later", #"{"versions":[{"from":"0.0.0"}]}"#, true),
            ("every system", #"{"osVersions":[{"from":"0-0"}]}"#, true),
            ("below what nobody has", #"{"versions":[{"below":"999999"}]}"#, true),
            ("from 0 to below what nobody has", #"{"versions":[{"from":"0","below":"1.5.1"}]}"#, true),
            ("all but the highest version", #"{"versions":[{"below":"1.5"}]}"#, false),
            ("later versions", #"{"versions":[{"from":"1.4"}]}"#, false),
            ("one version", #"{"versions":[{"is":"1.4"}]}"#, false),
            ("both sides of a version", #"{"versions":[{"below":"1.4"},{"from":"1.4"}]}"#, true),
            ("nearly every installation", #"{"share":"99.99%"}"#, true),
            ("99 of 100", #"{"share":"99%"}"#, true),
            ("98 of 100", #"{"share":"98%"}"#, false),
            ("99 of 100 on one system", #"{"share":"99%","is":{"os":["linux"]}}"#, false),
        ])
    func byAnotherName(name: String, only: String, isEverybody: Bool) throws {
        #expect(try Self.coverage(Self.pause(only)).everybody.isEmpty != isEverybody, "\(name)")
    }

    @Test("Exceptions that exempt no version that is known exempt nobody")
    func exceptions() throws {
        func isEverybody(_ except: String) throws -> Bool {
            try !Self.coverage(Self.pause("{}", more: #""except":[\#(except)]"#)).everybody.isEmpty
        }
        #expect(try isEverybody(#"{"versions":[{"from":"2"}]}"#))
        #expect(try isEverybody(#"{"versions":[{"is":"77"}]}"#))
        #expect(try isEverybody(#"{"versions":[{"below":"0"}]}"#))
        #expect(try !isEverybody(#"{"versions":[{"from":"1.5"}]}"#))
        #expect(try !isEverybody(#"{"versions":[{"is":"1.4"}]}"#))
        #expect(try !isEverybody(#"{"is":{"os":["linux"]}}"#))
    }

    @Test("What several draws leave is multiplied, and the shares of one draw are not")
    func draws() throws {
        func rules(_ shares: [(String, draw: String)]) -> String {
            shares.enumerated().map { index, share in
                #"{"id":"r\#(index)","effect":"pause","only":{"share":"\#(share.0)","draw":"\#(share.draw)"}}"#
            }.joined(separator: ",")
        }
        #expect(try !Self.coverage(rules([("90%", "a"), ("90%", "b")])).everybody.isEmpty)
        #expect(try Self.coverage(rules([("90%", "a"), ("89%", "b")])).everybody.isEmpty)
        #expect(try Self.coverage(rules([("90%", "a"), ("90%", "a")])).everybody.isEmpty)
        let seven = (0..<7).map { ("50%", draw: "d\($0)") }
        #expect(try !Self.coverage(rules(seven)).everybody.isEmpty)
        #expect(try Self.coverage(rules(Array(seven.dropLast()))).everybody.isEmpty)
    }

    @Test("The version that a rule requires is known; where no version is, every bound may cover every app")
    func knownVersions() throws {
        #expect(try Self.coverage(Self.update(#"{"below":"2.0"}"#, to: "2.0"), highest: nil).everybody.isEmpty)
        #expect(try !Self.coverage(Self.update(#"{"below":"2.1"}"#, to: "2.0"), highest: nil).everybody.isEmpty)
        #expect(try !Self.coverage(Self.pause(#"{"versions":[{"below":"1.4"}]}"#), highest: nil).everybody.isEmpty)
        #expect(try !Self.coverage(Self.pause(#"{"versions":[{"from":"1.4"}]}"#), highest: nil).everybody.isEmpty)
        #expect(try Self.coverage(Self.pause(#"{"versions":[{"is":"1.4"}]}"#), highest: nil).everybody.isEmpty)
        // The target of another rule says nothing of this one.
        let two = Self.update(#"{"below":"9"}"#, to: "9") + "," + Self.pause(#"{"versions":[{"below":"9"}]}"#, id: "b")
        #expect(try !Self.coverage(two).everybody.isEmpty)
    }

    @Test("Rules that compare more than the table can show may cover every app")
    func tooMuch() throws {
        let rules = (0..<9).map { Self.pause(#"{"share":"50%","is":{"f\#($0)":["x"]}}"#, id: "r\($0)") }
        #expect(try Self.coverage(rules.joined(separator: ",")).isPartial)
        #expect(try !Self.coverage(rules[0]).isPartial)
    }
}
