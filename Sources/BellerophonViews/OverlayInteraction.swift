package import Bellerophon
package import TerminalUI

/// What a key does on an overlay, for every window that shows one: the open page, the scroll position and the notice change
/// here, everything else is an effect that the window performs.
package struct OverlayInteraction: Equatable, Sendable {
    /// How long a notice is shown, unless a key ends it before.
    package static let noticeTime = Duration.seconds(4)

    /// What the person has opened. The window draws it with the content.
    package private(set) var presentation = OverlayPresentation()
    /// The number of the last notice, so that the end of an earlier one does not remove it.
    private var noticeNumber = 0

    /// The initial state: the status page, not scrolled, without a notice.
    package init() {}

    /// Returns to the initial state, for a new view.
    package mutating func reset() {
        presentation = OverlayPresentation()
    }

    /// Handles a key. Every key ends the notice; a key without a meaning on the overlay does nothing else.
    ///
    /// Control-C quits, Control-Z stops the program, Control-L redraws every cell and the wheel scrolls, whatever the key map
    /// of the view says. Changes of the terminal's size are the window's.
    /// - Parameters:
    ///   - content: the content that is shown; nil if there is none.
    ///   - view: the view that is shown. Its key map has the commands.
    ///   - size: the terminal's size, for scrolling by pages.
    @MainActor
    package mutating func handle(
        _ key: Key, content: OverlayContent?, view: (any OverlayView)?, size: Size
    ) -> [OverlayEffect] {
        let ended = endNotice()
        let effects: [OverlayEffect] =
            switch key {
            case .control("c"): [.quit]
            case .control("z"): [.suspend]
            case .control("l"): [.redrawEveryCell]
            case .mouse(let event) where event.kind == .wheelUp: scroll(by: -Self.lines(key, size), content, view, size)
            case .mouse(let event) where event.kind == .wheelDown: scroll(by: Self.lines(key, size), content, view, size)
            default: view?.keyMap.action(for: key).map { perform($0, key, content, view, size) } ?? []
            }
        return effects.first == .redraw ? effects : ended + effects
    }

    @MainActor
    private mutating func perform(
        _ command: OverlayCommand, _ key: Key, _ content: OverlayContent?, _ view: (any OverlayView)?, _ size: Size
    ) -> [OverlayEffect] {
        switch command {
        case .checkNow: [.check]
        case .toggleDetails: show(presentation.page == .details ? .status : .details)
        case .toggleHelp: show(presentation.page == .help ? .status : .help)
        case .close: show(.status)
        case .scrollToTop: scroll(by: -presentation.scroll, content, view, size)
        case .scrollToEnd: scroll(by: .max, content, view, size)
        case .scrollUp: scroll(by: -Self.lines(key, size), content, view, size)
        case .scrollDown: scroll(by: Self.lines(key, size), content, view, size)
        case .copyMessage: copy(content?.message, named: "message")
        case .copyLink: copy(content?.link, named: "link")
        case .openLink: openLink(content?.link)
        case .runUpdate: runUpdate(content?.app.updateCommand)
        case .quit: presentation.page == .status ? [.quit] : show(.status)
        }
    }

    private mutating func show(_ page: OverlayPresentation.Page) -> [OverlayEffect] {
        presentation.page = page
        presentation.scroll = 0
        return [.redraw]
    }

    private mutating func copy(_ text: String?, named name: String) -> [OverlayEffect] {
        guard let text, !text.isEmpty else { return notify("there is no \(name) to copy") }
        return [.copy(text: text, name: name)]
    }

    private mutating func openLink(_ link: String?) -> [OverlayEffect] {
        guard let link, LinkRun.isSafe(link) else { return notify("there is no link to open") }
        return [.openLink(link)]
    }

    private mutating func runUpdate(_ command: String?) -> [OverlayEffect] {
        guard let command, !command.isEmpty else { return notify("no update command is configured") }
        return [.runUpdate(command: command)]
    }
}

// MARK: - Scrolling

extension OverlayInteraction {
    /// The lines by which a key scrolls: half a screen for a page key.
    private static func lines(_ key: Key, _ size: Size) -> Int {
        switch key {
        case .pageUp, .pageDown: max(1, size.rows / 2)
        case .mouse: 3
        default: 1
        }
    }

    /// Scrolls within the text, if the view reports its scroll limit.
    @MainActor
    private mutating func scroll(
        by lines: Int, _ content: OverlayContent?, _ view: (any OverlayView)?, _ size: Size
    ) -> [OverlayEffect] {
        guard var shown = content else { return [] }
        shown.presentation = presentation
        let limit = (view as? any ScrollableOverlayView)?.scrollLimit(for: shown, size: size) ?? .max
        let (wanted, overflows) = presentation.scroll.addingReportingOverflow(lines)
        presentation.scroll = max(0, min(overflows ? .max : wanted, limit))
        return [.redraw]
    }
}

// MARK: - Notices

extension OverlayInteraction {
    /// Shows a notice for ``noticeTime``, or until the next key.
    package mutating func notify(_ text: String) -> [OverlayEffect] {
        noticeNumber += 1
        presentation.notice = text
        return [.redraw, .awaitNoticeEnd(noticeNumber)]
    }

    /// Ends the notice, if there is one. For a key that something else than the overlay may take.
    package mutating func endNotice() -> [OverlayEffect] {
        guard presentation.notice != nil else { return [] }
        presentation.notice = nil
        return [.redraw]
    }

    /// Ends the notice of this number, if it is still shown.
    package mutating func noticeExpired(_ number: Int) -> [OverlayEffect] {
        number == noticeNumber ? endNotice() : []
    }

    /// Says what became of a text for the clipboard.
    /// - Parameter wasSent: whether the terminal is known to take such requests. Whether it did is never known.
    package mutating func clipboardAnswered(_ name: String, wasSent: Bool) -> [OverlayEffect] {
        notify(wasSent ? "\(name) sent to the clipboard" : "this terminal has no clipboard that a program can reach")
    }

    /// Says what became of a request to open a link.
    package mutating func linkEnded(_ end: LinkEnd) -> [OverlayEffect] {
        switch end {
        case .opened(let name): notify("opening the link with \(name)")
        case .copied: notify("no browser to open here; link sent to the clipboard")
        case .failed: notify("no browser to open here")
        }
    }
}
