import Bellerophon
import BellerophonStore
import Foundation
import TestSupport
import Testing

/// The difference of two plans in words.
@Suite("Comparison of plans")
struct PlanComparisonTests {
    private static let now = PlanSample.date("2026-12-01T00:00:00Z")

    private static func document(_ rules: String, more: String = "") throws -> StatusDocument {
        try StatusDocument(json: Data(PlanSample.document(rules, more: more).utf8))
    }

    private static func sentences(_ former: String, _ newer: String, fleet: Fleet? = nil) throws -> [String] {
        PlanComparison(former: try document(former), newer: try document(newer), now: now, fleet: fleet).sentences
    }

    private static let minimum =
        #"{"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}],"is":{"os":["linux"]}},"except":[{"is":{"ci":["true"]}}],"from":"2026-12-15T00:00:00Z""#

    @Test(
        "Each change of a rule is a sentence",
        arguments: [
            (
                "", minimum + "}",
                ["min-15 covers version below 1.5.2, os linux, except ci true from 15 December 2026 00:00 UTC: update required."]
            ),
            (minimum + "}", minimum + "}", []),
            (minimum + "}", "", ["min-15 no longer covers version below 1.5.2, os linux, except ci true."]),
            (
                minimum + "}", minimum + #","to":"1.5.2","announce":"2026-12-05T00:00:00Z"}"#,
                [
                    "min-15 covers version below 1.5.2, os linux, except ci true from 15 December 2026 00:00 UTC: update required to 1.5.2, announces it on 5 December 2026 00:00 UTC. "
                        + "Before: min-15 covers version below 1.5.2, os linux, except ci true from 15 December 2026 00:00 UTC: update required."
                ]
            ),
            (minimum + "}", minimum + #","message":"1.4 loses data."}"#, [#"min-15 has the message "1.4 loses data."."#]),
            (
                "", #"{"id":"w","effect":"pause","from":"2026-12-05T22:00:00Z","until":"2026-12-05T23:30:00Z"}"#,
                ["w covers every app from 5 December 2026 22:00 UTC until 5 December 2026 23:30 UTC: paused."]
            ),
            (
                "", #"{"id":"o","effect":"offer","only":{"versions":[{"below":"1.7"}],"share":"2.5%"},"to":"1.7.0"}"#,
                ["o offers 1.7.0 to version below 1.7, share below 2.5% from now on."]
            ),
            (
                "", #"{"id":"ro","effect":"notice","only":{"is":{"region":["eu"]}},"message":"Search is read-only."}"#,
                [#"ro tells region eu from now on: "Search is read-only.""# + "."]
            ),
            (
                #"{"id":"a","effect":"notice"},{"id":"b","effect":"notice"}"#,
                #"{"id":"b","effect":"notice"},{"id":"a","effect":"notice"}"#, ["The order of the rules changes to b, a."]
            ),
            (#"{"id":"w","effect":"pause","until":"2026-11-30T00:00:00Z"}"#, "", ["w is removed; it is over."]),
        ])
    func rules(former: String, newer: String, sentences: [String]) throws {
        #expect(try Self.sentences(former, newer) == sentences)
    }

    @Test func aRuleThatIsRepeatedForOlderClientsIsNamed() throws {
        let window = #"{"id":"w","effect":"pause"}"#, live = try Self.document("")
        let mirrored = try StatusDocument(
            json: Data(
                #"{"apiInactive":true,"forceUpdate":false,"retryInterval":60,"rules":[\#(window)],"mirrors":["w"]}"#.utf8))
        #expect(
            PlanComparison(former: live, newer: mirrored, now: Self.now).sentences == [
                "apiInactive repeats w for clients that do not know rules.", "w covers every app from now on: paused.",
            ])
        #expect(
            PlanComparison(former: mirrored, newer: live, now: Self.now).sentences == [
                "apiInactive repeats no rule for clients that do not know rules.", "w no longer covers every app.",
            ])
    }

    @Test("A fleet is counted at every boundary, and the sentences tell which columns it lacks")
    func fleet() throws {
        let fleet = try Fleet(
            csv: Data("version,os,count\n1.4.0,linux,1204\n1.6.0,linux,8829\n".utf8), name: "fleet.csv")
        #expect(
            try Self.sentences("", Self.minimum + "}", fleet: fleet) == [
                "min-15 covers version below 1.5.2, os linux, except ci true from 15 December 2026 00:00 UTC: update required.",
                "Covered at 1 December 2026 00:00 UTC: 0 of 10,033.",
                "Covered at 15 December 2026 00:00 UTC: 1,204 of 10,033, before the change 0.",
                "fleet.csv has no column \"ci\", which a rule compares; the numbers are wrong without it.",
            ])
    }
}
