import Bellerophon
import BellerophonStore
import Foundation
import TestSupport
import Testing

/// What is found in a plan before it is published.
@Suite("Lint of plans")
struct PlanLintTests {
    private static let now = PlanSample.date("2026-12-01T00:00:00Z")

    private static func findings(
        _ rules: String, more: String = "", _ change: (inout PlanLint.Context) -> Void = { _ in }
    ) -> [PlanFinding] {
        var context = PlanLint.Context(now: now)
        change(&context)
        return PlanLint.findings(Data(PlanSample.document(rules, more: more).utf8), context: context)
    }

    /// A rule in which nothing is found, with further members.
    private static func rule(
        _ id: String, _ effect: String = "pause", only: String = #"{"is":{"os":["linux"]}}"#, more: String = ""
    ) -> String {
        let separator = more.isEmpty ? "" : ","
        return #"{"id":"\#(id)","effect":"\#(effect)","only":\#(only),"message":"We are moving."\#(separator)\#(more)}"#
    }

    private static func update(_ id: String, _ versions: String, to: String, _ more: String = "") -> String {
        let separator = more.isEmpty ? "" : ","
        return
            #"{"id":"\#(id)","effect":"update","only":{"versions":[\#(versions)]\#(separator)\#(more)},"to":"\#(to)","message":"Update."}"#
    }

    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let rules: String
        var more = ""
        /// A part of the only finding; nil for no finding.
        let found: String?
        var everyone = false
        var testDescription: String { name }
    }

    // MARK: Errors

    private static let errors: [Sample] = [
        Sample(name: "a sound rule", rules: rule("a"), found: nil),
        Sample(name: "an unknown effect", rules: rule("a", "explode"), found: "a: The rule is not understood"),
        Sample(
            name: "an unknown condition", rules: rule("a", only: #"{"region":["eu"]}"#),
            found: "the condition \"region\" is not known"),
        Sample(
            name: "an end before its beginning",
            rules: rule("a", more: #""from":"2026-12-06T00:00:00Z","until":"2026-12-05T00:00:00Z""#),
            found: "\"until\" is not after \"from\". Correct the rule, or remove it."),
        Sample(
            name: "an announcement after the beginning",
            rules: rule("a", more: #""announce":"2026-12-07T00:00:00Z","from":"2026-12-06T00:00:00Z""#),
            found: "\"announce\" is after \"from\". Correct the rule, or remove it."),
        Sample(
            name: "an end that is over", rules: rule("a", more: #""until":"2026-11-30T00:00:00Z""#),
            found: "The rule ended on 30 November 2026 00:00 UTC."),
        Sample(name: "an id twice", rules: rule("a") + "," + rule("a"), found: "#2: The rule is not understood"),
        Sample(name: "no list of rules", rules: "", more: #","rules":7"#, found: "The rules can't be read"),
        Sample(
            name: "a misspelled member", rules: rule("a", more: #""untill":"2026-12-06T00:00:00Z""#),
            found: #"the member "untill" is not known; did you mean "until"?"#),
        Sample(
            name: "a member that resembles none", rules: rule("a", more: #""owner":"ada""#),
            found: #"name it in "optional" if clients may ignore it. A rule has: id, effect"#),
        Sample(
            name: "an exception that is not understood", rules: rule("a", more: #""except":[{"region":["eu"]}]"#),
            found: "The exceptions exempt every app that the rule is for."),
        Sample(
            name: "an empty range", rules: update("a", #"{"from":"2","below":"1"}"#, to: "3"),
            found: "No version is from 2 to below 1."),
        Sample(
            name: "a range below every version", rules: update("a", #"{"below":"0-0"}"#, to: "3"),
            found: "No version is below 0-0"),
        Sample(
            name: "an empty share", rules: rule("a", only: #"{"share":"0%"}"#), found: "The share 0% contains no installation."),
        Sample(
            name: "an exception for everybody", rules: rule("a", more: #""except":[{"is":{"os":["linux","macos"]}}]"#),
            found: "The exceptions exempt every app that the rule is for."),
        Sample(
            name: "an exception for a part", rules: rule("a", more: #""except":[{"is":{"ci":["true"]}}]"#), found: nil),
        Sample(
            name: "an exception for a fact of the app", rules: rule("a", more: #""except":[{"is":{"site":["ward"]}}]"#),
            found: #"also exempts every app that does not say "site""#),
        Sample(
            name: "a fact of the app that the rule asks for",
            rules: rule(
                "a", only: #"{"is":{"site":["ward","hall"]}}"#, more: #""except":[{"is":{"site":["ward"]}}]"#), found: nil),
        Sample(
            name: "everybody", rules: rule("a", only: "{}"),
            found: "a: The rule covers every app from now on. Allow it with --everyone"),
        Sample(name: "everybody on purpose", rules: rule("a", only: "{}"), found: nil, everyone: true),
        Sample(
            name: "everybody in a window",
            rules: rule("a", only: "{}", more: #""from":"2026-12-05T22:00:00Z","until":"2026-12-05T23:30:00Z""#),
            found: "from 5 December 2026 22:00 UTC until 5 December 2026 23:30 UTC"),
        Sample(
            name: "everybody by two rules together, each of which has a condition",
            rules: rule("a") + "," + rule("b", only: "{}", more: #""except":[{"is":{"os":["linux"]}}]"#), found: nil),
        Sample(name: "every version", rules: rule("a", only: #"{"versions":[{"from":"0-0"}]}"#), found: nil),
        Sample(
            name: "an update that covers its own version", rules: update("a", #"{"below":"2-0"}"#, to: "1.5"),
            found: "The update requires 1.5 and covers 1.5 itself"),
        Sample(name: "an update that ends", rules: update("a", #"{"below":"2-0"}"#, to: "2"), found: nil),
        Sample(
            name: "updates in a circle",
            rules: update("a", #"{"below":"2-0"}"#, to: "2") + ","
                + update("b", #"{"from":"2"}"#, to: "1.9", #""is":{"os":["linux"]}"#),
            found: "An app that has been updated must update again: by a to 2, then by b to 1.9."),
        Sample(
            name: "updates in a circle that never apply to the same app",
            rules: update("a", #"{"below":"2-0"}"#, to: "2", #""is":{"os":["macos"]}"#) + ","
                + update("b", #"{"from":"2"}"#, to: "1.9", #""is":{"os":["linux"]}"#),
            found: nil),
        Sample(
            name: "an update to a version that must update again",
            rules: update("a", #"{"below":"1-0"}"#, to: "1") + "," + update("b", #"{"from":"1","below":"2-0"}"#, to: "2"),
            found: "An app that has been updated must update again: by a to 1, then by b to 2."),
        Sample(
            name: "two minimum versions, of which the higher one wins",
            rules: update("a", #"{"below":"1-0"}"#, to: "1") + "," + update("b", #"{"below":"2-0"}"#, to: "2"), found: nil),
        Sample(
            name: "a circle with the required version", rules: update("a", #"{"from":"2"}"#, to: "1.9"),
            more: #","forceUpdate":true,"requiredVersion":"2""#, found: "by "),
    ]

    @Test("What must not be published is an error", arguments: errors)
    func error(sample: Sample) {
        // The sample documents have the flag already, so that one of the table replaces it.
        var text = PlanSample.document(sample.rules, more: sample.more)
        if sample.more.contains("forceUpdate") { text = text.replacing(#""forceUpdate":false,"#, with: "") }
        if sample.more.contains("\"rules\"") {
            text = text.replacing(#""rules":[],"#, with: "").replacing(#","rules":[]"#, with: "")
        }
        var context = PlanLint.Context(now: Self.now)
        context.allowsEveryone = sample.everyone
        let errors = PlanLint.findings(Data(text.utf8), context: context).filter { $0.level == .error }
        #expect(errors.count == (sample.found == nil ? 0 : 1), "\(errors.map(\.line))")
        if let found = sample.found { #expect(errors.first?.line.contains(found) == true, "\(errors.map(\.line))") }
    }

    @Test("A document that is no status, too many rules and too many bytes are errors")
    func documents() {
        let context = PlanLint.Context(now: Self.now)
        #expect(
            PlanLint.findings(Data("{}".utf8), context: context).map(\.text) == [
                "The document is not a status: the field \"apiInactive\" is missing."
            ])
        let many = (1...33).map { Self.rule("r\($0)") }.joined(separator: ",")
        #expect(
            Self.findings(many).filter { $0.level == .error }.map(\.text) == [
                "The document has 33 rules; clients read the first 32 only."
            ])
        let long = Self.rule("a", more: #""messages":{"de":"\#(String(repeating: "x", count: 16_384))"}"#)
        #expect(Self.findings(long).filter { $0.level == .error }.count == 1)
        #expect(Self.findings(long).first?.text.contains("at most 16,384 are allowed") == true)
    }

    @Test("Loops count only from now on")
    func loopsThatAreOver() {
        let over =
            #"{"id":"b","effect":"update","only":{"versions":[{"from":"2"}]},"to":"1.9","until":"2026-12-02T00:00:00Z","message":"x"}"#
        let rules = Self.update("a", #"{"below":"2-0"}"#, to: "2") + "," + over
        #expect(Self.findings(rules) { $0.allowsEveryone = true }.contains { $0.text.contains("must update again") })
        let later = Self.findings(rules) { ($0.allowsEveryone, $0.now) = (true, PlanSample.date("2026-12-03T00:00:00Z")) }
        #expect(!later.contains { $0.text.contains("must update again") })
    }

    @Test func anExceptionForAFactOfTheAppIsAllowedOnPurpose() {
        let rules = Self.rule("a", more: #""except":[{"is":{"site":["ward"]}}]"#)
        #expect(Self.findings(rules) { ($0.allowsAbsence, $0.knownFacts) = (true, ["site"]) } == [])
    }

    // MARK: Warnings

    private static let warnings: [Sample] = [
        Sample(name: "nothing", rules: rule("a"), found: nil),
        Sample(
            name: "an unknown fact", rules: rule("a", only: #"{"is":{"sito":["ward"]}}"#),
            found: #"No client is known to have the fact "sito". Did you mean "site"?"#),
        Sample(
            name: "a member that clients may ignore", rules: rule("a", more: #""conceal":true,"optional":["conceal"]"#),
            found: nil),
        Sample(name: "a known fact", rules: rule("a", only: #"{"is":{"site":["ward"]}}"#), found: nil),
        Sample(
            name: "prereleases", rules: update("a", #"{"below":"1.5.2"}"#, to: "1.5.2"),
            found: #""below 1.5.2" also covers prereleases such as 1.5.2-rc.1. Write "below 1.5.2-0""#),
        Sample(name: "prereleases left out", rules: update("a", #"{"below":"1.5.2-0"}"#, to: "1.5.2"), found: nil),
        Sample(
            name: "a language with a region", rules: rule("a", more: #""messages":{"de-DE":"Wir ziehen um."}"#),
            found: "People with another region of de do not find the message in de-DE."),
        Sample(
            name: "a language with a region and without one",
            rules: rule("a", more: #""messages":{"de-DE":"Wir ziehen um.","de":"Wir ziehen um."}"#), found: nil),
        Sample(
            name: "no default message",
            rules: #"{"id":"a","effect":"notice","only":{"is":{"os":["linux"]}},"messages":{"de":"Wir ziehen um."}}"#,
            found: #""messages" has no default"#),
        Sample(
            name: "no default message of the document", rules: "", more: #","userMessages":{"de":"Wir ziehen um."}"#,
            found: #""userMessages" has no default"#),
        Sample(
            name: "a language that another rule has",
            rules: rule("a", more: #""messages":{"de":"Wir ziehen um.","fr":"Nous déménageons."}"#) + ","
                + rule("b", only: #"{"is":{"os":["macos"]}}"#, more: #""messages":{"de-DE":"Später.","de":"Später."}"#),
            found: "b: The message is missing in fr, in which other messages of this document are written. "
                + #"Add it to "messages", or with --message-file."#),
        Sample(
            name: "the same languages",
            rules: rule("a", more: #""messages":{"de":"Wir ziehen um."}"#) + ","
                + rule("b", only: #"{"is":{"os":["macos"]}}"#, more: #""messages":{"de":"Später."}"#), found: nil),
        Sample(
            name: "a late announcement",
            rules: rule("a", more: #""announce":"2026-12-05T22:00:00Z","from":"2026-12-05T22:00:29Z""#),
            found: "The announcement comes 29 s before the rule begins, and clients check every 15 s"),
        Sample(
            name: "an announcement in time",
            rules: rule("a", more: #""announce":"2026-12-05T22:00:00Z","from":"2026-12-05T22:00:30Z""#), found: nil),
        Sample(
            name: "a beginning that is near", rules: rule("a", more: #""from":"2026-12-01T00:00:10Z""#),
            found: "The rule is published 10 s before the rule begins"),
        Sample(
            name: "a long pause",
            rules: rule("a", more: #""from":"2026-12-05T22:00:00Z","until":"2026-12-06T22:00:01Z""#),
            found: "The pause lasts 1 d 1 s, more than a day."),
        Sample(
            name: "a pause of a day",
            rules: rule("a", more: #""from":"2026-12-05T22:00:00Z","until":"2026-12-06T22:00:00Z""#), found: nil),
        Sample(
            name: "no message", rules: #"{"id":"a","effect":"pause","only":{"is":{"os":["linux"]}}}"#,
            found: "The view has no message."),
        Sample(
            name: "the message of the document", rules: #"{"id":"a","effect":"pause","only":{"is":{"os":["linux"]}}}"#,
            more: #","userMessage":"We are moving.""#, found: nil),
        Sample(
            name: "an update without version and link", rules: rule("a", "update"),
            found: "The update names neither a version nor a link"),
        Sample(
            name: "an update with a link", rules: rule("a", "update", more: #""link":"https://example.com""#), found: nil),
    ]

    @Test("What may surprise its author is a warning", arguments: warnings)
    func warning(sample: Sample) {
        let findings = Self.findings(sample.rules, more: sample.more) { $0.knownFacts = ["site"] }
        #expect(findings.count == (sample.found == nil ? 0 : 1), "\(findings.map(\.line))")
        #expect(findings.allSatisfy { $0.level == .warning })
        if let found = sample.found { #expect(findings.first?.line.contains(found) == true, "\(findings.map(\.line))") }
    }

    @Test(
        "A time of day inside a message is found",
        arguments: [
            ("Back at 23:30.", "23:30"), ("Back at 11 pm.", "11 pm"), ("Back at 11:30PM", "11:30PM"), ("Bis 14 Uhr.", "14 Uhr"),
            ("Fin à 23h30", "23h30"), ("Until 9 a.m. tomorrow", "9 a.m."), ("It takes 90 minutes.", nil), ("Use 1.5.2", nil),
            ("3 am Rande", "3 am"), ("The ratio 1:9 matters", nil),
        ])
    func clockTimes(message: String, time: String?) {
        let rule = #"{"id":"a","effect":"notice","only":{"is":{"os":["linux"]}},"message":"\#(message)"}"#
        #expect(
            Self.findings(rule).map(\.text)
                == (time.map { ["The message names the time \"\($0)\", which is wrong in other time zones."] } ?? []))
    }

    @Test("Warnings are given about changed rules only, and errors about all")
    func changedRules() {
        let rules = Self.rule("a", "update") + "," + Self.rule("b", "update") + "," + Self.rule("c", only: #"{"share":"0%"}"#)
        let findings = Self.findings(rules) { $0.changed = ["b"] }
        #expect(findings.map(\.rule) == ["c", "b"])
        #expect(findings.map(\.level) == [.error, .warning])
    }
}
