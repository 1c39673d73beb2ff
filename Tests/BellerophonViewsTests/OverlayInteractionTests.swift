import Bellerophon
import TerminalUI
import Testing

@testable import BellerophonViews

/// What every key does on the kill view and on the update view.
@MainActor @Suite struct OverlayInteractionTests {
    private var interaction = OverlayInteraction()
    private let size = Size(columns: 40, rows: 12)
    /// A time at which keys count: no view has just come up.
    private let now = MonotonicInstant(offset: .seconds(100))

    private let paused = OverlayUnderTest.paused, outdated = OverlayUnderTest.outdated

    private mutating func press(
        _ key: Key, on view: (any OverlayView)? = KillSwitchView(), _ content: OverlayContent? = nil
    ) -> [OverlayEffect] {
        interaction.handle(
            key, content: content ?? (view is ForceUpdateView ? outdated : paused), view: view, size: size, at: now)
    }

    /// A question is shown, and its key counts after a second.
    private static let asks: [OverlayEffect] = [.redraw, .wake(after: .seconds(1))]
    /// A notice is shown.
    private static let notice: [OverlayEffect] = [.redraw, .wake(after: OverlayInteraction.noticeTime)]

    // MARK: Commands

    @Test mutating func everyKeyOfTheKillViewHasItsEffect() {
        expect([.copyMessage: [.copy(text: paused.message ?? "", name: "message")]], of: KillSwitchView())
    }

    @Test mutating func everyKeyOfTheUpdateViewHasItsEffect() {
        let copy = OverlayEffect.copy(text: "https://demo.local/get", name: "link")
        expect([.copyLink: [copy], .openLink: Self.asks, .runUpdate: Self.asks], of: ForceUpdateView())
    }

    /// Presses every key of a view's key map.
    /// - Parameter own: the effects of the commands that only this view has.
    private mutating func expect(_ own: [OverlayCommand: [OverlayEffect]], of view: any OverlayView) {
        var effects = own
        let redraw: [OverlayCommand] = [
            .toggleDetails, .toggleHelp, .close, .scrollUp, .scrollToTop, .scrollToEnd, .scrollDown,
        ]
        for command in redraw { effects[command] = [.redraw] }
        (effects[.checkNow], effects[.quit]) = ([.check], Self.asks)
        let bindings = view.keyMap.bindings
        #expect(Set(bindings.map(\.action)) == Set(effects.keys))
        for binding in bindings {
            for key in binding.keys {
                interaction.reset()
                #expect(press(key, on: view) == effects[binding.action], "\(key.label)")
            }
        }
    }

    @Test(arguments: [(Key.character("d"), OverlayPresentation.Page.details), (.character("?"), .help), (.function(1), .help)])
    mutating func aPageIsOpenedByItsKeyAndClosedByItOrByEscape(key: Key, page: OverlayPresentation.Page) {
        for closing in [key, .escape] {
            _ = press(.down)
            #expect(press(key) == [.redraw])
            #expect(interaction.presentation.page == page && interaction.presentation.scroll == 0)
            #expect(press(closing) == [.redraw])
            #expect(interaction.presentation.page == .status)
        }
    }

    @Test mutating func qLeavesAPageBeforeItLeavesTheProgram() {
        _ = press(.character("d"))
        #expect(press(.character("q")) == [.redraw])
        #expect(interaction.presentation.page == .status)
        #expect(press(.character("q")) == Self.asks)
        interaction.reset()
        _ = press(.character("?"))
        #expect(press(.control("c")) == Self.asks)
    }

    @Test mutating func aKeyOfAnotherPageOpensIt() {
        _ = press(.character("d"))
        _ = press(.character("?"))
        #expect(interaction.presentation.page == .help)
    }

    @Test(arguments: [.control("c"), .control("z"), .control("l")] as [Key])
    mutating func controlKeysWorkWithoutAKeyMap(key: Key) {
        let effects: [Key: [OverlayEffect]] = [
            .control("c"): Self.asks, .control("z"): [.suspend], .control("l"): [.redrawEveryCell],
        ]
        for view in [nil, BareView(), KillSwitchView()] as [(any OverlayView)?] {
            interaction.reset()
            #expect(press(key, on: view) == effects[key])
        }
    }

    @Test(arguments: [
        (Key.character("x"), "x does nothing here · ? for help"), (.enter, "⏎ does nothing here · ? for help"),
        (.left, "← does nothing here · ? for help"), (.character(" "), "Space does nothing here · ? for help"),
        (.character("\u{202E}"), "this key does nothing here · ? for help"),
    ])
    mutating func aKeyWithoutAMeaningSaysSo(key: Key, notice: String) {
        #expect(press(key) == Self.notice)
        #expect(interaction.presentation.notice == notice)
        var keys = OverlayCommand.standardKeys
        keys.bindings.removeAll { $0.action == .toggleHelp }
        _ = press(key, on: KillSwitchView(keys: keys))
        #expect(interaction.presentation.notice == notice.replacing(" · ? for help", with: ""))
    }

    @Test(arguments: [.mouse(MouseEvent(.press, at: Point(column: 1, row: 1))), .resize] as [Key])
    mutating func whatIsNoKeyDoesNothing(key: Key) {
        let before = interaction
        #expect(press(key) == [])
        #expect(interaction == before)
    }

    @Test("Without a view keys have no effect")
    mutating func keysNeedAView() {
        let before = interaction
        #expect(press(.character("x"), on: nil) == [])
        #expect(interaction == before)
    }

    @Test(arguments: [.copyMessage, .copyLink, .openLink, .runUpdate] as [OverlayCommand])
    mutating func aKeyWithNothingToActOnSaysSo(command: OverlayCommand) throws {
        let view: any OverlayView = command == .copyMessage ? KillSwitchView() : ForceUpdateView()
        let key = try #require(view.keyMap.bindings.first { $0.action == command }?.keys.first)
        let notices: [OverlayCommand: String] = [
            .copyMessage: "there is no message to copy", .copyLink: "there is no link to copy",
            .openLink: "there is no link to open", .runUpdate: "no update command is configured",
        ]
        var empty = outdated
        (empty.link, empty.app.updateCommand, empty.message) = ("", "", "")
        var missing = outdated
        (missing.link, missing.app.updateCommand, missing.message) = (nil, nil, nil)
        for content in [empty, missing] {
            interaction.reset()
            #expect(press(key, on: view, content) == Self.notice)
            #expect(interaction.presentation.notice == notices[command])
        }
        #expect(interaction.handle(key, content: nil, view: view, size: size, at: now).first == .redraw)
        #expect(interaction.presentation.notice == notices[command])
    }

    @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "https://a.local/\u{1B}\\"])
    mutating func anUnsafeLinkIsNotOpened(link: String) {
        var content = outdated
        content.link = link
        #expect(press(.character("o"), on: ForceUpdateView(), content) == Self.notice)
        #expect(interaction.presentation.notice == "there is no link to open")
    }

    // MARK: Scrolling

    @Test("Text scrolls by lines, half screens and the mouse wheel within its limits, and to both ends")
    mutating func textScrollsWithinLimits() {
        let wheel = Point(column: 0, row: 0), limit = KillSwitchView().scrollLimit(for: paused, size: size)
        let steps: [(Key, Int)] = [
            (.down, 1), (.character("j"), 2), (.pageDown, 8), (.up, 7), (.character("k"), 6), (.pageUp, 0), (.up, 0),
            (.mouse(MouseEvent(.wheelDown, at: wheel)), 3), (.down, 4), (.mouse(MouseEvent(.wheelUp, at: wheel)), 1),
            (.mouse(MouseEvent(.wheelUp, at: wheel)), 0), (.end, limit), (.down, limit), (.home, 0), (.character("G"), limit),
            (.character("g"), 0),
        ]
        for (key, line) in steps {
            #expect(press(key) == [.redraw])
            #expect(interaction.presentation.scroll == line)
        }
        for _ in 0..<40 { _ = press(.pageDown) }
        #expect(limit > 10 && interaction.presentation.scroll == limit)
    }

    @Test mutating func theLimitIsThatOfTheOpenPage() {
        _ = press(.character("?"))
        for _ in 0..<40 { _ = press(.pageDown) }
        var help = paused
        help.presentation.page = .help
        #expect(interaction.presentation.scroll == KillSwitchView().scrollLimit(for: help, size: size))
    }

    @Test("A view without a scroll limit scrolls on, and without content nothing scrolls")
    mutating func unlimitedViewScrollsOn() {
        for step in 1...3 {
            _ = press(.down, on: BareView())
            #expect(interaction.presentation.scroll == step)
        }
        #expect(interaction.handle(.down, content: nil, view: BareView(), size: size, at: now) == [])
        #expect(interaction.presentation.scroll == 3)
    }

    @Test mutating func theSmallestScreenScrollsByAtLeastALine() {
        let effects = interaction.handle(
            .pageDown, content: paused, view: BareView(), size: Size(columns: 0, rows: 0), at: now)
        #expect(effects == [.redraw])
        #expect(interaction.presentation.scroll == 1)
    }

    // MARK: Notices

    @Test mutating func anyKeyEndsANoticeAndDoesWhatItDoes() {
        _ = interaction.notify("hello", at: now)
        #expect(press(.character("r")) == [.redraw, .check])
        #expect(interaction.presentation.notice == nil)
        _ = interaction.notify("hello", at: now)
        #expect(press(.down) == [.redraw], "one drawing is enough")
    }

    @Test mutating func aNoticeEndsWithItsOwnTimeOnly() {
        #expect(interaction.notify("first", at: now) == Self.notice)
        #expect(interaction.notify("second", at: now.advanced(by: .seconds(1))) == [.redraw], "the wait for the first goes on")
        #expect(interaction.wake(at: now.advanced(by: .seconds(4))) == [.wake(after: .seconds(1))])
        #expect(interaction.presentation.notice == "second")
        #expect(interaction.wake(at: now.advanced(by: .seconds(5))) == [.redraw])
        #expect(interaction.presentation.notice == nil)
        #expect(interaction.wake(at: now.advanced(by: .seconds(6))) == [])
    }

    @Test("The timer of a former notice does not remove a later one")
    mutating func oldNoticeTimerKeepsNewNotice() {
        _ = interaction.notify("first", at: now)
        interaction.reset()
        #expect(interaction.presentation == OverlayPresentation())
        _ = interaction.notify("second", at: now.advanced(by: .seconds(3)))
        #expect(interaction.wake(at: now.advanced(by: .seconds(4))) == [.wake(after: .seconds(3))])
        #expect(interaction.presentation.notice == "second")
    }

    @Test mutating func resultsAreSaidInWords() {
        let now = now
        let steps: [(inout OverlayInteraction) -> [OverlayEffect]] = [
            { $0.clipboardAnswered("link", wasSent: true, at: now) }, { $0.clipboardAnswered("link", wasSent: false, at: now) },
            { $0.linkEnded(browser: "firefox", wasCopied: false, at: now) },
            { $0.linkEnded(browser: nil, wasCopied: true, at: now) }, { $0.linkEnded(browser: nil, wasCopied: false, at: now) },
        ]
        let notices = [
            "link sent to the clipboard", "this terminal has no clipboard that a program can reach",
            "opening the link with firefox", "no browser to open here; link sent to the clipboard", "no browser to open here",
        ]
        for (step, notice) in zip(steps, notices) {
            interaction.reset()
            #expect(step(&interaction) == Self.notice)
            #expect(interaction.presentation.notice == notice)
        }
    }
}

/// A view that reports no scroll limit.
@MainActor final class BareView: OverlayView {
    func draw(_ content: OverlayContent, in frame: inout Frame) {}
}
