import Bellerophon
import BellerophonViews
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
        if case .mouse(let event) = key, event.kind == .press, let pressed = frame(session.size)?.key(at: event.at) {
            return handle(pressed)
        }
        interact { $0.endNotice() }
        if !interaction.isAsking, accessory?.handle(key) == true {
            refresh()
            return true
        }
        interact { $0.handle(key, content: content, view: view, size: viewSize(session.size), at: clock.now) }
        return true
    }

    func perform(_ effect: OverlayEffect) {
        switch effect {
        case .redraw: refresh()
        case .redrawEveryCell: session?.setNeedsPaint(whole: true)
        case .check: responder?.overlayRequestsCheck()
        case .copy(let text, let name):
            let wasSent = session?.copy(text) ?? false
            interact { $0.clipboardAnswered(name, wasSent: wasSent, at: clock.now) }
        case .openLink(let address):
            let end = open(address)
            interact { $0.linkEnded(end, at: clock.now) }
        case .runUpdate(let command): runUpdate(command)
        case .suspend: session?.stopGroup()
        case .quit: quit()
        case .wake(let wait): wake(after: wait)
        }
    }

    private func open(_ address: String) -> LinkEnd {
        if let browser = Browser(environment: ProcessInfo.processInfo.environment), browser.open(address) {
            return .opened(by: browser.name)
        }
        return session?.copy(address) == true ? .copied : .failed
    }

    private func quit() {
        if let onQuit { return onQuit() }
        guard let session else { return }
        guard host.isUsed else {
            return session.die(by: SIGTERM, saying: content.map { OverlayWords.summary($0, name: $0.app.name) })
        }
        host.quit()
        resumeHost()
    }

    private func wake(after wait: Duration) {
        _ = clock.schedule(after: wait) { [weak self] in
            guard let self else { return }
            interact { $0.wake(at: self.clock.now) }
        }
    }
}
