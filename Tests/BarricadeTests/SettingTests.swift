import Foundation
import TestSupport
import Testing

@testable import Barricade

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Who a simulated app is said to be, and what time it is: in scenario files, at a barricade, and in timelines.
@Suite struct SettingTests {
    private let time = PlayingTests.Time()
    private let barricade: BarricadeServer
    /// 15 January 2026, 14:02:11 UTC.
    private static let start = Date(timeIntervalSince1970: 1_768_485_731)

    init() {
        barricade = BarricadeServer(clock: { [time] in time.now }, wallClock: { [time] in Self.start + time.now / .seconds(1) })
    }

    private func read(_ json: String) throws -> ScenarioFile { try ScenarioFile(json: Data(json.utf8)) }

    private static let story = #"""
        {
          "requests": { "status": { "responses": {
            "live": { "text": "live" },
            "late": { "text": "late", "at": "2026-12-05T21:55:00Z", "client": { "version": "1.4.0", "facts": { "site": null } } }
          } } },
          "timelines": {
            "story": {
              "client": { "version": "1.4.0", "osVersion": "24.04", "installID": "tester-1", "facts": { "os": "linux", "ci": null } },
              "at": "2026-12-01T00:00:00Z",
              "steps": [
                { "response": "live", "for": 10 },
                { "response": "live", "for": 10, "at": "2026-12-05T21:55:00Z" },
                { "response": "live", "times": 2, "client": { "version": "1.5.2", "facts": { "os": "macos" } } },
                { "response": "live", "client": { "version": null } }
              ],
              "expect": [{ "from": "active", "to": "killed", "by": "mw-1205" }]
            }
          }
        }
        """#

    // MARK: Files

    @Test func theAppAndTheTimeAreRead() throws {
        let file = try read(Self.story)
        let late = try #require(file.request("status")?["late"])
        #expect(late.setting.time?.text == "2026-12-05T21:55:00Z")
        #expect(late.setting.client == ClientChange(version: .known("1.4.0"), facts: ["site": .unknown]))
        let story = try #require(file.timeline("story"))
        #expect(
            story.setting.client
                == ClientChange(
                    version: .known("1.4.0"), osVersion: .known("24.04"), installID: .known("tester-1"),
                    facts: ["os": .known("linux"), "ci": .unknown]))
        #expect(story.steps.map { $0.setting.time?.text } == [nil, "2026-12-05T21:55:00Z", nil, nil])
        #expect(story.steps[3].setting.client == ClientChange(version: .unknown))
        #expect(story.expectations[0].by == "mw-1205")
        #expect(try read(file.json) == file)
    }

    @Test("Rules reach the app exactly as they stand in the file, also those that no client understands")
    func rulesAreNotChanged() throws {
        let rules = #"[{"id":"a","id":"b","effect":"pause","from":"2026-02-30T00:00:00Z","share":1e400},7,{"rules":null}]"#
        let json = #"{"apiInactive":false,"rules":\#(rules)}"#
        let file = try read(#"{"requests":{"status":{"responses":{"a":{"json":\#(json)}}}}}"#)
        let again = try read(file.json)
        for file in [file, again] {
            #expect(file.requests[0].responses[0].answer == .reply(ScenarioReply(body: .json(json))))
        }
    }

    @Test(
        "A wrong app or time is reported with its place and what is expected",
        arguments: [
            (#""at":"2026-12-05""#, #"expected a time in UTC such as "2026-12-05T21:55:00Z", found the text "2026-12-05""#),
            (
                #""at":"2026-02-30T00:00:00Z""#,
                #"expected a time in UTC such as "2026-12-05T21:55:00Z", found the text "2026-02-30T00:00:00Z""#
            ),
            (#""at":7"#, #"expected a time in UTC such as "2026-12-05T21:55:00Z", found 7"#),
            (#""client":{"version":1.5}"#, "expected text, or null for what is not known, found 1.5"),
            (#""client":{"verison":"1"}"#, #"unknown key; did you mean "version"?"#),
            (#""client":"1.5""#, #"expected an object, found the text "1.5""#),
            (
                #""at":"1969-12-31T23:59:59Z""#,
                #"expected a time in UTC such as "2026-12-05T21:55:00Z", found the text "1969-12-31T23:59:59Z""#
            ),
            (#""client":{"facts":{"os":true}}"#, "expected text, or null for what is not known, found true"),
            (#""client":{"version":"\#(String(repeating: "1", count: 129))"}"#, "expected at most 128 bytes, found 129"),
            (
                #""at":"2026-12-05T21:55:00Z","steps":[{"response":"a"},{"response":"a","at":"2026-12-05T21:54:59Z"}]"#,
                "expected 2026-12-05T21:55:00Z or later: in a timeline the time never goes back"
            ),
            (
                #""steps":[{"response":"a"}],"expect":[{"from":"killed","to":"active","by":"mw"}]"#,
                #"means nothing for "to": "active": nothing covers the app then"#
            ),
        ])
    func aWrongSettingIsExplained(part: String, sentence: String) throws {
        let steps = part.contains("steps") ? "" : #","steps":[{"response":"a"}]"#
        let json = #"{"requests":{"status":{"responses":{"a":{"text":""}}}},"timelines":{"t":{\#(part)\#(steps)}}}"#
        let error = #expect(throws: ScenarioFileError.self) { try read(json) }
        #expect(error?.problems.map(\.sentence) == [sentence])
    }

    // MARK: The time

    @Test(arguments: [
        ("2026-12-05T21:55:00Z", "Sat, 05 Dec 2026 21:55:00 GMT"), ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
        ("2024-02-29T12:00:00Z", "Thu, 29 Feb 2024 12:00:00 GMT"), ("9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func aTimeIsWrittenAsAHeaderField(text: String, header: String) {
        #expect(SimulatedTime(text)?.headerText == header)
        #expect(SimulatedTime(text)?.text == text)
    }

    private func date() async throws -> String? {
        let url = try #require(URL(string: "http://demo.invalid/status"))
        let (_, head) = try await URLSession(configuration: barricade.configuration).data(from: url)
        return (head as? HTTPURLResponse)?.value(forHTTPHeaderField: "Date")
    }

    @Test("Every reply is dated: by the real clock until somebody sets another time, which then goes on")
    func repliesAreDated() async throws {
        barricade.register(try read(Self.story))
        time.now = .seconds(5)
        #expect(try await date() == "Thu, 15 Jan 2026 14:02:16 GMT")
        try barricade.select("late", for: "status")
        #expect(try await date() == "Sat, 05 Dec 2026 21:55:00 GMT")
        time.now = .seconds(65)
        #expect(try await date() == "Sat, 05 Dec 2026 21:56:00 GMT")
        barricade.moveTime(by: .seconds(7200))
        #expect(try await date() == "Sat, 05 Dec 2026 23:56:00 GMT")
        barricade.resetSelections()
        #expect(try await date() == "Thu, 15 Jan 2026 14:03:16 GMT")
    }

    @Test func aResponseThatStatesItsDateKeepsIt() {
        let reply = Response.Reply(headers: ["date": "Sun, 06 Nov 1994 08:49:37 GMT"])
        #expect(barricade.dated(reply) == reply)
    }

    @Test("A step forward counts as time that was slept, and a step back as another clock")
    func directionsAreDistinguished() throws {
        let time = try #require(SimulatedTime("2026-12-05T21:55:00Z"))
        barricade.set(time)
        #expect(barricade.world.clock.replacements == 1, "a driven clock in place of the real one")
        barricade.moveTime(by: .seconds(60))
        barricade.set(SimulatedTime(time.date + 120))
        #expect(barricade.world.clock.skipped == .seconds(120))
        #expect(barricade.world.clock.replacements == 1)
        barricade.moveTime(by: .seconds(-1))
        #expect(barricade.world.clock.replacements == 2)
        #expect(barricade.date == time.date + 119)
        barricade.set(time)
        #expect(barricade.world.clock.replacements == 3)
        barricade.moveTime(by: .seconds(-1e12))
        #expect(SimulatedTime(barricade.date).text == "1970-01-01T00:00:00Z")
        barricade.resetWorld()
        #expect(barricade.world.client.isEmpty && !barricade.world.clock.isDriven)
        #expect(barricade.date == Self.start)
    }

    // MARK: Timelines

    private func ask() throws { _ = barricade.answer(to: URLRequest(url: try #require(URL(string: "http://demo.invalid/")))) }

    private var version: String? { barricade.state.world.client.version?.text }
    private var moment: String { SimulatedTime(barricade.date).text }

    @Test func anAppAndItsTimeFollowTheSteps() throws {
        barricade.register(try read(Self.story))
        try barricade.play("story")
        #expect(version == "1.4.0" && moment == "2026-12-01T00:00:00Z")
        time.now = .seconds(9)
        #expect(moment == "2026-12-01T00:00:09Z")
        // The beginning of the step is noticed two seconds late.
        time.now = .seconds(12)
        #expect(version == "1.4.0" && moment == "2026-12-05T21:55:02Z")
        time.now = .seconds(20)
        #expect(version == "1.5.2" && barricade.world.client.facts["os"] == .known("macos"))
        #expect(barricade.world.client.osVersion == .known("24.04"), "what a step leaves out stays")
    }

    @Test("The reply on its way belongs to the step that it ends")
    func aCountedStepEndsWithTheNextRequest() throws {
        barricade.register(try read(Self.story))
        try barricade.play("story")
        try barricade.jump(to: 2)
        try ask()
        try ask()
        #expect(barricade.state.requests[0].player?.position?.stepIndex == 3)
        #expect(version == "1.5.2")
        try ask()
        #expect(version == nil && barricade.world.client.version == .unknown)
    }

    @Test func aStepBackIsTheAppAndTheTimeOfThatStep() throws {
        barricade.register(try read(Self.story))
        try barricade.play("story")
        try barricade.jump(to: 3)
        #expect(barricade.world.client.version == .unknown && moment == "2026-12-05T21:55:00Z")
        let before = barricade.world.clock.replacements
        try barricade.jump(to: 0)
        #expect(version == "1.4.0" && moment == "2026-12-01T00:00:00Z")
        #expect(barricade.world.clock.replacements == before + 1)
    }

    @Test func aTimelineThatStatesNothingChangesNothing() throws {
        let json = #"{"requests":{"status":{"responses":{"a":{"text":""}}}},"timelines":{"t":{"steps":[{"response":"a"}]}}}"#
        barricade.register(try read(json))
        barricade.change(ClientChange(version: .known("9")))
        barricade.moveTime(by: .seconds(60))
        let world = barricade.world
        try barricade.play("t")
        try barricade.step()
        try barricade.reset("status")
        #expect(barricade.world == world)
        barricade.resetSelections()
        #expect(barricade.world.client.isEmpty && !barricade.world.clock.isDriven)
    }

    @Test("The default response's app and time count without a pick, and again after a reset")
    func defaultsAreTakenOver() throws {
        var file = try read(Self.story)
        file.requests[0].defaultResponse = "late"
        barricade.register(file)
        barricade.takeSettings()
        #expect(version == "1.4.0" && moment == "2026-12-05T21:55:00Z")
        barricade.change(ClientChange(version: .known("2.0.0")))
        try barricade.reset()
        #expect(version == "1.4.0")
    }
}
