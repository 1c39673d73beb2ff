package import Bellerophon
import BellerophonViews
import Foundation
import Processes
import ProgramUpdates
import TerminalIO
import TerminalUI

extension CursesOverlayWindow: UpdatingWindow {
    package func makeUpdateService(for app: AppInfo) -> (any UpdateService)? {
        let driver = UpdateDriver.of(
            path: UpdateSource.pathOfThisProcess, options: app.update, goesOn: prepareForRestart != nil)
        driver.onRestart = { [weak self] version in self?.restart(version: version) }
        updates = driver
        return driver
    }

    /// With a closure that saves the person's work, the program starts again after an update without a further question.
    func adoptRestart() {
        updates?.change(target: .program(goesOn: prepareForRestart != nil))
    }

    /// Leaves the screen, runs the command in the terminal, and returns to the overlay or starts the program again.
    ///
    /// The overlay is not dismissed; the next status decides.
    package func runUpdate(_ command: UpdateCommand) {
        guard let session, let content = display?.content, let updates else { return }
        session.lend()
        updates.run(command, of: content.app.name, in: terminal(of: session, content.phrases)) { [weak self] in
            if !session.isClosed { self?.updateEnded() }
        }
    }

    package func takeBackTerminal() {
        session?.reclaim()
        resumeHost()
    }

    private func terminal(of session: TerminalSession, _ phrases: OverlayPhrases) -> UpdateTerminal {
        UpdateTerminal(phrases) { [weak session] text in
            session?.write(TextSanitizer.printable(text).replacingOccurrences(of: "\n", with: "\r\n"))
        } awaitLine: { [weak self, weak session] condition, then in
            guard let self, let session, !session.isClosed else { return }
            session.restoreOriginalModes()
            // Discard keys that were typed before the prompt.
            session.terminal.dropInput()
            session.awaitLine { [weak self] in
                self?.lineLook?.cancel()
                then(true)
            }
            poll(condition, then)
        }
    }

    /// How often the condition of a wait for a line is looked at.
    private static let pollPause = Duration.milliseconds(200)

    /// Ends the wait for a line when the condition holds.
    private func poll(_ condition: @escaping @MainActor () -> Bool, _ then: @escaping @MainActor (Bool) -> Void) {
        guard !condition() else {
            // What is typed from now on is for the command.
            session?.stopReading()
            return then(false)
        }
        lineLook = time.schedule(after: Self.pollPause) { [weak self] in self?.poll(condition, then) }
    }

    // MARK: The restart

    /// Saves the work, gives the terminal back and starts the program again in place of this process.
    package func restart(version: String?) {
        if let problem = processRestart.problem {
            if session?.isLent == true { session?.reclaim() }
            return sayCannotRestart(problem)
        }
        let (further, phrases) = (prepareForRestart?() ?? [], display?.content.phrases ?? .english)
        session?.close()
        let problem = processRestart.start(adding: further, version: version)
        // The screen is gone, and the program ends as if the person had quit.
        close(saying: problem.text(phrases))
        quit()
    }
}
