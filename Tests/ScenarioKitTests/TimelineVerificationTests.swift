import Barricade
import Bellerophon
import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

/// Complete outages at full speed, through the real manager.
@MainActor
@Suite struct TimelineVerificationTests {
    /// A file with named responses and one timeline that uses them.
    private func file(_ steps: [Timeline.Step], expect: [Timeline.Expectation] = [], repeats: Bool = false) -> ScenarioFile {
        func status(_ name: String, _ body: String, _ interval: String = "10") -> ScenarioResponse {
            ScenarioResponse(name, answer: .reply(ScenarioReply(body: .json(#"{\#(body),"retryInterval":\#(interval)}"#))))
        }
        func reply(_ name: String, _ reply: ScenarioReply) -> ScenarioResponse { ScenarioResponse(name, answer: .reply(reply)) }
        let paused = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":10}"#
        let responses = [
            status("live", #""apiInactive":false,"forceUpdate":false"#),
            status("paused", #""apiInactive":true,"forceUpdate":false"#),
            status("update", #""apiInactive":false,"forceUpdate":true"#),
            reply("busy", ScenarioReply(statusCode: 503, headers: ["Retry-After": "60"])),
            ScenarioResponse("offline", answer: .failure(code: -1009)), ScenarioResponse("mute", answer: .silence),
            reply("tagged", ScenarioReply(headers: ["ETag": "\"1\""], body: .json(paused))),
            reply("unchanged", ScenarioReply(statusCode: 304)),
            reply("portal", ScenarioReply(body: .text("<html>"))),
            reply("elsewhere", ScenarioReply(statusCode: 302, headers: ["Location": "http://other.invalid/status"])),
            reply("circle", ScenarioReply(statusCode: 302, headers: ["Location": "/status"])),
            reply("cut", ScenarioReply(body: .json(paused), ending: .resetMidBody)),
            reply("half", ScenarioReply(body: .json(paused), ending: .truncatedBody)),
            reply("stalled", ScenarioReply(body: .json(paused), ending: .stallMidBody)),
            reply("huge", ScenarioReply(body: .json(paused), bodyBytes: 1_000_000)),
            reply("slow", ScenarioReply(body: .json(paused), bytesPerSecond: 1)),
            ScenarioResponse("late", answer: .reply(ScenarioReply(body: .json(paused))), delay: .seconds(11)),
        ]
        let timeline = Timeline("story", request: "status", steps: steps, repeats: repeats, expectations: expect)
        return ScenarioFile(requests: [ScenarioRequest("status", responses: responses)], timelines: [timeline])
    }

    private func run(_ file: ScenarioFile, policy: PollPolicy = PollPolicy()) throws -> TimelineRun {
        try TimelineRun(file.timelines[0], of: file, policy: policy)
    }

    private func changes(_ steps: Timeline.Step...) throws -> [String] {
        try run(file(steps)).changes.map { "\($0.from.rawValue) → \($0.to.rawValue) at \($0.at.inSeconds)" }
    }

    @Test func anOutageIsPlayedOnTheDrivenClock() throws {
        let run = try run(
            file([
                .init("live", .lasting(.seconds(65))), .init("busy", .times(2)), .init("paused", .lasting(.seconds(3600))),
                .init("update"),
            ]))
        #expect(
            run.changes == [
                .init(from: .unknown, to: .active, at: .zero),
                // 503 at 70 s and 130 s, each with a `Retry-After` of one minute.
                .init(from: .active, to: .killed, at: .seconds(190)),
                .init(from: .killed, to: .updateRequired, at: .seconds(3730)),
            ])
        #expect(run.isWhole)
        #expect(run.duration == .seconds(3730))
    }

    @Test(arguments: [
        "offline", "mute", "portal", "elsewhere", "circle", "cut", "half", "stalled", "huge", "slow", "late", "busy", "unchanged",
    ])
    func noFaultChangesTheStage(fault: String) throws {
        #expect(try changes(.init("live", .times(1)), .init(fault, .times(6)), .init("paused")).count == 2)
        #expect(try changes(.init("paused", .times(1)), .init(fault, .times(6))) == ["unknown → killed at 0.0"])
    }

    @Test("A redirect loop uses up as many steps as a real client would request")
    func redirectLoopUsesItsSteps() throws {
        let run = try run(file([.init("live", .times(1)), .init("circle", .times(4)), .init("paused")]))
        #expect(run.checks == 3, "one check follows three redirects and refuses the fourth")
    }

    @Test("HTTP 304 is read in the simulation as by the real client")
    func unchangedReplyIsSimulated() throws {
        #expect(
            try changes(.init("tagged", .times(1)), .init("unchanged", .times(3)), .init("live")) == [
                "unknown → killed at 0.0", "killed → active at 40.0",
            ])
    }

    @Test func aStepUntilToldIsLeftOnceItHasAnswered() throws {
        #expect(
            try changes(.init("live"), .init("paused"), .init("update")) == [
                "unknown → active at 0.0", "active → killed at 10.0", "killed → updateRequired at 20.0",
            ])
    }

    @Test func aTimelineThatRepeatsIsPlayedOnce() throws {
        let file = file([.init("live", .times(2)), .init("paused", .times(2))], repeats: true)
        let run = try run(file)
        #expect(run.isWhole)
        #expect(run.checks == 4)
        #expect(run.changes.map(\.to) == [.active, .killed])
    }

    /// The limit ends a run that waits in real time.
    @Test func twoHoursAreDriven() throws {
        let story = file([.init("live", .lasting(.seconds(3600))), .init("paused", .lasting(.seconds(3600))), .init("live")])
        let run = try run(story, policy: PollPolicy(activeInterval: .seconds(5)))
        #expect(run.checks == 1081)
    }

    @Test func theSameFileGivesTheSameResult() throws {
        let story = file([
            .init("offline", .lasting(.seconds(300))), .init("paused", .times(3)), .init("mute", .times(4)), .init("live"),
        ])
        #expect(try run(story) == run(story))
    }

    @Test func aTimelineOfAYearIsGivenUp() throws {
        let year = file([.init("live", .lasting(.seconds(31_536_000)))], expect: [.init(from: "unknown", to: "active")])
        let run = try TimelineRun(
            year.timelines[0], of: year, policy: PollPolicy(activeInterval: .seconds(3600)), timeLimit: .seconds(2 * 86_400))
        let verification = TimelineVerification(year.timelines[0], run)
        #expect(!verification.isAsExpected)
        #expect(verification.text.hasSuffix("  ! given up after 49 checks in 2 d 0 h: the timeline is too long"))
        #expect(TimelineRun.timeLimit == .seconds(31 * 86_400), "the limit of every other run")
    }

    // MARK: Comparing

    private func verify(_ steps: [Timeline.Step], expect: [Timeline.Expectation]) throws -> TimelineVerification {
        let file = file(steps, expect: expect)
        return TimelineVerification(file.timelines[0], try run(file))
    }

    private static let outage: [Timeline.Step] = [.init("live", .times(2)), .init("paused", .times(2)), .init("update")]

    @Test("A verification without differences is reported in one line")
    func successIsOneLine() throws {
        let good = try verify(
            Self.outage,
            expect: [
                .init(from: "unknown", to: "active", within: .seconds(1)),
                .init(from: "active", to: "killed", within: .seconds(20)),
                .init(from: "killed", to: "updateRequired"),
            ])
        #expect(good.isAsExpected)
        #expect(good.text == "story: as expected (3 changes in 40 s, 5 checks)")
        #expect(good.json.hasPrefix(#"{"timeline":"story","asExpected":true,"checks":5,"seconds":40,"#))
        #expect(good.json.hasSuffix(#""differences":[]}"#))
    }

    @Test("Each difference shows the expected and the actual change")
    func differenceIsExplained() throws {
        let bad = try verify(
            Self.outage,
            expect: [
                .init(from: "unknown", to: "active"), .init(from: "active", to: "killed", within: .seconds(15)),
                .init(from: "killed", to: "active"),
            ])
        #expect(!bad.isAsExpected)
        #expect(
            bad.text == """
                story: not as expected (3 changes in 40 s, 5 checks)
                    0 s       unknown → live
                  ! 20 s      live → paused      found after 20 s, expected within 15 s
                  -           paused → live      expected, not found
                  + 40 s      paused → update    found, not expected
                """)
        #expect(bad.json.contains(#"{"from":"killed","to":"active","kind":"missing"}"#))
        #expect(bad.json.contains(#"{"from":"killed","to":"updateRequired","atSeconds":40,"kind":"unexpected"}"#))
        #expect(bad.json.contains(#""kind":"late","afterSeconds":20,"withinSeconds":15}"#))
    }

    @Test func onlyWhatIsMissingIsMissing() throws {
        let bad = try verify(
            Self.outage,
            expect: [
                .init(from: "active", to: "killed"), .init(from: "killed", to: "updateRequired"),
                .init(from: "updateRequired", to: "active"),
            ])
        #expect(
            bad.lines.map { if case .same = $0 { "same" } else { "\($0)".prefix(10).description } }.filter { $0 == "same" }.count
                == 2)
        #expect(bad.lines.last == .missing(.init(from: "updateRequired", to: "active")))
        #expect(bad.lines.first == .unexpected(.init(from: .unknown, to: .active, at: .zero)))
    }

    @Test("A timeline without expectations is not reported as successful")
    func noExpectationIsNoSuccess() throws {
        let silent = try verify([.init("paused")], expect: [])
        #expect(!silent.isClaimed && !silent.isAsExpected)
        #expect(silent.expectation == "\"expect\": [\n  {\"from\":\"unknown\",\"to\":\"killed\"}\n]")
    }

    @Test("A recording plays back with the same changes")
    func recordingReplaysTheSame() throws {
        var recording = Recording(source: "x", app: AppFacts(), date: RecordingTests.date)
        let replies = [
            RecordingTests.live, RecordingTests.live, RecordingTests.paused, RecordingTests.paused, RecordingTests.live,
        ]
        for (index, body) in replies.enumerated() {
            recording.add(RecordingTests.exchange(Double(index * 2), body), at: RecordingTests.date)
        }
        let file = try ScenarioFile(json: Data(recording.file.json.utf8))
        let verification = TimelineVerification(file.timelines[0], try run(file))
        #expect(verification.isAsExpected, "\(verification.text)")
        #expect(verification.run.changes.count == 3)
    }
}

/// Timelines with rules: the app, its time, and changes that no reply causes.
@MainActor
@Suite struct RuleVerificationTests {
    @Test("Every ready timeline leads to what it expects", arguments: StatusScenarios.file.timelines.map(\.name))
    func readyTimelinesHold(name: String) throws {
        let timeline = try #require(StatusScenarios.file.timeline(name))
        let verification = TimelineVerification(timeline, try TimelineRun(timeline, of: StatusScenarios.file))
        #expect(verification.isAsExpected, "\(verification.text)")
    }

    @Test("The smallest file of the guide leads to what it expects")
    func smallestFileHolds() throws {
        let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/testing.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let json = try #require(text.firstMatch(of: /```json\n(\{"requests"[^`]*)```/)).1
        let file = try ScenarioFile(json: Data(json.utf8))
        let verification = TimelineVerification(file.timelines[0], try TimelineRun(file.timelines[0], of: file))
        #expect(verification.isAsExpected, "\(verification.text)")
    }

    private func run(_ timeline: String, interval: Int = 3600, rules: String) throws -> TimelineVerification {
        let status = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":\#(interval),"rules":\#(rules)}"#
        let responses = #"{"a":{"json":\#(status)},"b":{"error":"offline"}}"#
        let json = #"{"requests":{"status":{"responses":\#(responses)}},"timelines":{"t":\#(timeline)}}"#
        let file = try ScenarioFile(json: Data(json.utf8))
        return TimelineVerification(file.timelines[0], try TimelineRun(file.timelines[0], of: file))
    }

    private static let window = #"[{"id":"mw","effect":"pause","from":"2026-12-05T22:00:00Z","until":"2026-12-05T22:10:00Z"}]"#

    @Test("A window begins and ends between two replies")
    func timeAloneChangesTheStage() throws {
        let verification = try run(
            #"""
            {"at":"2026-12-05T21:55:00Z","steps":[{"response":"a","for":3600}],"expect":[
              {"from":"unknown","to":"active"},{"from":"active","to":"killed","by":"mw","within":301},{"from":"killed","to":"active","within":601}]}
            """#, rules: Self.window)
        #expect(verification.isAsExpected, "\(verification.text)")
        // The `Date` of a reply has no fractions, so the app is at most a second late.
        #expect(verification.run.changes.map { $0.at.inSeconds.rounded() } == [0, 300, 900])
    }

    @Test("Time passes while the server can't be reached")
    func offlineTimePasses() throws {
        let verification = try run(
            #"""
            {"at":"2026-12-05T21:55:00Z","steps":[{"response":"a","times":1},{"response":"b","for":7200}],"expect":[
              {"from":"unknown","to":"active"},{"from":"active","to":"killed","by":"mw"},{"from":"killed","to":"active"}]}
            """#, interval: 60, rules: Self.window)
        #expect(verification.isAsExpected, "\(verification.text)")
    }

    @Test("The rule that covers the app is compared")
    func theRuleIsCompared() throws {
        let verification = try run(
            #"""
            {"client":{"version":"1.0"},"steps":[{"response":"a"}],"expect":[{"from":"unknown","to":"updateRequired","by":"min-16"}]}
            """#, rules: #"[{"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5"}]}}]"#)
        #expect(!verification.isAsExpected)
        #expect(verification.text.contains("by min-15, expected by min-16"))
        #expect(verification.json.contains(#""by":"min-15","atSeconds":0,"kind":"otherwise","expectedBy":"min-16""#))
        #expect(verification.expectation.contains(#"{"from":"unknown","to":"updateRequired","by":"min-15"}"#))
    }

    @Test("Without a client the app is the demo's, and nothing of this machine")
    func theAppIsAlwaysTheSame() throws {
        let rules = #"""
            [{"id":"min","effect":"update","only":{"versions":[{"below":"1.4.1"}]}},
             {"id":"os","effect":"pause","only":{"is":{"os":["linux","macos"]}}}]
            """#
        let timeline = #"{"steps":[{"response":"a"}],"expect":[{"from":"unknown","to":"updateRequired","by":"min"}]}"#
        #expect(try run(timeline, rules: rules).isAsExpected)
        let without = #"{"client":{"version":null},"steps":[{"response":"a"}],"expect":[{"from":"unknown","to":"active"}]}"#
        #expect(try run(without, rules: rules).isAsExpected)
    }
}
