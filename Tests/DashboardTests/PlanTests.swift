import Bellerophon
import Foundation
import TerminalUI
import Testing

@testable import Dashboard

/// What the dashboard shows of a status with rules.
@Suite("Plan on the dashboard") struct PlanTests {
    @Test("The state says why, until when, and what changes next")
    func state() throws {
        var session = try DashboardSession.planned(columns: 160, rows: 50)
        #expect(session.lines(with: "next      14:02, mw-0309 begins").count == 1)
        #expect(session.lines(with: "why  ").isEmpty, "nothing covers the app")
        session = try DashboardSession.inTheWindow(columns: 160, rows: 50)
        #expect(session.lines(with: "why       mw-0309: it applies to every app").count == 1)
        #expect(session.lines(with: "until     15:30").count == 1)
        #expect(session.lines(with: "next      15:30, mw-0309 ends").count == 1)
    }

    @Test("A state without a rule that covers the app has no line more than before")
    func withoutRules() {
        var session = DashboardSession(isSimulated: false, size: Size(columns: 160, rows: 50))
        session.start()
        session.reply(.updateRequired, requiredVersion: "1.5.2")
        #expect(!session.screen.contains("Plan"))
        #expect(session.lines(with: "why       ").isEmpty)
    }

    @Test("The pane names every rule with what it does, when and why")
    func pane() throws {
        let session = try DashboardSession.planned(columns: 260, rows: 60)
        for text in [
            "○ min-13   no match: 1.4.0 is not below 1.3.0", "◷ mw-0309  announced, begins 14:02: We are moving the disks.",
            "i ro       holds: Search is read-only.", "✓ old      over since 10:00", "○ beta     exempt: site is not known",
            "! later    not understood: ",
        ] {
            #expect(session.screen.contains(text), "\(text)")
        }
    }

    @Test("Enter on the pane inspects the status, and the inspector has every rule with its reason")
    func inspector() throws {
        var session = try DashboardSession.planned(columns: 100, rows: 40)
        session.model.view.focus = .plan
        session.press(.enter)
        #expect(session.model.view.page == .inspector)
        #expect(session.screen.contains("Rules"))
        #expect(session.screen.contains("◷ mw-0309 pause, announced, begins 14:02: it applies to every app"))
        #expect(session.screen.contains("○ min-13 update, no match: 1.4.0 is not below 1.3.0"))
    }

    @Test("A check in the log keeps the rules as they were at its time")
    func earlierCheck() throws {
        let session = try DashboardSession.inTheWindow()
        let check = session.model.service.history.events.first { $0.isCheck }
        let first = try #require(check)
        let texts = session.model.inspection(of: first).plainText
        #expect(texts.contains("mw-0309 pause, announced, begins 14:02"))
    }

    @Test("A rule that begins by its time is in the log and among the transitions, and the inspector explains it")
    func transition() throws {
        let session = try DashboardSession.inTheWindow(columns: 200, rows: 60)
        #expect(session.screen.contains("live → paused after 2m01s, rule mw-0309 has begun"))
        #expect(session.lines(with: "live 2m01s").contains { $0.contains("mw-0309") })
        let transition = session.model.service.history.events.last { if case .transition = $0.kind { true } else { false } }
        let event = try #require(transition)
        #expect(session.model.inspection(of: event).plainText.contains("The rule mw-0309 has begun, because its time has come."))
    }

    @Test("A source without a Date is named, because this machine's clock decides then")
    func clock() throws {
        var session = DashboardSession(isSimulated: false, size: Size(columns: 160, rows: 50))
        session.start()
        try session.reply(DashboardSession.rules, hasDate: false)
        #expect(session.lines(with: "clock     ! this machine's").count == 1)
        #expect(try DashboardSession.planned(columns: 160, rows: 50).lines(with: "clock     ").isEmpty)
    }
}
