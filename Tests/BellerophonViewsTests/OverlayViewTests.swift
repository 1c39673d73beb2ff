import Bellerophon
import BellerophonViews
import Foundation
import TerminalUI
import Testing

@MainActor @Suite struct OverlayViewTests {
    private func drawn(_ view: any OverlayView, _ content: OverlayContent, _ columns: Int, _ rows: Int) -> Frame {
        view.frame(content, Size(columns: columns, rows: rows))
    }

    private func killText(_ content: OverlayContent, _ columns: Int, _ rows: Int) -> String {
        drawn(KillSwitchView(), content, columns, rows).text
    }

    @Test(arguments: [
        (40, "■ PAUSED 00:09 · 40×10 needed"), (29, "■ PAUSED 00:09 · 40×10 needed"), (28, "■ PAUSED 00:09"),
        (13, "■ PAUSED"), (7, "■ 00:09"), (6, "■"), (1, "■"), (0, ""),
    ])
    func oneRowSaysAsMuchAsFits(columns: Int, expected: String) {
        #expect(killText(OverlaySamples.paused, columns, 1) == expected)
    }

    @Test func aFewRowsAlsoSayWhoSaysWhat() {
        #expect(
            killText(OverlaySamples.unreachable, 50, 3) == """
                ■ PAUSED 00:08 · 40×10 needed
                demo.local: We are moving the catalogue to a new …
                example is still running underneath
                """)
    }

    @Test("A pause that began yesterday shows its date, also if no check was answered")
    func oldPauseShowsItsDate() {
        let unanswered = OverlaySamples.paused {
            $0.lastAnswer = nil
            $0.date = OverlaySamples.since.addingTimeInterval(86_400)
        }
        #expect(killText(unanswered, 80, 24).contains("paused since 2026-03-14 13:58:40"))
        let answered = OverlaySamples.paused { $0.since = OverlaySamples.since.addingTimeInterval(-86_400) }
        #expect(killText(answered, 80, 24).contains("paused since 2026-03-13 13:58:40"))
    }

    @Test func theStateIsSaidBeforeAllElseAsRoomShrinks() {
        for rows in 1...24 {
            for columns in [1, 7, 13, 19, 20, 21, 29, 39, 40, 55, 80] {
                let text = killText(OverlaySamples.paused { $0.message = OverlaySamples.longMessage }, columns, rows)
                #expect(text.contains("■"), "\(columns)×\(rows)")
                if columns >= 20, rows >= 5 {
                    #expect(text.contains("PAUSED") && text.contains("00:09"), "\(columns)×\(rows)")
                }
            }
        }
    }

    /// All small terminal sizes, with texts that are hard to lay out.
    @Test(arguments: 0...30)
    func noSizeBreaksTheFrame(columns: Int) {
        let contents = [
            OverlaySamples.paused, OverlaySamples.unreachable, OverlaySamples.clamped, OverlaySamples.update,
            OverlaySamples.updateOfNothingKnown,
        ]
        let messages = [
            OverlaySamples.hostileMessage, OverlaySamples.chineseMessage, String(repeating: "👩‍👩‍👧", count: 90), "\n\n\n", nil,
        ]
        for rows in 0...12 {
            for (index, content) in contents.enumerated() {
                for page in [OverlayPresentation.Page.status, .details, .help] {
                    var content = content.opened(page)
                    content.message = messages[(index + rows + columns) % messages.count]
                    content.presentation.scroll = (columns - 9) * 1000
                    content.isSimulated = rows % 2 == 0
                    expectSoundRows(drawn(index < 3 ? KillSwitchView() : ForceUpdateView(), content, columns, rows))
                }
            }
        }
    }

    /// The cells of every row add up to its width, and no wide character is split.
    private func expectSoundRows(_ frame: Frame) {
        for row in 0..<frame.size.rows {
            let cells = Array(frame.row(row))
            let isSound = cells.indices.allSatisfy { column in
                switch cells[column].width {
                case 2: column + 1 < cells.count && cells[column + 1].width == 0
                case 0: column > 0 && cells[column - 1].width == 2
                default: cells[column].width == 1
                }
            }
            #expect(cells.reduce(0) { $0 + $1.width } == frame.size.columns && isSound)
        }
    }

    @Test(
        "The delay since publication is shown only if the clocks agree",
        arguments: [
            (-0.038, "on your screen 38 ms after it was published"), (-12, "on your screen 12 s after"), (-61, nil), (0.5, nil),
        ])
    func latencyNeedsAgreeingClocks(published: Double, text: String?) {
        let content = OverlaySamples.paused { content in
            content.lastAnswer?.metadata = ExchangeMetadata(
                bytes: 118, isPushed: true, publishedAt: OverlaySamples.since.addingTimeInterval(published))
        }
        let shown = killText(content.opened(.details), 100, 30)
        #expect(shown.contains("on your screen") == (text != nil))
        if let text { #expect(shown.contains(text)) }
    }

    @Test func noMessageDrawsItsOwnEnd() throws {
        let forged = OverlaySamples.paused { $0.message = String(repeating: "─", count: 400) + "\nq quit" }
        let rows = killText(forged, 80, 24).split(separator: "\n", omittingEmptySubsequences: false)
        let upper = try #require(rows.first { $0.contains("message from demo.local") })
        let inside = rows.filter { $0.hasPrefix("    ──") }
        #expect(!inside.isEmpty)
        #expect(inside.allSatisfy { $0.count + 2 <= upper.count })
    }

    @Test func scrollingEndsWhereTheMessageDoes() {
        let view = KillSwitchView()
        var content = OverlaySamples.paused { $0.message = OverlaySamples.longMessage }
        let size = Size(columns: 80, rows: 24)
        content.presentation.scroll = view.scrollLimit(for: content, size: size)
        let last = drawn(view, content, 80, 24)
        #expect(last.text.contains("Questions: the operators"))
        content.presentation.scroll = 1000
        #expect(drawn(view, content, 80, 24) == last)
        #expect(view.scrollLimit(for: OverlaySamples.paused, size: size) == 0)
        #expect(view.scrollLimit(for: OverlaySamples.paused.opened(.help), size: Size(columns: 40, rows: 12)) > 0)
        #expect(view.scrollLimit(for: content, size: Size(columns: 0, rows: 0)) == 0)
    }

    @Test func keysWithNothingToActOnAreNotOffered() {
        let bare = drawn(ForceUpdateView(), OverlaySamples.updateOfNothingKnown, 120, 24).text
        #expect(!bare.contains("u update") && !bare.contains("o open link") && !bare.contains("y copy link"))
        let full = drawn(ForceUpdateView(), OverlaySamples.update, 120, 24).text
        #expect(full.contains("u update") && full.contains("o open link") && full.contains("y copy link"))
        #expect(!killText(OverlaySamples.paused { $0.message = nil }, 80, 24).contains("copy message"))
        #expect(ForceUpdateView().keyMap.effective(for: OverlaySamples.updateOfNothingKnown).action(for: .character("u")) == nil)
    }

    @Test func theHelpPageNamesEveryKeyOfTheFooter() {
        for view in [KillSwitchView(), ForceUpdateView()] as [any OverlayView] {
            let content = view is KillSwitchView ? OverlaySamples.paused : OverlaySamples.update
            let help = drawn(view, content.opened(.help), 100, 40).text
            for binding in view.keyMap.bindings {
                #expect(help.contains(binding.help))
            }
        }
    }

    @Test("The whole text of the link is a terminal hyperlink")
    func linkIsATerminalHyperlink() throws {
        let frame = drawn(ForceUpdateView(), OverlaySamples.update, 80, 24)
        let linked = frame.cells.filter { $0.style.link == "https://demo.local/get" }.map(\.text).joined()
        #expect(linked == "https://demo.local/get")
    }

    @Test func aLongLinkIsShownWhole() {
        let link = "https://demo.local/" + String(repeating: "release/", count: 20)
        let frame = drawn(ForceUpdateView(), OverlaySamples.update { $0.link = link }, 60, 40)
        #expect(frame.cells.filter { $0.style.link == link }.map(\.text).joined() == link)
    }

    @Test("The largest drawing that fits is shown, and a long message replaces it")
    func largestFittingArtIsShown() {
        func artRows(_ content: OverlayContent, _ columns: Int, _ rows: Int) -> Int {
            let frame = drawn(KillSwitchView(), content, columns, rows)
            return (0..<rows).filter { frame.row($0).contains { $0.text != " " && $0.style.attributes.contains(.dim) } }.count
        }
        #expect(artRows(OverlaySamples.paused, 120, 36) == 11)
        #expect(artRows(OverlaySamples.paused, 119, 36) == 6)
        #expect(artRows(OverlaySamples.paused, 80, 24) == 6, "the size of most terminals")
        #expect(artRows(OverlaySamples.paused, 59, 24) == 0)
        #expect(artRows(OverlaySamples.paused, 80, 18) == 0)
        #expect(artRows(OverlaySamples.paused { $0.message = OverlaySamples.longMessage }, 120, 36) == 0)
    }

    @Test("A large title is shown only if it is enabled and there is room")
    func largeTitleIsOptional() {
        func hasLargeTitle(_ content: OverlayContent, _ columns: Int, _ rows: Int) -> Bool {
            let frame = drawn(KillSwitchView(), content, columns, rows)
            #expect(frame.text.contains("■  SERVICE PAUSED"), "the title is also text")
            return frame.text.contains("▄▀▀▀ █▀▀▀") || frame.text.contains("██  ██")
        }
        #expect(hasLargeTitle(OverlaySamples.paused, 100, 30))
        #expect(hasLargeTitle(OverlaySamples.paused, 200, 60))
        #expect(!hasLargeTitle(OverlaySamples.paused, 80, 24), "the drawing has precedence")
        #expect(!hasLargeTitle(OverlaySamples.paused, 70, 30), "the letters would not fit")
        #expect(!hasLargeTitle(OverlaySamples.paused { $0.message = OverlaySamples.longMessage }, 100, 30))
        #expect(!hasLargeTitle(OverlaySamples.paused { $0.usesLargeTitles = false }, 200, 60))
    }

    @Test func aWaitOfHoursAndWrongNumbersAreWords() {
        func interval(_ requested: Double, on page: OverlayPresentation.Page = .details) -> String {
            killText(
                OverlaySamples.paused {
                    $0.presentation.page = page
                    $0.interval = NextCheck(
                        due: MonotonicInstant(), wait: .seconds(60), origin: .server,
                        clamp: IntervalClamp(requested: requested, used: .seconds(60))
                    )
                    $0.countdown = .init(remaining: .seconds(7322), total: .seconds(9000))
                }, 80, 24)
        }
        #expect(interval(.nan).contains("every 60 s, the server requested no number"))
        #expect(interval(.infinity).contains("the server requested ∞ s"))
        #expect(interval(-5).contains("the server requested -5 s"))
        #expect(interval(1e300).contains("the server requested 1e+300 s"))
        #expect(interval(0.25).contains("the server requested 0.25 s"))
        #expect(interval(0, on: .status).contains("next check in 2:02:02"))
    }

    @Test func aLongWaitIsStillReadInTheSmallestView() {
        let text = killText(
            OverlaySamples.paused { $0.countdown = .init(remaining: .seconds(3600), total: .seconds(3600)) }, 20, 5)
        #expect(
            text == """
                 ■  SERVICE PAUSED
                 │ demo.local: We …
                   still running
                    next 1:00:00
                 ? help      q quit
                """)
    }

    /// A failed check may change words, but nothing moves.
    @Test func aFailedCheckKeepsTheLayout() {
        let program = "example is still running"
        for (columns, rows) in [(20, 5), (20, 6), (30, 9), (40, 12), (60, 18), (80, 24), (100, 30), (120, 36), (200, 60)] {
            for change in [{ _ in }, { $0.message = nil }, { $0.message = OverlaySamples.longMessage }]
                as [(inout OverlayContent) -> Void]
            {
                for (view, content) in [(KillSwitchView(), OverlaySamples.paused), (ForceUpdateView(), OverlaySamples.update)]
                    as [(any OverlayView, OverlayContent)]
                {
                    var calm = content
                    change(&calm)
                    var failing = calm
                    (failing.failures, failing.failure) = (3, "no complete reply within 30 s")
                    let rows = [calm, failing].map { content in
                        drawn(view, content, columns, rows).text.split(separator: "\n", omittingEmptySubsequences: false)
                    }
                    let changed = zip(rows[0], rows[1]).count { $0 != $1 }
                    #expect(changed <= 2, "\(columns)×\(rows.count): the countdown and the line below it")
                    let texts = rows.map { $0.first { $0.contains(program) || $0.contains("still running") } }
                    #expect(texts[0] == texts[1])
                }
            }
        }
    }

    @Test("The app's own text is sanitized and replaces the default text")
    func appTextIsSanitized() {
        let shown = killText(OverlaySamples.paused { $0.app.whileCovered = "Kept.\u{1B}[2J\u{202E}" }, 80, 24)
        #expect(shown.contains("Kept.") && !shown.contains("\u{1B}") && !shown.contains("still running"))
        for empty in ["", nil] as [String?] {
            #expect(killText(OverlaySamples.paused { $0.app.whileCovered = empty }, 80, 24).contains("still running underneath"))
        }
    }
}
