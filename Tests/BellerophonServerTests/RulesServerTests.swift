import BellerophonStore
import Foundation
import StatusModel
import TestSupport
import Testing

@testable import BellerophonServer

/// Rules over HTTP, and what time makes of them in a server.
@Suite("Rules over HTTP")
struct RulesServerTests {
    private static let some = #"{"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2"}"#
    private static let all = #"{"id":"mw","effect":"pause","from":"2099-12-05T22:00:00Z","until":"2099-12-05T23:00:00Z"}"#

    private static func body(_ rule: String, everyone: Bool = true) -> String {
        #"{"action":"rules","rules":{"put":[\#(rule)],"everyone":\#(everyone)},"reason":"why"}"#
    }

    @Test("A rule is published, served to everyone and signed with the rest, pushed, and in the journal with its difference")
    func publish() async throws {
        try await LiveServer.talk { client, token, live in
            let answer = try client.put("/status", Self.body(Self.some), token: token)
            #expect(answer.code == 201 && answer.body.contains(#""added":["min-15"]"#), "\(answer.body)")
            #expect(try client.answer(to: "/status").body.contains(Self.some))
            let report = try ServedStatus(#require(try live.store.status(.main))).report(at: Date())
            #expect(report.rules.map(\.id) == ["min-15"] && report.rules[0].restricts && report.state == .active)
            #expect(report.text(at: Date()).contains("min-15: update for version below 1.5.2, holds"))
        }
    }

    @Test("A token for the rules of an app changes those for some, and neither those for everybody nor the status")
    func scopes() async throws {
        try await LiveServer.talk(scopes: [try TokenScope("rules:default")]) { client, token, _ in
            #expect(try client.put("/status", Self.body(Self.some), token: token).code == 201)
            for body in [Self.body(Self.all), #"{"action":"kill"}"#] {
                let answer = try client.put("/status", body, token: token)
                #expect(answer.code == 403 && answer.problem == .forbidden)
                #expect(answer.field("WWW-Authenticate")?.contains(#"scope="statuses:default/main""#) == true)
            }
            for way in ["dryRun", "review", "propose"] {
                #expect(try client.put("/status?\(way)=true", Self.body(Self.all), token: token).code == 403, "\(way)")
            }
            try client.get("/metrics")
            let count = "bellerophon_authentication_failures_total{reason=\"forbidden\"} 5\n"
            #expect(try client.answer().body.contains(count), "what is decided with the change is counted too")
            let other = try client.put("/v1/apps/notes/status?new=true", Self.body(Self.some), token: token)
            #expect(other.code == 403 && other.body.contains("rules:notes/main"))
        }
    }

    @Test("A review says what is wrong, what changes and what people see, and the plan has the table of what holds")
    func review() async throws {
        try await LiveServer.talk { client, token, _ in
            let body = try client.put("/status?review=true", Self.body(Self.all, everyone: false), token: token).body
            for text in [#""level":"error""#, "--everyone", "mw covers every app from", #""picture":""#, #""newer":""#] {
                #expect(body.contains(text), "\(body)")
            }
            let refused = try client.put("/status", Self.body(Self.all, everyone: false), token: token)
            #expect(refused.code == 400 && refused.body.contains("covers every app"))
            #expect(try client.put("/status", Self.body(Self.all), token: token).code == 201)
            for wrong in [#"{"action":"rules","rules":{"add":[]}}"#, #"{"action":"kill","rules":{"remove":["x"]}}"#] {
                #expect(try client.put("/status", wrong, token: token).code == 400, "\(wrong)")
            }
            // What covers everybody already does not hold up another change.
            #expect(try client.put("/status", Self.body(Self.some, everyone: false), token: token).code == 201)
            let plan = try client.answer(to: "/v1/plan?app=default", "Authorization: Bearer \(token)")
            #expect(
                plan.code == 200 && plan.body.contains(#""ids":["mw","min-15"]"#) && plan.body.contains("update by min-15"))
        }
    }

    // MARK: Time

    private func timed(_ clock: StillClock) throws -> (folder: TestFolder, store: Store) {
        let folder = try TestFolder()
        let store = try Store(
            folder: folder.url.appendingPathComponent("store"), creates: true, clock: .still { [clock] in clock.now })
        return (folder, store)
    }

    private func window(_ clock: StillClock) -> Publication {
        func time(_ seconds: Double) -> String { PlanTime.text(clock.now.addingTimeInterval(seconds)) }
        let rule = #"{"id":"mw","effect":"pause","announce":"\#(time(1000))","from":"\#(time(2000))","until":"\#(time(3000))"}"#
        return Publication(scope: .main, rules: RulesEdit(put: [rule], everyone: true))
    }

    @Test(
        "Clients get each phase in time even if the journal can't be written, and the server is not ready once a row is overdue")
    func overdue() async throws {
        let clock = StillClock(.wholeSecond)
        let (folder, store) = try timed(clock)
        let content = FailingContent(store) { clock.now }
        _ = try await store.publish(window(clock), by: "ada")
        let publisher = try ReadModelPublisher(
            content, settings: ReadSettings(), limiters: Limiters(),
            logger: .silent)
        #expect(await publisher.readiness().isReady)
        content.failWrites(true)
        clock.advance(by: 2001)
        await publisher.poll()
        let status = try #require(await publisher.readModel.reply("/status"))
        #expect(String(decoding: status.body, as: UTF8.self).contains(#""mirrors":["mw"]"#))
        clock.advance(by: 30)
        await publisher.poll()
        #expect(await publisher.readiness().reasons.contains { $0.contains("overdue") })
        content.failWrites(false)
        clock.advance(by: 70)
        await publisher.poll()
        #expect(try store.journal().compactMap(\.reason).contains("mw begins"))
        #expect(await publisher.readiness().reasons.contains { $0.contains("overdue") } == false)
        withExtendedLifetime(folder) {}
    }

    @Test("Hooks are told of each phase, and reminded before it")
    func hooks() async throws {
        let clock = StillClock(.wholeSecond)
        let (folder, store) = try timed(clock)
        _ = try await store.publish(window(clock), by: "ada")
        func reminders() throws -> [String] {
            try store.snapshot().statuses.values.flatMap { Reminder.due($0, WebhookSettings(), at: clock.now) }.map(\.text)
        }
        #expect(try reminders().isEmpty)
        clock.advance(by: 500)
        #expect(try reminders() == ["default/main: the rule mw is announced in 8m 20s"])
        clock.advance(by: 1000)
        let row = try #require(try await store.writeDue().first)
        let event = WebhookEvent(row, store: "abc")
        #expect(
            event.event == .phase && event.text == "default/main: the rule mw is announced"
                && WebhookKind(event.event) == .statuses)
        #expect(try reminders() == ["default/main: the rule mw begins in 8m 20s"])
        clock.advance(by: 1400)
        _ = try await store.writeDue()
        #expect(try reminders() == ["default/main: the rule mw ends in 1m 40s"])
        withExtendedLifetime(folder) {}
    }
}
