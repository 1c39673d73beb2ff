import ArgumentParser
import Dashboard
import Foundation
import ProgramKit
import TerminalUI

/// The flag that records the screen.
struct TapeOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Record the screen to this new file, as an asciicast (version 2).",
            discussion: "`asciinema play FILE` shows it in any terminal. A file that is not empty is never overwritten.",
            valueName: "file"),
        completion: .file(extensions: ["cast"])
    )
    var tape: String?

    /// Creates the file.
    /// - Parameters:
    ///   - title: the title of the recording.
    ///   - others: the names of the other files that the program writes.
    func open(_ title: String, _ display: DisplaySettings, others: [String?]) throws -> TapeRecorder? {
        guard let tape else { return nil }
        guard !display.isPlain else {
            throw ValidationError(
                "--tape: records a screen, and --plain, display.plain or ACCESSIBLE asks for lines in place of one")
        }
        guard DashboardLauncher.hasScreen else {
            throw ValidationError("--tape: records a screen; start the program in a terminal that has one")
        }
        if others.contains(where: { $0.map(RecordOptions.place) == RecordOptions.place(tape) }) {
            throw ValidationError("--tape: \(tape) is the file of another flag too; give each of them its own")
        }
        let theme = display.color == .never ? .mono : display.theme ?? .dark
        return try TapeRecorder(tape, Tape(title: title, date: Date(), theme: theme, glyphs: display.glyphs.style ?? .unicode))
    }
}
