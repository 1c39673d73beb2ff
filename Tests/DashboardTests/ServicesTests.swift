import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import ProgramKit

/// Several statuses side by side.
@MainActor
@Suite struct ServicesTests {
    private static let rows = [
        row("Catalogue", .active, since: "2h", freshness: "6s", latency: "41 ms"),
        row("Payments", .killed, since: "3m31s", freshness: "4s", latency: "9 ms", remark: "We are moving. Back at 14:30 UTC."),
        row("Search and recommendations", .updateRequired, since: "12s", freshness: "⇅ 2s", remark: "Please update."),
        row("Mail", .unknown, freshness: "! ×12", remark: "timed out"),
    ]

    private static func row(
        _ name: String, _ stage: Stage, since: String = "", freshness: String, latency: String = "", remark: String = ""
    ) -> ServiceRow {
        ServiceRow(
            name: name, stage: stage, look: StageLook(stage), since: since, freshness: .init(freshness), latency: latency,
            remark: .init(remark))
    }

    private func session(columns: Int = 80, rows: Int = 24, opened: Int = 0) -> DashboardSession {
        var session = DashboardSession.afterAPause(isSimulated: false, columns: columns, rows: rows)
        session.model.services += Self.rows.dropFirst().map { row in
            ServiceModel(app: AppInfo(name: row.name), source: "demo.local/status")
        }
        session.send(.services(ServiceList(rows: Self.rows, opened: opened)))
        return session
    }

    // MARK: The pane

    @Test("The pane lists every service and marks the open one")
    func paneListsServices() {
        let session = session(opened: 1)
        #expect(session.lines(with: "1 ● live     Catalogue").count == 1)
        #expect(session.lines(with: "▸ ✓2 ■ paused   Payments").count == 1)
        #expect(session.footer.contains("0 services"))
    }

    @Test func digitsAndEnterOpenAService() {
        var session = session()
        session.press(.character("3"))
        #expect(session.takeEffects() == [.open(2)])
        session.press(.down, .enter)
        #expect(session.takeEffects() == [.open(1)])
        session.press(.character("9"))
        #expect(session.takeEffects() == [], "there are four services")
    }

    @Test func aSecondClickOpensAService() {
        var session = session()
        let row = session.row(of: "2 ■ paused")
        session.click(column: 12, row: row)
        #expect(session.takeEffects() == [])
        session.click(column: 12, row: row)
        #expect(session.takeEffects() == [.open(1)])
    }

    @Test("With one service no list is shown")
    func oneServiceHasNoList() {
        var session = DashboardSession.afterAPause(isSimulated: false)
        #expect(!session.screen.contains("Services") && !session.footer.contains("services"))
        session.press(.character("0"), .character("1"))
        #expect(session.takeEffects() == [] && !session.model.listsServices)
    }

    @Test("A service that the filter finds is opened, by its place in the whole list")
    func filterFindsAService() {
        var session = session()
        session.filter("payments")
        #expect(session.screen.contains("/payments  1 of 4"))
        session.press(.enter, .enter)
        #expect(session.takeEffects() == [.open(1)])
    }

    @Test func digitsBelongToAFilterThatIsEdited() {
        var session = session()
        session.press(.character("/"), .character("2"))
        #expect(session.takeEffects() == [])
        #expect(session.footer.hasPrefix(" /2"))
    }

    // MARK: The list

    @Test func theListShowsWhatSomebodyOnCallNeeds() {
        var session = session(columns: 120, rows: 30)
        session.press(.character("0"))
        #expect(session.model.listsServices)
        #expect(session.header == " 4 services   ■ 1 paused   ▲ 1 update   ? 1 unknown   ● 1 live")
        let payments = session.lines(with: "Payments").first ?? ""
        for text in ["■ paused", "3m31s", "4s", "9 ms", "We are moving. Back at 14:30 UTC."] { #expect(payments.contains(text)) }
        session.press(.character("r"))
        #expect(session.checked.suffix(4) == [0, 1, 2, 3])
        _ = session.takeEffects()
        session.press(.down, .enter)
        #expect(session.takeEffects() == [.open(1)] && !session.model.listsServices)
        session.press(.character("0"), .character("q"))
        #expect(!session.model.listsServices && session.takeEffects() == [], "q goes back")
    }

    @Test func aClickOnTheSelectedServiceOpensIt() {
        var session = session()
        session.press(.character("0"))
        let row = session.row(of: "4 ? unknown")
        session.click(column: 20, row: row)
        session.click(column: 20, row: row)
        #expect(session.takeEffects() == [.open(3)])
    }

    @Test func openingAServiceShowsItInPlaceOfTheList() {
        var session = session()
        session.press(.character("0"))
        var model = session.model
        model.show(serviceAt: 0)
        #expect(!model.listsServices)
    }

    @Test func theSelectionFollowsTheOpenService() {
        var session = session()
        session.press(.down, .down)
        session.send(.services(ServiceList(rows: Self.rows, opened: 0)))
        #expect(session.lines(with: "▸  3 ▲ update").count == 1, "news keeps the selection")
        session.send(.services(ServiceList(rows: Self.rows, opened: 3)))
        #expect(session.lines(with: "▸ ✓4 ? unknown").count == 1)
    }

    // MARK: Over a view

    @Test func digitsAndTheListWorkOverAView() {
        let model = session().model
        for key in "0124" { #expect(model.takesOverOverlay(.character(key)), "\(key)") }
        for key in "59rq" { #expect(!model.takesOverOverlay(.character(key)), "\(key)") }
        #expect(model.overlayHints.map(\.key) == ["0"])
        var session = session()
        session.send(.overlayKey(.character("2")))
        #expect(session.takeEffects() == [.open(1)])
        session.send(.overlayKey(.character("0")))
        #expect(session.model.listsServices)
    }

    @Test func onlyTheOpenServiceCoversTheScreen() {
        let screen = RecordedScreen()
        let (first, second) = (ServiceWindow(on: screen), ServiceWindow(on: screen))
        let view = BlankView()
        let content = OverlayContent(stage: .killed, app: AppInfo(name: "Payments"), source: "x", host: "x")
        first.open()
        second.present(view, content: content)
        second.update(content)
        #expect(screen.calls.value == [])
        first.close()
        second.open()
        #expect(screen.calls.value == ["present"])
        second.update(content)
        second.close()
        #expect(screen.calls.value == ["present", "update", "dismiss"])
        second.dismiss()
        second.open()
        #expect(screen.calls.value == ["present", "update", "dismiss"], "its view was taken away meanwhile")
    }

    @Test("The deputy of the screen covers only for the open service")
    func deputyOfTheOpenService() {
        let screen = RecordedScreen()
        let (first, second) = (ServiceWindow(on: screen), ServiceWindow(on: screen))
        let content = OverlayContent(stage: .killed, app: AppInfo(name: "Payments"), source: "x", host: "x")
        first.open()
        #expect(!second.deputy.cover(content))
        second.deputy.uncover()
        second.mainQueueReturned()
        #expect(screen.calls.value == [])
        #expect(first.deputy.cover(content))
        first.deputy.uncover()
        first.mainQueueReturns()
        first.mainQueueReturned()
        #expect(screen.calls.value == ["cover", "uncover", "returns", "returned"])
    }

    // MARK: Every size

    @Test func itFitsEverySize() {
        for size in DashboardSizeTests.sizes {
            var session = session(columns: size.columns, rows: size.rows)
            #expect(session.frame().size == size)
            session.press(.character("0"), .end, .home, .pageDown)
            #expect(session.frame().size == size)
            session.press(.mouse(MouseEvent(.press, at: Point(column: 3, row: 3))), .escape)
        }
    }

    @Test(arguments: [(80, 24), (40, 12), (120, 36), (60, 18)]) func looks(columns: Int, rows: Int) {
        var session = session(columns: columns, rows: rows, opened: 1)
        expectGolden(session.frame(), named: "services")
        session.press(.character("0"))
        expectGolden(session.frame(), named: "services-list")
    }

    // MARK: Rows, the title, the palette

    @Test func aRowSaysWhatIsKnownOfItsService() {
        var session = DashboardSession.failingWhilePaused()
        var row = session.model.service.row(at: session.now)
        #expect(row.stage == .killed && row.freshness.text.hasPrefix("! ×"))
        #expect(row.remark.text == session.machine.failure?.shortText)
        session = DashboardSession.afterAPause(isSimulated: false)
        row = session.model.service.row(at: session.now)
        #expect(row.stage == .active && row.remark.text.isEmpty && row.latency.hasSuffix(" ms"))
    }

    @Test(arguments: [
        ([0], "● 1 services: none is blocked"), ([0, 1], "■ Payments: paused"),
        ([0, 2], "▲ Search and recommendations: update required"),
        ([1, 2, 3], "■ 2 of 3 services are blocked"),
    ])
    func theTitleNamesWhatIsBlocked(indices: [Int], title: String) {
        #expect(ServiceList(rows: indices.map { Self.rows[$0] }).title == title)
    }

    @Test func thePaletteFindsServices() {
        var session = session()
        session.choose("pay")
        #expect(session.takeEffects() == [.open(1)])
    }

    // MARK: The journal

    @Test func theJournalSaysWhichServiceThePersonSaw() throws {
        let kill = Transition(from: .active, to: .killed, cause: .status(httpStatus: 200), lasted: nil)
        let start = MonotonicInstant()
        let record = SessionLogRecord.Session(
            app: AppInfo(name: "Payments"), source: "x", isSimulated: false, service: "Payments")
        var journal = SessionLog(record, isOpen: false, at: start, date: Date())
        let unseen = journal.add(kill, message: "Stop.", at: start, paintedAt: start, date: Date())
        #expect(unseen.service == "Payments" && unseen.sees == .init(view: .dashboard))
        let opening = journal.add(isOpen: true, at: start, date: Date())
        let opened = try #require(opening)
        #expect(opened.event == .view && opened.sees == .init(view: .killView, message: "Stop."))
        #expect(opened.json.contains(#""event":"view","service":"Payments","stage":"killed""#))
        let again = journal.add(isOpen: true, at: start, date: Date())
        #expect(again == nil, "nothing changes")
        let end = journal.add(.end("quit"), at: start, date: Date())
        #expect(end.service == "Payments")
    }

    // MARK: Lines

    @Test func everyLineNamesItsService() {
        let output = PlainOutput(.text, timeZone: .gmt)
        #expect(
            output.text(.message("Stop."), of: "Payments", at: Date(timeIntervalSince1970: 0))
                == "00:00:00 Payments: message: Stop.\n")
        #expect(
            PlainOutput(.json).text(.message("Stop."), of: "Payments", at: Date(timeIntervalSince1970: 0)).contains(
                #""service":"Payments","event":"message""#))
    }
}

private final class BlankView: OverlayView {
    func draw(_ content: OverlayContent, in frame: inout Frame) {}
}

/// A screen with a deputy, which records what both are told.
@MainActor
private final class RecordedScreen: DeputizedWindow {
    private final class Deputy: OverlayDeputy {
        let calls: Watched<[String]>

        init(_ calls: Watched<[String]>) { self.calls = calls }

        func cover(_ content: OverlayContent) -> Bool {
            calls.update { $0.append("cover") }
            return true
        }

        func uncover() { calls.update { $0.append("uncover") } }
    }

    let calls = Watched<[String]>([])
    private(set) lazy var deputy: any OverlayDeputy = Deputy(calls)
    weak var responder: (any OverlayResponder)?

    func mainQueueReturns() { calls.update { $0.append("returns") } }
    func mainQueueReturned() { calls.update { $0.append("returned") } }
    func present(_ view: any OverlayView, content: OverlayContent) { calls.update { $0.append("present") } }
    func update(_ content: OverlayContent) { calls.update { $0.append("update") } }
    func dismiss() { calls.update { $0.append("dismiss") } }
}
