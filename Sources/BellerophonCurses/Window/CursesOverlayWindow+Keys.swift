import Bellerophon
import BellerophonViews
import Foundation
import Processes
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
        press(key, in: viewSize(session.size))
        return true
    }
}

extension CursesOverlayWindow: OverlayExecutor {
    package func draw(everyCell: Bool) {
        if isPresented { session?.setNeedsPaint(whole: everyCell) }
    }

    package func sendToClipboard(_ text: String) -> Bool { session?.copy(text) ?? false }

    package func browse(_ address: String) -> String? { Browser.open(address) }

    package func suspend() { session?.stopGroup() }

    package func quit() {
        quitLine = display.map { OverlayWords.summary($0.content, name: $0.content.app.name) }
        if let onQuit { return onQuit() }
        guard let session else { return }
        guard host.isUsed else { return session.die(by: SIGTERM, saying: quitLine) }
        host.hasQuit = true
        resumeHost()
    }
}
