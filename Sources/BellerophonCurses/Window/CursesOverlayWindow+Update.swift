import Bellerophon
import BellerophonViews
import Foundation
import Processes
import TerminalIO
import TerminalUI

extension CursesOverlayWindow {
    /// Leaves the screen, runs the app's update command in the terminal, waits for Enter and returns to the overlay.
    ///
    /// The overlay is not dismissed; the next status decides.
    package func runUpdate(_ command: String) {
        guard let session, let content = display.cover?.content else { return }
        session.lend()
        say(UpdateWords.begin(command, of: content.app.name, backTo: content.olderVersion))
        ChildProcess.runShell(command) { [weak self] end in
            self?.updateEnded(end)
        }
    }

    private func updateEnded(_ end: ChildProcess.End) {
        guard let session, !session.isClosed else { return }
        session.restoreOriginalModes()
        // Discard keys that were typed before the prompt.
        session.terminal.dropInput()
        say(UpdateWords.ended(end.description))
        session.awaitLine { [weak self] in
            session.takeBack()
            // What is typed for the end of the command is not meant for the view.
            self?.beginAnew()
            self?.resumeHost()
            self?.responder?.overlayDidRunUpdate()
        }
    }

    private func say(_ text: String) {
        session?.write(TextSanitizer.printable(text).replacingOccurrences(of: "\n", with: "\r\n"))
    }
}
