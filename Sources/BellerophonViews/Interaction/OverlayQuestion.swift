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
    var hold: KeyDelay
    /// The language of the question.
    let phrases: OverlayPhrases
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
        let words = content.phrases.questions
        let title = named(words.end, content)
        return OverlayQuestion(
            title: title, shortTitle: title, text: content.app.mayLoseWork ? words.mayLoseWork : words.viewStays,
            word: named(words.endWord, content), withdrawal: named(words.notEnded, content), effect: .quit, needsRoom: false,
            asking: asking, hold: KeyDelay(from: now), phrases: content.phrases)
    }

    static func run(
        _ command: UpdateCommand, _ content: OverlayContent, asking: Key, at now: MonotonicInstant
    ) -> OverlayQuestion {
        let words = content.phrases.questions
        let text = TextSanitizer.sanitize(command.text, limit: textLimit, lines: textLimit)
        let isStarted = content.program != .notStarted
        let warning = content.app.mayLoseWork && isStarted ? " " + words.mayLoseWork : ""
        let restart = "\n\n" + named(isStarted ? words.restarts : words.starts, content) + warning
        return OverlayQuestion(
            title: command.restarts && isStarted ? named(words.runAndRestart, content) : words.run, shortTitle: words.runShort,
            text: command.restarts ? text + restart : text, word: words.runWord, withdrawal: words.notRun,
            effect: .runUpdate(command), needsRoom: true, asking: asking, hold: KeyDelay(from: now), phrases: content.phrases)
    }

    static func restart(
        _ version: String?, _ content: OverlayContent, asking: Key, at now: MonotonicInstant
    ) -> OverlayQuestion {
        let words = content.phrases.questions
        let start = named(words.startText, content, version: version ?? words.installedVersion)
        return OverlayQuestion(
            title: named(words.start, content), shortTitle: words.startShort,
            text: content.app.mayLoseWork ? "\(start) \(words.mayLoseWork)" : start, word: words.startWord,
            withdrawal: named(words.notStarted, content), effect: .restart(version: version), needsRoom: false,
            asking: asking, hold: KeyDelay(from: now), phrases: content.phrases)
    }

    /// A phrase with the name of the program, which is cut.
    private static func named(_ phrase: String, _ content: OverlayContent, version: String = "") -> String {
        let name = TextSanitizer.sanitize(content.app.name, keepingNewlines: false)
        return phrase.with(["name": CellText.truncate(name, columns: nameColumns), "version": version])
    }

    static func open(
        _ address: String, _ phrases: OverlayPhrases, asking: Key, at now: MonotonicInstant
    ) -> OverlayQuestion {
        let words = phrases.questions
        return OverlayQuestion(
            title: words.open, shortTitle: words.openShort,
            text: TextSanitizer.sanitize(address, keepingNewlines: false, limit: textLimit),
            word: words.openWord, withdrawal: words.notOpened, effect: .openLink(address), needsRoom: true,
            asking: asking, hold: KeyDelay(from: now), phrases: phrases)
    }
}
