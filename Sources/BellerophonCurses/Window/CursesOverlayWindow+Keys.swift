import Bellerophon
import Foundation
public import TerminalUI

extension CursesOverlayWindow {
    /// Offers a key to the overlay.
    ///
    /// - Returns: true if the overlay or its accessory took the key. While the overlay is shown it takes every key except
    ///   `.resize` in a program with a ``CursesTerminal``, which must redraw its own frame.
    @discardableResult
    public func handle(_ key: Key) -> Bool {
        guard isPresented, let session else { return false }
        if session.isLent { return true }
        if key == .resize { return session.isGuest }
        dismissNotice()
        if accessory?.handle(key) == true {
            refresh()
            return true
        }
        switch key {
        case .control("c"): perform(.quit, key: key)
        case .control("z"): session.suspend()
        case .control("l"): session.setNeedsPaint(whole: true)
        case .mouse(let event) where event.kind == .wheelUp: perform(.scrollUp, key: key)
        case .mouse(let event) where event.kind == .wheelDown: perform(.scrollDown, key: key)
        default:
            if let command = view?.keyMap.action(for: key) { perform(command, key: key) }
        }
        return true
    }

    private func perform(_ command: OverlayCommand, key: Key) {
        switch command {
        case .checkNow: responder?.overlayRequestsCheck()
        case .toggleDetails: toggle(.details)
        case .toggleHelp: toggle(.help)
        case .close: show(.status)
        case .scrollUp: scroll(by: -step(of: key))
        case .scrollDown: scroll(by: step(of: key))
        case .copyMessage: copy(content?.message, named: "message")
        case .copyLink: copy(content?.link, named: "link")
        case .openLink: openLink()
        case .runUpdate: runUpdate()
        case .quit: quit()
        }
    }

    private func toggle(_ page: OverlayPresentation.Page) {
        show(presentation.page == page ? .status : page)
    }

    private func show(_ page: OverlayPresentation.Page) {
        presentation.page = page
        presentation.scroll = 0
        refresh()
    }

    private func step(of key: Key) -> Int {
        switch key {
        case .pageUp, .pageDown: max(1, (session?.size.rows ?? 0) / 2)
        case .mouse: 3
        default: 1
        }
    }

    /// Scrolls within the text, if the view reports its scroll limit.
    private func scroll(by lines: Int) {
        guard let size = session?.size, let content else { return }
        let limit = (view as? any ScrollableOverlayView).map { view in
            var shown = content
            shown.presentation = presentation
            return view.scrollLimit(for: shown, size: size)
        }
        presentation.scroll = max(0, min(presentation.scroll + lines, limit ?? .max))
        refresh()
    }

    private func copy(_ text: String?, named name: String) {
        guard let text, !text.isEmpty else { return notify("there is no \(name) to copy") }
        let sent = session?.copy(text) ?? false
        notify(sent ? "\(name) sent to the clipboard" : "this terminal has no clipboard that a program can reach")
    }

    private func openLink() {
        guard let link = content?.link, LinkRun.isSafe(link) else { return notify("there is no link to open") }
        let environment = ProcessInfo.processInfo.environment
        if let browser = Browser(environment: environment), browser.open(link) {
            notify("opening the link with \(browser.name)")
        } else if session?.copy(link) == true {
            notify("no browser to open here; link sent to the clipboard")
        } else {
            notify("no browser to open here")
        }
    }

    private func quit() {
        if let onQuit { return onQuit() }
        guard let session else { return }
        guard host.isUsed else { return session.die(by: SIGTERM) }
        host.quit()
        resumeHost()
    }

    /// Shows a notice for four seconds, or until the next key.
    func notify(_ text: String) {
        noticeCount += 1
        presentation.notice = text
        refresh()
        let count = noticeCount
        DispatchQueue.main.asyncAfter(deadline: .now() + 4) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.noticeCount == count else { return }
                self.presentation.notice = nil
                self.refresh()
            }
        }
    }

    private func dismissNotice() {
        guard presentation.notice != nil else { return }
        noticeCount += 1
        presentation.notice = nil
        refresh()
    }
}
