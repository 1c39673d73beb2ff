import Bellerophon
import Foundation
import TerminalUI

extension CursesOverlayWindow {
    /// Leaves the screen, runs the app's update command in the terminal, waits for Enter and returns to the overlay.
    ///
    /// The overlay is not dismissed; the next status decides.
    func runUpdate(_ command: String) {
        guard let session, let content else { return }
        let wasReading = session.isReading
        session.lend()
        say("\n── updating \(content.app.name) ──\n$ \(command)\n\n")
        ChildProcess.runShell(command) { [weak self] end in
            self?.updateEnded(end, wasReading: wasReading)
        }
    }

    private func updateEnded(_ end: ChildProcess.End, wasReading: Bool) {
        guard let session, !session.isClosed else { return }
        session.restoreOriginalModes()
        // Discard keys that were typed before the prompt.
        tcflush(0, TCIFLUSH)
        say("\n── the update \(end.description) ── Press Enter to go back.\n")
        session.awaitLine { [weak self] in
            session.takeBack(reading: wasReading)
            self?.resumeHost()
            self?.responder?.overlayDidRunUpdate()
        }
    }

    private func say(_ text: String) {
        FileDescriptorOutput.write(TextSanitizer.printable(text).replacingOccurrences(of: "\n", with: "\r\n"))
    }
}
