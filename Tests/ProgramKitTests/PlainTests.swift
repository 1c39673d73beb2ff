import Bellerophon
import Foundation
import ProgramKit
import TestSupport
import Testing

@Suite("Plain output") struct PlainTests {
    private static let date = Date(timeIntervalSince1970: 1_709_992_800)  // 2024-03-09 14:00:00 UTC
    private static let output = PlainOutput(.text, timeZone: TimeZone(secondsFromGMT: 0) ?? .current)

    private static func content(_ stage: Stage) -> OverlayContent {
        OverlayContent(
            stage: stage, app: AppInfo(name: "example", version: "1.4.0"), source: "demo.local/status", host: "demo.local",
            message: "Back at noon.\nOr later.", requiredVersion: "1.5.2", link: "https://example.com/get")
    }

    private func text(_ event: PlainEvent) -> String { Self.output.text(event, at: Self.date) }

    // MARK: Text

    @Test func everyFactLinkAndActionHasItsLine() {
        let transition = Transition(
            from: .active, to: .updateRequired, cause: .status(httpStatus: 200), lasted: .seconds(63))
        let details = PlainEvent.Details(
            StatusFacts([.message: "Back at noon.\nOr later.", .requiredVersion: "1.5.2", .link: "https://example.com/get"]),
            installedVersion: "1.4.0", actions: [.update("apt install x"), .check, .quit])
        #expect(
            text(.transition(transition, details)) == """
                14:00:00 state: update required, live before for 1 m 3 s
                14:00:00 message: Back at noon. Or later.
                14:00:00 version 1.5.2 or later is required; 1.4.0 is installed
                14:00:00 get the update: https://example.com/get
                14:00:00 action: type u and Enter to run the update command: apt install x
                14:00:00 action: type r and Enter to check the status now
                14:00:00 action: type q and Enter to quit

                """)
    }

    @Test func anOlderVersionIsGoneBackTo() {
        let facts = StatusFacts([.requiredVersion: "1.3.9", .link: "https://example.com/get"])
        let transition = Transition(from: .active, to: .updateRequired, cause: .facts, lasted: nil)
        #expect(
            text(.transition(transition, .init(facts, installedVersion: "1.4.0"))) == """
                14:00:00 state: update required (the app has changed)
                14:00:00 go back to version 1.3.9; 1.4.0 is installed
                14:00:00 get it: https://example.com/get

                """)
    }

    // MARK: Languages

    @Test("Lines are in the language of the views, and in English for programs")
    func germanLines() {
        let output = PlainOutput(.text, timeZone: .gmt, phrases: .german)
        let transition = Transition(from: .active, to: .updateRequired, cause: .status(httpStatus: 200), lasted: .seconds(63))
        let details = PlainEvent.Details(
            StatusFacts([.message: "Bis gleich.", .requiredVersion: "1.5.2"]), installedVersion: "1.4.0", actions: [.check])
        #expect(
            output.text(.transition(transition, details), at: Self.date) == """
                14:00:00 Zustand: Update erforderlich, davor läuft (1 m 3 s)
                14:00:00 Nachricht: Bis gleich.
                14:00:00 erforderlich: Version 1.5.2 oder neuer; installiert: 1.4.0
                14:00:00 Aktion: r und Enter: den Status jetzt prüfen

                """)
        var reporter = PlainReporter(output.phrases)
        let report = StatusReport.checkFailed(1, StatusError(.httpStatus(503)))
        let events = reporter.events(for: report, StageMachine(), Self.content(.killed), actions: [])
        #expect(
            events.map { output.text($0, at: Self.date) } == [
                "14:00:00 Prüfung fehlgeschlagen: Server antwortet mit HTTP 503; kein Status bekannt\n"
            ])
        #expect(PlainOutput(.json, phrases: .german).phrases == PlainPhrases(.english))
    }

    @Test("Every language has its own lines, with the same values as in English", arguments: PlainPhrases.all)
    func parts(phrases: PlainPhrases) {
        func texts(_ phrases: PlainPhrases) -> [String: String] {
            Mirror(reflecting: phrases).children.reduce(into: [:]) { all, child in
                if let text = child.value as? String { all[child.label ?? ""] = text }
                if let stages = child.value as? [Stage: String] { for (stage, text) in stages { all["\(stage)"] = text } }
            }
        }
        let (english, own) = (texts(PlainPhrases(.english)), texts(phrases))
        #expect(own.keys == english.keys && own.count > 50)
        for (name, text) in own {
            #expect(
                text.matches(of: /\{\w+\}/).map { String($0.output) }.sorted()
                    == english[name]?.matches(of: /\{\w+\}/).map { String($0.output) }.sorted())
            #expect(!text.isEmpty)
        }
        let same = own.filter { english[$0.key] == $0.value }.count
        #expect(phrases == PlainPhrases(.english) || same <= 3, "\(same) lines are not translated")
    }

    @Test("A change by a rule says why, until when and what comes next")
    func aRuleHasItsLines() throws {
        let plan = try PlanSample.plan(PlanSample.text, at: PlanSample.inTheWindow)
        let transition = Transition(from: .active, to: .updateRequired, cause: .rule("min-15"), lasted: .seconds(63))
        let output = PlainOutput(.text, timeZone: .gmt)
        let details = PlainEvent.Details(StatusFacts([.message: "1.4 loses data."]), plan: plan, actions: [.check])
        #expect(
            output.text(.transition(transition, details), at: PlanSample.inTheWindow) == """
                22:30:00 state: update required (rule min-15 has begun), live before for 1 m 3 s
                22:30:00 message: 1.4 loses data.
                22:30:00 why: update by min-15: 1.4.0 is below 1.5.2, which takes precedence over mw-1205
                22:30:00 next change at 23:30, mw-1205 ends
                22:30:00 action: type r and Enter to check the status now

                """)
        let announced = try #require(try PlanSample.plan(PlanSample.text, version: "1.6.0"))
        #expect(
            output.text(.plan(announced), at: PlanSample.now) == """
                20:00:00 plan: next change at 22:00, mw-1205 begins

                """)
        #expect(text(.plan(.none)) == "14:00:00 plan: the status has no rules any longer\n")
        let end = Transition(from: .killed, to: .active, cause: .rule("mw-1205"), lasted: nil)
        #expect(text(.transition(end, .init())) == "14:00:00 state: live (rule mw-1205 has ended)\n")
    }

    @Test("The plan is in the JSON of a transition and of an event of its own, and not where the status has none")
    func planAsJSON() throws {
        func members(_ event: PlainEvent) throws -> [String: Any]? {
            try JSONSerialization.jsonObject(with: Data(event.json(at: Self.date).utf8)) as? [String: Any]
        }
        let plan = try #require(try PlanSample.plan(PlanSample.text))
        let transition = Transition(from: .active, to: .updateRequired, cause: .rule("min-15"), lasted: nil)
        for event in [PlainEvent.transition(transition, .init(plan: plan)), .plan(plan)] {
            let members = try members(event)
            #expect(members?["by"] as? String == "min-15")
            #expect(members?["next"] as? String == "2026-12-05T22:00:00Z")
            #expect((members?["notices"] as? [Any])?.count == 2)
        }
        #expect(try members(.plan(plan))?["event"] as? String == "plan")
        #expect(try members(.transition(transition, .init()))?["by"] == nil)
    }

    @Test("What covers the program is told with the change, and a plan without a change is told once")
    func thePlanIsToldOnce() throws {
        var reporter = PlainReporter()
        var content = Self.content(.updateRequired)
        content.plan = try PlanSample.plan(PlanSample.text)
        let plan = try #require(content.plan)
        let transition = Transition(from: .unknown, to: .updateRequired, cause: .status(httpStatus: 200), lasted: nil)
        let first = reporter.events(for: .stageChanged(transition), StageMachine(), content, actions: [])
        #expect(first == [.transition(transition, .init(content, actions: []))])
        #expect(reporter.events(for: .planChanged(plan), StageMachine(), content, actions: []) == [])
        let later = try #require(try PlanSample.plan(PlanSample.text, at: PlanSample.inTheWindow))
        #expect(reporter.events(for: .planChanged(later), StageMachine(), content, actions: []) == [.plan(later)])
        #expect(reporter.events(for: .planChanged(later), StageMachine(), content, actions: []) == [])
    }

    @Test("A notice has a line when it begins and one when it is over, and none when only its time changes")
    func noticesHaveTheirLines() throws {
        func notice(_ id: String, _ effect: Rule.Effect, in wait: TimeInterval? = nil, message: String? = nil) -> OverlayNotice {
            var facts = StatusFacts()
            facts[.message] = message
            let rule = Rule(id: id, effect: effect, from: wait.map { _ in Self.date + 900 }, facts: facts)
            return OverlayNotice(
                Verdict.Notice(rule: rule, phase: wait == nil ? .holding : .announced), app: AppInfo(name: "example"),
                date: wait.map { Self.date + (900 - $0) }, timeZone: .gmt)
        }
        var reporter = PlainReporter()
        let ro = notice("ro", .notice, message: "Search is read-only.")
        let first = reporter.events(for: [notice("mw", .pause, in: 840), ro])
        #expect(
            first.map(text) == [
                "14:00:00 notice: Maintenance in 14 min, 14:15\n", "14:00:00 notice: Search is read-only.\n",
            ])
        #expect(reporter.events(for: [notice("mw", .pause, in: 60), ro]) == [])
        #expect(reporter.events(for: [ro]).map(text) == ["14:00:00 notice over: Maintenance, 14:15\n"])
        let last = reporter.events(for: [])
        #expect(last == [.noticeEnded("ro", "Search is read-only.")])
        let members = try JSONSerialization.jsonObject(with: Data(last[0].json(at: Self.date).utf8)) as? [String: String]
        #expect(members?["event"] == "noticeEnded" && members?["rule"] == "ro" && members?["text"] == "Search is read-only.")
    }

    @Test("A script gets every optional field of a change, by name", arguments: StatusField.allCases)
    func aScriptGetsEveryField(field: StatusField) throws {
        let transition = Transition(from: .active, to: .updateRequired, cause: .dismissed, lasted: nil)
        let json = PlainEvent.transition(transition, .init(.samples)).json(at: Self.date)
        let members = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(members?[field.rawValue] is String)
    }

    @Test(
        arguments: [
            (
                .started(
                    .init(app: AppInfo(name: "example", version: "1.4.0"), source: "demo.local/status", isSimulated: true),
                    trust: ""),
                "watching demo.local/status for example 1.4.0; simulated"
            ),
            (
                .started(
                    .init(app: AppInfo(name: "example"), source: "a.example/status", isSimulated: false), trust: "TLS, not signed"
                ),
                "watching a.example/status for example; TLS, not signed"
            ),
            (
                .transition(Transition(from: .unknown, to: .killed, cause: .restored, lasted: nil), .init()),
                "state: paused (known from the last run)"
            ),
            (
                .transition(Transition(from: .active, to: .killed, cause: .policy(.closed), lasted: .seconds(5)), .init()),
                "state: paused (no recent status; app closed), live before for 5 s"
            ),
            (.message(nil), "the message was taken back"),
            (.failed("offline", kept: .killed, next: .seconds(8)), "check failed: offline; still paused; next check in 8 s"),
            (.failed("offline", kept: .unknown, next: nil), "check failed: offline; no status is known"),
            (.recovered(failures: 1), "checks succeed again after 1 failure"),
            (.recovered(failures: 3), "checks succeed again after 3 failures"),
            (.remark("the disk is full"), "warning: the disk is full"),
            (.ended("SIGTERM"), "ended: SIGTERM"),
        ] as [(PlainEvent, String)])
    func anEventIsASentence(event: PlainEvent, sentence: String) {
        #expect(text(event) == "14:00:00 \(sentence)\n")
    }

    @Test func textFromOutsideCannotControlATerminal() {
        let lines = text(.message("\u{1B}[2J\u{9B}31mred\r\n\u{202E}evil\u{7}"))
        #expect(lines.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)) })
        #expect(!lines.contains("\u{202E}"))
        #expect(lines.split(separator: "\n").count == 1)
    }

    @Test("The end of a check that a person has asked for is said, also if it is as before")
    func anAwaitedCheck() {
        var reporter = PlainReporter()
        func failed() -> [PlainEvent] {
            let report = StatusReport.checkFailed(1, StatusError(.noStatus))
            return reporter.events(for: report, StageMachine(), Self.content(.killed), actions: [])
        }
        #expect(failed().count == 1 && failed().isEmpty)
        reporter.awaitCheck()
        #expect(failed().count == 1 && failed().isEmpty)
    }

    @Test("A word means the same as its letter, and neither means another action")
    func wordsOfActions() {
        let words: [(String, PlainAction)] = [
            ("r", .check), ("check", .check), ("n", .next), ("back", .previous), ("STATUS", .status), ("?", .help),
            ("exit", .quit),
            ("u", .update("x")),
        ]
        for (word, action) in words {
            let all: [PlainAction] = [.check, .update("x"), .next, .previous, .status, .help, .quit]
            #expect(all.filter { $0.isMeant(by: word) } == [action], "\(word)")
        }
        #expect(!PlainAction.update("x").isMeant(by: "update"), "a command is run by its letter only")
    }

    @Test("What a person has asked to hear has no time before it")
    func listing() { #expect(text(.listing(["one", "two"])) == "one\ntwo\n") }

    // MARK: JSON

    @Test("A transition is one JSON object with the field names of the journal")
    func transitionIsOneObject() {
        let transition = Transition(from: .active, to: .killed, cause: .status(httpStatus: 200), lasted: .seconds(63.2))
        let details = PlainEvent.Details(StatusFacts([.message: "Back at noon."]), actions: [.quit])
        let json = PlainEvent.transition(transition, details).json(at: Self.date)
        #expect(
            json == #"{"time":"2024-03-09T14:00:00.000Z","event":"transition","from":"active","to":"killed","cause":"status","#
                + #""httpStatus":200,"lastedSeconds":63.2,"message":"Back at noon.","requiredVersion":null,"link":null}"#)
    }

    @Test(
        arguments: [
            (.message(nil), #""event":"message","message":null}"#),
            (
                .failed("offline", kept: .killed, next: .seconds(8)),
                #""event":"failure","reason":"offline","stage":"killed","nextCheckSeconds":8}"#
            ),
            (.recovered(failures: 3), #""event":"recovery","failures":3}"#),
            (.stream("open"), #""event":"stream","text":"open"}"#),
            (.remark("full"), #""event":"warning","text":"full"}"#),
            (.ended("quit"), #""event":"end","how":"quit"}"#),
        ] as [(PlainEvent, String)])
    func anEventIsAnObject(event: PlainEvent, end: String) {
        #expect(event.json(at: Self.date) == #"{"time":"2024-03-09T14:00:00.000Z","# + end)
    }

    // MARK: What is reported

    @Test("A message that changes is told in the person's language")
    func theMessageIsThatOfTheContent() {
        var reporter = PlainReporter()
        var content = Self.content(.killed)
        content.message = "Mittags zurück."
        let events = reporter.events(for: .messageChanged("Back at noon."), StageMachine(), content, actions: [])
        #expect(events == [.message("Mittags zurück.")])
    }

    private func events(_ reports: [StatusReport]) -> [PlainEvent] {
        var reporter = PlainReporter()
        return reports.flatMap { reporter.events(for: $0, StageMachine(), Self.content(.killed), actions: [.quit]) }
    }

    @Test func onlyTheFirstOfEqualFailuresIsReported() {
        let offline = StatusReport.pushFailed(StatusError(.noStatus)),
            other = StatusReport.pushFailed(StatusError(.httpStatus(503)))
        let document = StatusDocument(isInactive: false, requiresUpdate: false, interval: 60)
        let reply = StatusReport.pushed(StatusReply(document), document.verdict(for: AppFacts(), at: nil))
        let found = events([offline, offline, offline, other, reply, reply, offline])
        #expect(found.count == 4)
        #expect(found.dropFirst(2).first == .recovered(failures: 4))
        #expect(found.first == found.last)
    }

    @Test("A transition to live has no message and no actions")
    func liveTransitionHasNoMessage() {
        let live = Transition(from: .killed, to: .active, cause: .status(httpStatus: 200), lasted: .seconds(1))
        #expect(events([.stageChanged(live)]) == [.transition(live, .init())])
        let paused = Transition(from: .active, to: .killed, cause: .status(httpStatus: 200), lasted: .seconds(1))
        #expect(
            events([.stageChanged(paused)]) == [
                .transition(
                    paused,
                    .init(StatusFacts([.message: "Back at noon.\nOr later."]), installedVersion: "1.4.0", actions: [.quit]))
            ])
    }
}
