import Bellerophon
import BellerophonBase
import TerminalUI

/// A question before something that can't be undone: ending the program, running a command, opening an address.
///
/// One key confirms, and only once the footer names it, which is a second after the question. Every other key withdraws the
/// question, except the one that asked: it may be held down.
struct OverlayQuestion: Equatable, Sendable {
    /// The title: `End vim?`
    let title: String
    /// The title on a narrow terminal.
    let shortTitle: String
    /// The command or the address in full, or what ending the program means.
    let text: String
    /// The word beside the confirming key: `end vim`.
    let word: String
    /// What is said when the question is withdrawn.
    let withdrawal: String
    /// What happens if it is confirmed.
    let effect: OverlayEffect
    /// Whether the text must have been readable: without room for it, the question is not asked.
    let needsRoom: Bool
    /// The key that asked.
    let asking: Key
    /// The time in which the confirming key does not count.
    var hold: KeyHold
    /// Whether the confirming key counts, as far as the screen says.
    var isReady = false
    /// The index of the first visible line of the text.
    var scroll = 0

    /// The key that confirms: never the one that asked.
    var confirming: Key { .character(asking == .character("y") ? "Y" : "y") }

    /// The longest command or address that is asked about, in bytes.
    static let textLimit = 16_384
    /// The longest name of a program in a question, in columns.
    private static let nameColumns = 30

    static func end(_ content: OverlayContent, asking: Key, at now: MonotonicInstant) -> OverlayQuestion {
        let name = shortName(content)
        return OverlayQuestion(
            title: "End \(name)?", shortTitle: "End \(name)?",
            text: content.app.mayLoseWork
                ? "Unsaved work may be lost." : "Started again, it shows this view until the status clears.", word: "end \(name)",
            withdrawal: "\(name) was not ended", effect: .quit, needsRoom: false, asking: asking, hold: KeyHold(from: now))
    }

    static func run(
        _ command: UpdateCommand, _ content: OverlayContent, asking: Key, at now: MonotonicInstant
    ) -> OverlayQuestion {
        let text = TextSanitizer.sanitize(command.text, limit: textLimit, lines: textLimit)
        let name = shortName(content)
        let isStarted = content.program != .notStarted
        let warning = content.app.mayLoseWork && isStarted ? " Unsaved work may be lost." : ""
        let restart =
            isStarted ? "\n\nAfterwards \(name) is ended and started again.\(warning)" : "\n\nAfterwards \(name) starts."
        return OverlayQuestion(
            title: command.restarts && isStarted ? "Run this command and restart \(name)?" : "Run this command?",
            shortTitle: "Run this?",
            text: command.restarts ? text + restart : text, word: "run it", withdrawal: "the command was not run",
            effect: .runUpdate(command), needsRoom: true, asking: asking, hold: KeyHold(from: now))
    }

    static func restart(
        _ version: String?, _ content: OverlayContent, asking: Key, at now: MonotonicInstant
    ) -> OverlayQuestion {
        let name = shortName(content)
        let start = "\(name) is ended, and \(version ?? "the installed version") starts in its place."
        return OverlayQuestion(
            title: "Start \(name) again?", shortTitle: "Start again?",
            text: content.app.mayLoseWork ? "\(start) Unsaved work may be lost." : start, word: "start it",
            withdrawal: "\(name) was not started again", effect: .restart(version: version), needsRoom: false, asking: asking,
            hold: KeyHold(from: now))
    }

    private static func shortName(_ content: OverlayContent) -> String {
        CellText.truncate(TextSanitizer.sanitize(content.app.name, keepingNewlines: false), columns: nameColumns)
    }

    static func open(_ address: String, asking: Key, at now: MonotonicInstant) -> OverlayQuestion {
        OverlayQuestion(
            title: "Open this address?", shortTitle: "Open this?",
            text: TextSanitizer.sanitize(address, keepingNewlines: false, limit: textLimit),
            word: "open it", withdrawal: "the address was not opened", effect: .openLink(address), needsRoom: true,
            asking: asking, hold: KeyHold(from: now))
    }
}
