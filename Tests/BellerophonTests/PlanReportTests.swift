import Foundation
import StatusModel
import TestSupport
import Testing

@testable import Bellerophon

/// What a plan says, in words and as JSON.
@Suite("Plan report") struct PlanReportTests {
    private static let zone = TimeZone(secondsFromGMT: 0) ?? .current

    private func time(_ date: Date) -> String { PlanTime.text(date, now: PlanSample.now, in: Self.zone) }

    private func json(_ plan: PlanReport) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(plan)) as? [String: Any])
    }

    @Test("A plan says what covers the app, what is announced, what holds, what is not understood, and what comes next")
    func everything() throws {
        let plan = try #require(try PlanSample.plan(PlanSample.text))
        #expect(plan.by == "min-15" && plan.coveringRule == "min-15")
        #expect(plan.reason == "update by min-15: 1.4.0 is below 1.5.2")
        #expect(
            plan.notices.map { $0.text(time) } == [
                "mw-1205 (pause) begins 22:00, ends 23:30: We are moving the disks.", "ro (notice) holds: Search is read-only.",
            ])
        #expect(plan.nextText(time) == "22:00, mw-1205 begins")
        #expect(plan.undecided.map(\.label) == ["later"])
        let json = try json(plan)
        #expect(
            json.keys.sorted() == [
                "backAt", "because", "by", "clock", "next", "notices", "planUnreadable", "undecided", "until",
            ])
        #expect(json["by"] as? String == "min-15")
        #expect(json["because"] as? [[String: String]] == [["fact": "version", "is": "1.4.0", "rule": "below 1.5.2"]])
        #expect(json["next"] as? String == "2026-12-05T22:00:00Z")
        #expect(json["undecided"] as? [String] == ["later"])
        #expect(json["clock"] as? String == "server")
        let notices = try #require(json["notices"] as? [[String: Any]])
        #expect(notices.map { $0["id"] as? String } == ["mw-1205", "ro"])
        #expect(notices.map { $0["phase"] as? String } == ["announced", "holding"])
        #expect(notices[0]["until"] as? String == "2026-12-05T23:30:00Z")
    }

    @Test("A document of four fields has no plan to report, and a required version that decides has one")
    func fourFields() throws {
        func plan(_ members: String) throws -> PlanReport? {
            try PlanSample.plan(#"{"apiInactive":true,"retryInterval":1,\#(members)}"#)
        }
        #expect(try plan(#""forceUpdate":true"#) == nil)
        #expect(try plan(#""forceUpdate":false,"requiredVersion":"1.5.2""#) == nil)
        let required = try #require(try plan(#""forceUpdate":true,"requiredVersion":"1.5.2""#))
        #expect(required.by == "forceUpdate" && !required.hasRules)
        #expect(required.because.map(\.text) == ["1.4.0 is below 1.5.2"])
    }

    @Test("Changes at one time are named together, and a rule that is not announced yet is announced first")
    func changes() throws {
        let rules = #"""
            {"id":"a","effect":"notice","from":"2026-12-05T22:00:00Z"},
            {"id":"b","effect":"notice","until":"2026-12-05T22:00:00Z"},
            {"id":"c","effect":"pause","announce":"2026-12-05T22:00:00Z","from":"2026-12-06T22:00:00Z"},
            {"id":"d","effect":"pause","from":"2026-12-05T22:00:01Z"}
            """#
        let plan = try #require(try PlanSample.plan(PlanSample.document(rules)))
        #expect(plan.nextText(time) == "22:00, a begins, b ends, c is announced")
    }

    @Test("A time has its date beyond twelve hours, seconds if there are any, and the offset where it is another one than now")
    func times() throws {
        func text(_ date: String, now: String, zone: TimeZone) -> String {
            PlanTime.text(PlanSample.date(date), now: PlanSample.date(now), in: zone)
        }
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(text("2026-12-05T23:30:00Z", now: "2026-12-05T20:00:00Z", zone: Self.zone) == "23:30")
        #expect(text("2026-12-05T23:30:05Z", now: "2026-12-05T20:00:00Z", zone: Self.zone) == "23:30:05")
        #expect(text("2026-12-06T08:00:00Z", now: "2026-12-05T20:00:00Z", zone: Self.zone) == "08:00")
        #expect(text("2026-12-06T08:00:01Z", now: "2026-12-05T20:00:00Z", zone: Self.zone) == "2026-12-06 08:00:01")
        #expect(text("2026-12-05T23:30:00Z", now: "2026-12-05T20:00:00Z", zone: berlin) == "00:30")
        #expect(text("2026-10-25T01:30:00Z", now: "2026-10-25T00:30:00Z", zone: berlin) == "02:30 +01:00")
        #expect(PlanTime.text(PlanSample.now, now: nil, in: Self.zone) == "20:00")
    }

    @Test("One check takes the earlier one of the wall clock and the reply's Date, and the wall clock without a Date")
    func oneCheck() {
        let (early, late) = (Date(timeIntervalSince1970: 1000), Date(timeIntervalSince1970: 2000))
        func reply(_ date: Date?) -> StatusReply {
            var metadata = ExchangeMetadata(httpStatus: 200)
            metadata.serverDate = date
            return StatusReply(.active(), metadata: metadata)
        }
        #expect(reply(early).planDate(at: late) == early && reply(late).planDate(at: early) == early)
        #expect(reply(nil).planDate(at: late) == late)
        #expect(reply(nil).usesWallClockOnly && !reply(early).usesWallClockOnly)
    }

    @Test(
        "A version that is older than the installed one is gone back to, and nothing is said where one of them can't be compared")
    func olderVersions() {
        let facts = StatusFacts([.requiredVersion: "1.9.3", .link: "https://example.com/get"])
        #expect(facts.olderVersion(installed: "2.0.0") == "1.9.3")
        for installed in ["1.9.3", "1.9.3-rc.1", "nightly", nil] { #expect(facts.olderVersion(installed: installed) == nil) }
        #expect(StatusFacts([.requiredVersion: "newest"]).olderVersion(installed: "2.0.0") == nil)
    }

    // MARK: Reports of the machine

    private func news(_ texts: [String], at date: Date = PlanSample.now) throws -> [[String]] {
        var test = MachineUnderTest()
        return try texts.map { text in
            test.forget()
            test.send(.checkRequested(.timer))
            var metadata = ExchangeMetadata(httpStatus: 200)
            metadata.serverDate = date
            let reply = StatusReply(try StatusDocument(json: Data(text.utf8)), metadata: metadata).received(on: date)
            test.send(.replied(test.checkID, reply))
            return test.reports.compactMap { report in
                guard case .planChanged(let plan) = report else { return nil }
                return ([plan.by].compactMap(\.self) + plan.notices.map(\.rule.id)).joined(separator: " ")
            }
        }
    }

    @Test("The machine reports another plan once, and never one of a document without rules")
    func planReports() throws {
        let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15}"#
        let required = #"{"apiInactive":false,"forceUpdate":true,"retryInterval":15,"requiredVersion":"1.5.2"}"#
        #expect(
            try news([live, required, PlanSample.text, PlanSample.text, live, live]) == [[], [], ["mw-1205 ro"], [], [""], []])
    }

    // MARK: In a line

    @Test("The line of a program without a screen says when the service is back, and to which version one must go back")
    func summary() throws {
        var content = OverlayContent(
            stage: .killed, app: AppInfo(name: "deploy", version: "2.0.0"), source: "a.example/status", host: "a.example",
            message: "Maintenance.", timeZone: Self.zone, date: PlanSample.inTheWindow)
        content.plan = try PlanSample.plan(PlanSample.text, version: "1.6.0", at: PlanSample.inTheWindow)
        #expect(content.summary(name: "deploy") == "deploy is paused, back at 23:30 (a.example): Maintenance.")
        let notice = KillNotice(content, outcome: "not started")
        #expect(notice.line == "deploy is paused, back at 23:30 (a.example): Maintenance. (not started)")
        #expect(notice.backAt == PlanSample.date("2026-12-05T23:30:00Z"))

        content.plan = try PlanSample.plan(PlanSample.document("", more: #","backAt":"2026-12-05T22:00:00Z""#))
        #expect(
            content.summary(name: "deploy") == "deploy is paused (a.example): Maintenance.", "a time that is over says nothing")

        content.stage = .updateRequired
        content.requiredVersion = "1.9.3"
        #expect(content.summary(name: "deploy") == "deploy must go back to 1.9.3 (a.example): Maintenance.")
        #expect(KillNotice(content, outcome: "not started").backAt == nil)
    }
}
