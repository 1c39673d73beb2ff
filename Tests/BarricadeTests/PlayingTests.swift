import Barricade
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A barricade that plays timelines, on a clock that the test controls.
@Suite struct PlayingTests {
    final class Time: Sendable {
        private let value = Mutex(Duration.zero)
        var now: Duration {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    let time = Time()
    let barricade: BarricadeServer

    init() throws {
        barricade = BarricadeServer(clock: { [time] in time.now })
        let json = #"""
            {
              "requests": {
                "status": { "match": { "path": "/status" }, "responses": {
                  "live": { "text": "live" }, "busy": { "status": 503, "text": "busy" }, "killed": { "text": "killed" }
                } },
                "list": { "match": { "path": "/list" }, "responses": { "full": { "text": "full" }, "empty": { "text": "" } } }
              },
              "timelines": {
                "outage": { "request": "status", "steps": [
                  { "response": "live", "for": 10 }, { "response": "busy", "times": 3 }, { "response": "killed" }
                ] },
                "emptied": { "request": "list", "steps": [{ "response": "full", "times": 1 }, { "response": "empty" }] }
              }
            }
            """#
        barricade.register(try ScenarioFile(json: Data(json.utf8)))
    }

    private func ask(_ path: String = "/status") -> String? {
        URL(string: "http://demo.local\(path)").flatMap { barricade.answer(to: URLRequest(url: $0)).responseName }
    }

    @Test func aTimelineAnswersInPlaceOfTheSelection() throws {
        try barricade.select("killed", for: "status")
        try barricade.play("outage")
        #expect(ask() == "live")
        time.now = .seconds(10)
        #expect([ask(), ask(), ask(), ask()] == ["busy", "busy", "busy", "killed"])
        #expect(barricade.selectedResponse(for: "status")?.name == "killed")
        #expect(ask("/list") == "full")
    }

    @Test func pickingEndsTheTimeline() throws {
        try barricade.play("outage")
        try barricade.select("busy", for: "status")
        #expect(barricade.state.request("status")?.player == nil)
        #expect([ask(), ask(), ask(), ask()] == ["busy", "busy", "busy", "busy"])
    }

    @Test("Timelines of different requests play independently")
    func timelinesPlayIndependently() throws {
        try barricade.play("outage")
        try barricade.play("emptied")
        #expect(ask("/list") == "full")
        #expect(ask("/list") == "empty")
        #expect(ask() == "live")
        try barricade.pause("status")
        #expect(barricade.state.request("status")?.player?.phase == .paused)
        #expect(barricade.state.request("list")?.player?.phase == .playing)
        try barricade.reset("status")
        #expect(barricade.state.request("status")?.player == nil)
        #expect(barricade.state.request("list")?.player != nil)
        try barricade.reset()
        #expect(barricade.state.requests.allSatisfy { $0.player == nil })
    }

    @Test func pauseStepJumpAndSpeed() throws {
        try barricade.play("outage")
        time.now = .seconds(4)
        try barricade.pause()
        time.now = .seconds(100)
        try barricade.play("outage")
        #expect(barricade.state.untilNextStep == .seconds(6))
        barricade.speed = 10
        #expect(barricade.state.untilNextStep == .milliseconds(600))
        try barricade.step()
        #expect(ask() == "busy")
        try barricade.jump(to: 2, "status")
        #expect(ask() == "killed")
        #expect(throws: BarricadeError.unknownStep(3, count: 3)) { try barricade.jump(to: 3) }
    }

    @Test func aCommandThatNamesNothingSaysWhatThereIs() {
        #expect(throws: BarricadeError.unknownTimeline("x", known: ["outage", "emptied"])) { try barricade.play("x") }
        #expect(throws: BarricadeError.nothingPlays(nil)) { try barricade.pause() }
        #expect(throws: BarricadeError.nothingPlays("list")) { try barricade.step("list") }
        #expect(throws: BarricadeError.nothingPlays(nil)) { try barricade.jump(to: 0) }
        #expect(throws: BarricadeError.unknownRequest("x", known: ["status", "list"])) { try barricade.reset("x") }
        let other = Timeline("o", request: "status", steps: [.init("gone")])
        #expect(throws: BarricadeError.unknownResponse("gone", request: "status", known: ["live", "busy", "killed"])) {
            try barricade.play(other)
        }
        #expect(BarricadeError.nothingPlays("list").description == #"no timeline plays for "list"; play one first"#)
    }

    @Test func theStateIsAValue() throws {
        let before = barricade.state
        #expect(before.timelines.map(\.name) == ["outage", "emptied"])
        #expect(before.request("status")?.currentResponse == "live")
        try barricade.select("busy", for: "status")
        #expect(barricade.state.request("status")?.currentResponse == "busy")
        try barricade.play("outage")
        time.now = .seconds(3)
        let state = barricade.state
        #expect(state.request("status")?.currentResponse == "live")
        #expect(state.request("status")?.player?.position?.remaining == .time(.seconds(7)))
    }

    @Test("The observer is called for each change and match until it is removed")
    func observerHearsChanges() throws {
        let count = Mutex(0)
        barricade.observe { count.withLock { $0 += 1 } }
        try barricade.play("emptied")
        #expect(count.withLock { $0 } == 1)
        _ = ask("/list")
        #expect(count.withLock { $0 } == 2)
        _ = ask("/status")
        #expect(count.withLock { $0 } == 2)
        try barricade.select("busy", for: "status")
        #expect(count.withLock { $0 } == 3)
        barricade.observe(nil)
        try barricade.reset()
        #expect(count.withLock { $0 } == 3)
    }

    @Test func requestsAtOnceGetEveryTimeOfACountOnce() async throws {
        let steps = (0..<50).map { Timeline.Step($0.isMultiple(of: 2) ? "live" : "killed", .times(1)) }
        try barricade.play(Timeline("alternating", request: "status", steps: steps + [.init("busy")]))
        let session = URLSession(configuration: barricade.configuration)
        let url = URL(string: "http://demo.local/status") ?? URL(filePath: "/")
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<60 { group.addTask { try await session.answer(url).text } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["live": 25, "killed": 25, "busy": 10])
    }
}
