import Barricade
import Bellerophon
import Foundation
import ReadyScenarios
import TestSupport
import Testing

/// The effect of the built-in scenarios on an app: requested through a real `URLSession` by the app's own source, and
/// evaluated by the app's stage machine.
struct ReadyScenariosTests {
    /// The expected result of a check: a stage, or the name of the failure, which leaves the stage unchanged.
    static let expected: [(name: String, outcome: String)] = [
        ("live", "active"), ("paused", "killed"), ("update required", "updateRequired"),
        ("paused + update", "updateRequired"), ("paused, long message", "killed"),
        ("paused, Chinese message", "killed"), ("paused, emoji + RTL", "killed"), ("paused, hostile message", "killed"),
        ("paused, no message", "killed"), ("offline", "no connection"), ("timeout", "timeout"),
        ("HTTP 500", "HTTP 500"), ("HTTP 503", "HTTP 503"), ("not JSON", "invalid reply"),
        ("connection refused", "no connection"), ("reset mid-body", "no connection"), ("truncated body", "invalid reply"),
        ("never answers", "timeout"), ("stalled body", "timeout"), ("slow body", "timeout"), ("HTTP 429", "HTTP 429"),
        ("malformed JSON", "invalid reply"), ("204 no content", "invalid reply"), ("304 without a cache", "HTTP 304"),
        ("redirect loop", "redirect"), ("redirect elsewhere", "redirect"), ("redirect to a file", "redirect"),
        ("oversized body", "too large"), ("oversized, hidden", "too large"),
        ("negative interval", "active"), ("huge interval", "active"), ("fractional interval", "active"),
        ("text interval", "invalid reply"), ("field missing", "invalid reply"), ("paused, broken message", "killed"),
        ("wrong content type", "active"),
        ("maintenance: before", "active"), ("maintenance: draining", "HTTP 503"), ("maintenance: paused", "killed"),
        ("maintenance: nearly done", "killed"), ("maintenance: restarting", "HTTP 503"), ("maintenance: over", "active"),
        ("security: before", "active"), ("security: stopped", "killed"), ("security: portal", "invalid reply"),
        ("security: cut", "no connection"), ("security: lured away", "redirect"),
        ("security: fixed version", "updateRequired"),
        ("migration: before", "active"), ("migration: update", "updateRequired"),
        ("migration: switched off", "updateRequired"), ("migration: over", "active"),
        ("flapping: live", "active"), ("flapping: 500", "HTTP 500"), ("flapping: paused", "killed"),
        ("flapping: refused", "no connection"),
        ("tour: live", "active"), ("tour: paused", "killed"), ("tour: nearly done", "killed"), ("tour: failing", "HTTP 503"),
        ("tour: update", "updateRequired"), ("tour: over", "active"),
        ("rule: notice", "active"), ("rule: offer", "active"), ("rule: pause window", "active"),
        ("rule: update by version", "updateRequired"), ("rule: share", "updateRequired"),
        ("rule: ceiling", "updateRequired"),
        ("deadline: before", "active"), ("deadline: announced", "active"),
    ]

    // MARK: The files

    @Test(arguments: ReadyScenarios.files.map(\.name))
    func everyFileIsReadAndReadsBackTheSame(name: String) throws {
        let file = try #require(ReadyScenarios.files.first { $0.name == name })
        let read = try file.read()
        #expect(!read.title.isEmpty && !read.summary.isEmpty)
        #expect(try ScenarioFile(json: Data(read.json.utf8)) == read)
    }

    @Test func nothingIsLostWhereTheFilesBecomeOne() throws {
        let parts = try ReadyScenarios.files.map { try $0.read() }
        let names = parts.flatMap(\.requests).flatMap(\.responses).map(\.name)
        #expect(ReadyScenarios.all.requests.map(\.name) == ["status"])
        #expect(ReadyScenarios.all.requests[0].responses.map(\.name) == names)
        #expect(names == Self.expected.map(\.name))
        #expect(
            ReadyScenarios.all.timelines.map(\.name)
                == [
                    "planned maintenance", "security stop", "forced migration", "flapping backend", "tour", "pause window",
                    "rules for some", "deadline",
                ]
        )
    }

    @Test func everyScenarioIsGroupedAndDescribed() {
        let responses = ReadyScenarios.all.requests.flatMap(\.responses)
        #expect(responses.filter { $0.summary.isEmpty || $0.group == nil }.map(\.name) == [])
        #expect(ReadyScenarios.all.timelines.allSatisfy { !$0.summary.isEmpty && !$0.expectations.isEmpty })
    }

    // MARK: Effects on the app

    @Test(arguments: expected, [Stage.unknown, .active, .killed, .updateRequired])
    func theAppHoldsTheRightState(scenario: (name: String, outcome: String), before: Stage) async throws {
        var app = try SimulatedApp()
        switch before {
        case .unknown: break
        case .active: await app.check("live")
        case .killed: await app.check("paused")
        case .updateRequired: await app.check("update required")
        }
        #expect(app.stage == before)
        let failure = await app.check(scenario.name, hastily: scenario.outcome == "timeout")
        #expect(failure?.shortText ?? app.stage.rawValue == scenario.outcome)
        if failure != nil {
            #expect(app.stage == before)
            #expect(app.nextWait != nil)
        }
    }

    @Test(arguments: [("HTTP 503", 12), ("HTTP 429", 20)])
    func aBusyServerIsLeftAloneForAsLongAsItAsks(name: String, seconds: Int) async throws {
        var app = try SimulatedApp()
        let failure = await app.check(name)
        #expect(failure?.metadata?.retryAfter == .seconds(seconds))
        #expect(app.nextWait == .seconds(seconds))
    }

    @Test(arguments: [("negative interval", 1.0), ("huge interval", 3600), ("fractional interval", 2.5)])
    func anOddIntervalIsBounded(name: String, seconds: Double) async throws {
        var app = try SimulatedApp()
        await app.check(name)
        #expect(app.nextWait == .seconds(seconds))
    }

    @Test(arguments: [
        ("redirect loop", "redirect refused: more than 3 in a row"),
        ("redirect elsewhere", "redirect refused: the server points to another origin, https://elsewhere.invalid:443"),
    ])
    func aRedirectIsRefusedAsFromARealServer(name: String, sentence: String) async throws {
        var app = try SimulatedApp()
        #expect(await app.check(name)?.description == sentence)
    }
}
