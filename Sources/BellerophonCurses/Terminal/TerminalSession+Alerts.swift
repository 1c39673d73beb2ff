import Foundation
import TerminalUI

/// What a terminal does beside its screen.
extension TerminalSession {
    func ringBell() {
        guard !isLent, !isClosed else { return }
        write("\u{7}")
    }

    /// Shows a title. The title from before is saved on the terminal's stack at first (XTWINOPS 22), for ``restoreTitle()``.
    func setTitle(_ text: String) {
        guard kind.takesOperatingSystemCommands, !isLent, !isClosed else { return }
        if title == nil { write("\u{1B}[22;0t") }
        title = text
        write("\u{1B}]0;\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 200))\u{7}")
    }

    /// Restores the title from before the first one. It is shown again by ``showTitleAgain()``.
    func restoreTitle() {
        if title != nil { write("\u{1B}[23;0t") }
    }

    func showTitleAgain() {
        guard let text = title else { return }
        title = nil
        setTitle(text)
    }

    /// Requests a notification: OSC 777 where the terminal is known to take it, else OSC 9, so that no terminal shows two.
    func notify(title: String, text: String) {
        guard kind.takesOperatingSystemCommands, !isLent, !isClosed else { return }
        let parts = [title, text].map { TextSanitizer.sanitize($0, keepingNewlines: false, limit: 200) }
        if kind.takesNotifications {
            // A semicolon separates the title from the text.
            write("\u{1B}]777;notify;\(parts[0].replacing(";", with: ","));\(parts[1])\u{7}")
        } else {
            write("\u{1B}]9;\(parts.filter { !$0.isEmpty }.joined(separator: ". "))\u{7}")
        }
    }
}
