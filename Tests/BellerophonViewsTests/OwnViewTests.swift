import Bellerophon
import BellerophonViews
import TerminalUI
import TestSupport
import Testing

@testable import OwnView

/// The views of Examples/OwnView, which the guide to views of one's own explains.
@MainActor @Suite struct OwnViewTests {
    nonisolated private static let sizes = [(80, 24), (40, 12), (24, 9), (20, 6), (12, 2)].map { Size(columns: $0.0, rows: $0.1) }
    private static let app = AppInfo(name: "tally", version: "1.0.0")

    private static var closed: OverlayContent {
        OverlayContent(
            stage: .killed, app: app, source: "demo.local/status", host: "demo.local",
            message: "The counter is being repaired.\nBack at 14:30.",
            countdown: .init(remaining: .seconds(9), total: .seconds(15)))
    }

    private static var outdated: OverlayContent {
        OverlayContent(
            stage: .updateRequired, app: app, source: "demo.local/status", host: "demo.local", requiredVersion: "1.5.2",
            link: "https://demo.local/get")
    }

    @Test("Each page of the kill view at each size", arguments: sizes)
    func killView(size: Size) {
        var content = Self.closed
        expectGolden(ClosedView().frame(content, size), named: "own-kill")
        content.presentation.page = .details
        expectGolden(ClosedView().frame(content, size), named: "own-kill-details")
        content.presentation.page = .help
        expectGolden(ClosedView().frame(content, size), named: "own-kill-help")
    }

    @Test("The update view at each size", arguments: sizes)
    func updateView(size: Size) {
        expectGolden(OutdatedView().frame(Self.outdated, size), named: "own-update")
    }

    @Test("Every size can be drawn, from nothing on", arguments: [OverlayPresentation.Page.status, .details, .help])
    func anySize(page: OverlayPresentation.Page) {
        for (view, content) in [(ClosedView() as any OverlayView, Self.closed), (OutdatedView(), Self.outdated)] {
            var content = content
            content.presentation.page = page
            content.presentation.ignoresKeys = true
            for columns in 0...45 {
                for rows in 0...12 {
                    let frame = view.frame(content, Size(columns: columns, rows: rows))
                    for row in 0..<rows { #expect(frame.row(row).reduce(0) { $0 + $1.width } == columns) }
                }
            }
        }
    }

    @Test("A message that is too long scrolls to its end and no further")
    func longMessage() {
        var overlay = OverlayUnderTest(ClosedView(), Self.closed)
        overlay.content.message = (1...40).map { "line \($0)" }.joined(separator: "\n")
        for _ in 0..<100 { overlay.press(.down) }
        #expect(overlay.frame.text.contains("line 40"))
        overlay.press(.up)
        #expect(!overlay.frame.text.contains("line 40"))
    }

    @Test("The view's own keys open its pages and check the status")
    func ownKeys() {
        var overlay = OverlayUnderTest(ClosedView(), Self.closed)
        #expect(overlay.press(" ") == [.check])
        overlay.press("i")
        #expect(overlay.presentation.page == .details)
        overlay.press("?")
        #expect(overlay.presentation.page == .help && overlay.frame.text.contains("ask the server for the status now"))
        overlay.press(.escape)
        #expect(overlay.presentation.page == .status && overlay.frame.text.contains("CLOSED"))
        // A key of the provided views that this view does not have.
        overlay.press("d")
        #expect(overlay.presentation.notice == "d does nothing here · ? for help")
    }

    @Test("The footer has the notice, or says that keys do not count yet")
    func footer() {
        var content = Self.closed
        content.presentation.ignoresKeys = true
        let size = Size(columns: 60, rows: 12)
        #expect(ClosedView().frame(content, size).text.hasSuffix("\n keys count in a moment"))
        content.presentation.notice = "message sent to the clipboard"
        #expect(ClosedView().frame(content, size).text.hasSuffix("\n message sent to the clipboard"))
    }

    @Test("A click on a key in the footer acts like the key, and a key without an effect is not named")
    func footerKeys() throws {
        var overlay = OverlayUnderTest(OutdatedView(), Self.outdated)
        let row = try #require(overlay.frame.text.split(separator: "\n").last)
        #expect(row.contains("o open the page"))
        #expect(overlay.frame.key(at: Point(column: 1, row: overlay.size.rows - 1)) == .character("o"))
        overlay.content.link = nil
        #expect(!overlay.frame.text.contains("open the page"))
    }
}
