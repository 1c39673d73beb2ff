package import Bellerophon
package import TerminalUI

/// What a key does on an overlay, for every window that shows one: the open page, the scroll position, the notice and the
/// question change here, everything else is an effect that the window performs.
///
/// Keys that come just as a view does were meant for the program below it. For a second, and then until no key has come for
/// half a second, they only say in the footer that they were ignored. Some count at any time, because they can't do harm:
/// Control-C, which asks before it ends the program; Control-Z, which stops the program until `fg`; Control-L, which draws the
/// view again; and the wheel, which scrolls.
///
/// What ends the program or acts outside of it asks first; see ``OverlayQuestion``.
package struct OverlayInteraction: Equatable, Sendable {
    /// How long a notice is shown, unless a key ends it before.
    package static let noticeTime = Duration.seconds(4)

    /// What the person has opened. The window draws it with the content.
    package internal(set) var presentation = OverlayPresentation()
    /// The question that is shown; nil without one.
    var question: OverlayQuestion?
    /// The time in which keys do not count; nil after it.
    var hold: KeyDelay? {
        didSet { presentation.ignoresKeys = hold != nil }
    }
    /// When the notice ends; nil without one.
    var noticeEnd: MonotonicInstant?
    /// The words of notices, in the language of the content that was last shown.
    var phrases = OverlayPhrases.english
    /// When the window calls ``wake(at:)`` next; nil if it does not.
    var wakeDue: MonotonicInstant?

    /// The initial state: the status page, not scrolled, without a notice. Keys count.
    package init() {}

    /// Returns to the initial state, after the view has gone.
    package mutating func reset() {
        let known = phrases
        self = OverlayInteraction()
        phrases = known
    }

    /// A view comes up: the first one, one in place of another, or one that was away with the terminal. It begins with its
    /// status page. A question is withdrawn, and keys do not count yet.
    package mutating func begin(at now: MonotonicInstant) -> [OverlayEffect] {
        reset()
        hold = KeyDelay(from: now)
        return [.redraw] + awaitChange(at: now)
    }

    /// Whether a question is shown. It gets every key before an accessory.
    package var isAsking: Bool { question != nil }

    /// Handles a key. Every key ends the notice. A key without a meaning on the overlay says so.
    ///
    /// Control-C, Control-Z, Control-L and the wheel work whatever the key map of the view says. Changes of the terminal's size
    /// are the window's.
    /// - Parameters:
    ///   - content: the content that is shown; nil if there is none.
    ///   - view: the view that is shown. Its key map has the commands.
    ///   - size: the view's size, for scrolling by pages.
    ///   - now: the time at which the key came.
    @MainActor
    package mutating func handle(
        _ key: Key, content: OverlayContent?, view: (any OverlayView)?, size: Size, at now: MonotonicInstant
    ) -> [OverlayEffect] {
        if let content { phrases = content.phrases }
        endHold(at: now)
        let ended = hold == nil ? endNotice() : []
        let screen = Screen(content: content, view: view, size: size, now: now)
        let effects = effects(of: key, on: screen)
        return effects.first == .redraw ? effects : ended + effects
    }

    /// What a key acts on.
    struct Screen {
        let content: OverlayContent?
        let view: (any OverlayView)?
        let size: Size
        let now: MonotonicInstant
    }

    @MainActor
    private mutating func effects(of key: Key, on screen: Screen) -> [OverlayEffect] {
        switch key {
        case .control("l"): return [.redrawEveryCell]
        case .control("z"): return withdraw() + [.suspend]
        case .mouse(let event) where event.kind == .wheelUp: return scroll(byWheel: -3, on: screen)
        case .mouse(let event) where event.kind == .wheelDown: return scroll(byWheel: 3, on: screen)
        case .mouse, .resize: return []
        default: break
        }
        if question != nil { return answer(key, on: screen) }
        if key == .control("c") { return askToQuit(key, on: screen) }
        if hold != nil { return ignoreKey(at: screen.now) }
        guard let view = screen.view else { return [] }
        guard let command = view.keyMap.action(for: key) else { return explain(key, view, at: screen.now) }
        return perform(command, key, on: screen)
    }

    @MainActor
    private mutating func perform(_ command: OverlayCommand, _ key: Key, on screen: Screen) -> [OverlayEffect] {
        switch command {
        case .checkNow: [.check]
        case .toggleDetails: show(presentation.page == .details ? .status : .details)
        case .toggleHelp: show(presentation.page == .help ? .status : .help)
        case .close: show(.status)
        case .scrollToTop: scroll(by: -presentation.scroll, on: screen)
        case .scrollToEnd: scroll(by: .max, on: screen)
        case .scrollUp: scroll(by: -Self.lines(key, screen.size), on: screen)
        case .scrollDown: scroll(by: Self.lines(key, screen.size), on: screen)
        case .copyMessage: copy(screen.content?.message, named: phrases.answers.message, at: screen.now)
        case .copyLink: copy(screen.content?.link, named: phrases.answers.link, at: screen.now)
        case .openLink: openLink(screen.content?.link, key, on: screen)
        case .runUpdate: update(key, on: screen)
        case .quit: presentation.page == .status ? askToQuit(key, on: screen) : show(.status)
        }
    }

    private mutating func show(_ page: OverlayPresentation.Page) -> [OverlayEffect] {
        presentation.page = page
        presentation.scroll = 0
        return [.redraw]
    }

    private mutating func copy(_ text: String?, named name: String, at now: MonotonicInstant) -> [OverlayEffect] {
        guard let text, !text.isEmpty else { return notify(phrases.answers.nothingToCopy.with(["name": name]), at: now) }
        return [.copy(text: text, name: name)]
    }

    @MainActor
    private mutating func explain(_ key: Key, _ view: any OverlayView, at now: MonotonicInstant) -> [OverlayEffect] {
        let help = view.keyMap.bindings.first { $0.action == .toggleHelp }?.keys.first
        let label = TextSanitizer.sanitize(key.label, keepingNewlines: false, limit: 40)
        let words =
            label.isEmpty ? phrases.answers.noMeaning : phrases.answers.keyWithoutMeaning.with(["key": label])
        return notify(words + (help.map { phrases.answers.keyForHelp.with(["key": $0.label]) } ?? ""), at: now)
    }
}

// MARK: - Scrolling

extension OverlayInteraction {
    /// The lines by which a key scrolls: half a screen for a page key.
    private static func lines(_ key: Key, _ size: Size) -> Int {
        switch key {
        case .pageUp, .pageDown: max(1, size.rows / 2)
        default: 1
        }
    }

    static func scrolled(_ start: Int, by lines: Int, limit: Int) -> Int {
        let (wanted, overflows) = start.addingReportingOverflow(lines)
        return max(0, min(overflows ? .max : wanted, limit))
    }

    @MainActor
    private mutating func scroll(byWheel lines: Int, on screen: Screen) -> [OverlayEffect] {
        question == nil ? scroll(by: lines, on: screen) : scrollQuestion(by: lines, on: screen) ?? []
    }

    /// Scrolls within the text.
    @MainActor
    private mutating func scroll(by lines: Int, on screen: Screen) -> [OverlayEffect] {
        guard var shown = screen.content else { return [] }
        shown.presentation = presentation
        let limit = screen.view?.scrollLimit(for: shown, size: screen.size) ?? .max
        presentation.scroll = Self.scrolled(presentation.scroll, by: lines, limit: limit)
        return [.redraw]
    }
}
