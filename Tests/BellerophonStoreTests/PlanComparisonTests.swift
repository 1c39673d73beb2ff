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
                ["min-15 covers below 1.5.2 on linux, except ci true from 15 December 2026 00:00 UTC: update required."]
            ),
            (minimum + "}", minimum + "}", []),
            (minimum + "}", "", ["min-15 no longer covers below 1.5.2 on linux, except ci true."]),
            (
                minimum + "}", minimum + #","to":"1.5.2","announce":"2026-12-05T00:00:00Z"}"#,
                [
                    "min-15 covers below 1.5.2 on linux, except ci true from 15 December 2026 00:00 UTC: update required to 1.5.2, announces it on 5 December 2026 00:00 UTC. "
                        + "Before: min-15 covers below 1.5.2 on linux, except ci true from 15 December 2026 00:00 UTC: update required."
                ]
            ),
            (minimum + "}", minimum + #","message":"1.4 loses data."}"#, [#"min-15 has the message "1.4 loses data."."#]),
            (
                "", #"{"id":"w","effect":"pause","from":"2026-12-05T22:00:00Z","until":"2026-12-05T23:30:00Z"}"#,
                ["w covers every app from 5 December 2026 22:00 UTC until 5 December 2026 23:30 UTC: paused."]
            ),
            (
                "", #"{"id":"o","effect":"offer","only":{"versions":[{"below":"1.7"}],"share":"2.5%"},"to":"1.7.0"}"#,
                ["o offers 1.7.0 to below 1.7 in 2.5% of the installations from now on."]
            ),
            (
                "", #"{"id":"ro","effect":"notice","only":{"is":{"region":["eu"]}},"message":"Search is read-only."}"#,
                [#"ro tells every app with region eu from now on: "Search is read-only.""# + "."]
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

    @Test("Changes of the base fields are sentences")
    func base() throws {
        func document(_ flags: String) throws -> StatusDocument { try StatusDocument(json: Data("{\(flags)}".utf8)) }
        let live = try document(#""apiInactive":false,"forceUpdate":false,"retryInterval":60"#)
        let stopped = try document(
            #""apiInactive":true,"forceUpdate":true,"requiredVersion":"2.0","retryInterval":15,"userMessage":"We are moving.","backAt":"2026-12-01T02:00:00Z""#
        )
        func sentences(_ one: StatusDocument, _ two: StatusDocument) -> [String] {
            PlanComparison(former: one, newer: two, now: Self.now).sentences
        }
        #expect(
            sentences(live, stopped) == [
                "The service is stopped for every app (apiInactive).", "Every app below 2.0 must update (forceUpdate).",
                #"The message is "We are moving.".""#.replacing(#".".""#, with: #"."."#),
                "The service is expected back on 1 December 2026 02:00 UTC.", "Clients check every 15 s; before, every 1 min.",
            ])
        #expect(
            sentences(stopped, live).prefix(2) == [
                "The service is no longer stopped (apiInactive).", "Every app below 2.0 no longer must update (forceUpdate).",
            ])
        let window = #"{"id":"w","effect":"pause"}"#
        let mirrored = try document(
            #""apiInactive":true,"forceUpdate":false,"retryInterval":60,"rules":[\#(window)],"mirrors":["w"]"#)
        #expect(
            sentences(live, mirrored) == [
                "apiInactive repeats w for clients that do not know rules.", "w covers every app from now on: paused.",
            ])
    }

    @Test("A fleet gives the sentences numbers, and counts at every boundary")
    func fleet() throws {
        let fleet = try Fleet(
            csv: Data("version,os,ci,count\n1.4.0,linux,false,1204\n1.6.0,linux,false,8829\n".utf8), name: "fleet.csv")
        let sentences = try Self.sentences("", Self.minimum + "}", fleet: fleet)
        #expect(sentences.first?.hasSuffix("update required, about 12 % of the fleet of fleet.csv (1,204 of 10,033).") == true)
        let comparison = PlanComparison(
            former: try Self.document(""), newer: try Self.document(Self.minimum + "}"), now: Self.now, fleet: fleet)
        #expect(comparison.counts.map(\.at) == ["2026-12-01T00:00:00Z", "2026-12-15T00:00:00Z"])
        #expect(comparison.counts.map(\.newer.covered) == [0, 1204])
        #expect(comparison.counts.map(\.former.covered) == [0, 0])
        #expect(comparison.remarks == [])
    }

    @Test("The text has the difference and both tables")
    func text() throws {
        let newer = Self.minimum.replacing(#","except":[{"is":{"ci":["true"]}}]"#, with: "") + "}"
        let comparison = PlanComparison(former: try Self.document(""), newer: try Self.document(newer), now: Self.now)
        #expect(
            comparison.text == """
                min-15 covers below 1.5.2 on linux from 15 December 2026 00:00 UTC: update required.

                Now:

                UTC
                version        at any time
                every version  ● live

                Then:

                UTC             before            from
                version         2026-12-15 00:00  2026-12-15 00:00
                below 1.5.2
                  os linux      ● live            ▲ update by min-15
                  os any other  ● live            ● live
                1.5.2 or later  ● live            ● live
                unknown         ● live            ● live
                """)
    }
}
