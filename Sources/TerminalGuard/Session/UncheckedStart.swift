import Bellerophon
import BellerophonBase
import SafeText

/// A start without a status that could be read: the program runs, and a kill would not be seen.
struct UncheckedStart: Equatable, Sendable {
    /// Why the status could not be read, in words.
    let problem: String
    /// What the start is based on instead.
    let basis: StageBasis
    /// The age of the status that it is based on; nil without one.
    let age: Duration?

    /// A line for standard error: what failed, and what applies until the status can be read.
    func line(program: String, _ phrases: OverlayPhrases = .english) -> String {
        let words = phrases.lines
        let rule =
            switch basis {
            case .lastRun:
                words.lastStatus.with([
                    "name": program, "age": age.map { words.old.with(["age": $0.briefText]) } ?? "",
                ])
            case .bundled: words.shippedStatus.with(["name": program])
            case .nothing, .status, .policy, .dismissal: words.uncovered.with(["name": program])
            }
        return TextSanitizer.sanitize("bellerophon: \(problem); \(rule)", keepingNewlines: false, limit: 1000)
    }
}

extension UncheckedStart {
    /// Saves the terminal's title (XTWINOPS 22) and replaces it until the program sets another one.
    static func title(program: String, _ phrases: OverlayPhrases = .english) -> String {
        let name = TextSanitizer.sanitize(program, keepingNewlines: false, limit: 80)
        return "\u{1B}[22;2t\u{1B}]2;\(phrases.lines.unreadTitle.with(["name": name]))\u{7}"
    }

    /// Restores the title that ``title(program:)`` has saved.
    static let titleEnd = "\u{1B}[23;2t"
}

extension BellerophonManager {
    /// Why a program that starts now starts without a readable status; nil if a status is known or covers the program, or if
    /// nothing was waited for.
    ///
    /// A status of the last run that is still recent counts as readable until a check fails.
    /// - Parameter waited: the time that the start has waited in vain; nil if something else has decided it.
    func uncheckedStart(waited: Duration?) -> UncheckedStart? {
        guard !machine.stage.isBlocked, machine.basis != .status else { return nil }
        let phrases = OverlayPhrases(config.languages), host = config.senderName, problem: String
        if let failure = machine.failure {
            problem = phrases.lines.unreadable.with(["host": host, "failure": phrases.words(for: failure)])
        } else if let waited, waited > .zero {
            problem = phrases.lines.silent.with(["host": host, "time": waited.briefText])
        } else {
            return nil
        }
        return UncheckedStart(
            problem: problem, basis: machine.basis, age: machine.confirmedAt.map { max(.zero, $0.duration(to: now)) })
    }
}
