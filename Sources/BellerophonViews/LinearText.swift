package import Bellerophon
import BellerophonBase
import Foundation
package import TerminalUI

/// The text of a view in reading order, one statement in a line, for people who do not see the screen.
///
/// Everything that a view says in words is here, and nothing else: no drawing, no rule, no bar. A countdown is the length of the
/// wait, which does not change while the line stands.
package struct LinearText {
    private let content: OverlayContent
    private let keys: KeyMap<OverlayCommand>
    private let face: OverlayTheme
    private var phrases: OverlayPhrases { content.phrases }

    /// More columns than any text has, so that nothing is wrapped or shortened.
    private static let columns = 100_000

    /// - Parameter keys: the view's key map. Keys that have no effect at the moment are not named.
    package init(_ content: OverlayContent, keys: KeyMap<OverlayCommand>) {
        self.content = content
        self.keys = keys.effective(for: content)
        face = .of(content)
    }

    /// The text of the open page.
    package var lines: [String] {
        let notice = content.presentation.notice.map { [sentence($0)] } ?? []
        return [title] + [origin].compactMap(\.self) + page + told + notice + [keyLine].compactMap(\.self)
    }

    /// What the open page says, without the state above it and the keys below it.
    package var page: [String] {
        switch content.presentation.page {
        // The program is gone, and nothing more is checked for it.
        case .status where content.update?.isBroken == true: message + offer
        case .status: versions + message + offer + program + nextCheck + standing
        case .details: details
        case .help: help
        }
    }

    // MARK: The state

    /// The state and the app: `Service paused: example 1.4.0`.
    package var title: String {
        let version = content.stage == .updateRequired ? content.installedVersion : content.app.version
        let app = [content.app.name, version].compactMap(\.self).joined(separator: " ")
        let isUpdate = content.stage == .updateRequired && version != nil
        let page = content.pageTitle.map { ", \($0)" } ?? ""
        return "\(face.title)\(page): \(isUpdate ? phrases.frame.installed.with(["version": app]) : app)"
    }

    /// What the person is told beside the state, such as a maintenance that is announced.
    package var told: [String] { content.notice.map { [sentence(NoticeWords.text($0, columns: Self.columns))] } ?? [] }

    private var origin: String {
        let source = content.isStoppedLocally ? phrases.frame.thisMachine : content.source
        let problem = content.isStoppedLocally ? nil : content.addressProblem.map(phrases.words)
        return phrases.spoken.source.with(["source": source + (problem.map { ", \($0)" } ?? "")])
            + (content.isSimulated ? " (\(phrases.spoken.simulated))" : "")
    }

    private var versions: [String] {
        guard content.stage == .updateRequired, let version = content.neededVersion else { return [] }
        let isUnknown = content.app.version == nil && content.isVersionUnknown
        return [phrases.spoken.needs.with(["version": version])]
            + (isUnknown ? [sentence(phrases.update.installedUnknown)] : [])
    }

    // MARK: The message and what helps

    /// The message with its origin, or the view's own text without one.
    package var message: [String] {
        guard let message = content.message else { return [face.ownMessage] }
        let label = content.messageLabel
        return ["\(Self.capitalized(label)):"]
            + message.split(separator: "\n").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    /// How a required version can be had.
    package var offer: [String] {
        guard content.stage == .updateRequired else { return [] }
        if let report = content.update {
            return UpdateOffer(content: content, report: report, columns: Self.columns, rows: 100).lines
                .map { sentence($0.text) }
        }
        let lines = content.offers.map { "\(Self.capitalized($0.label)) \($0.text.text)" }
        return lines.isEmpty ? [phrases.update.whereYouGotIt.with(["name": content.app.name])] : lines
    }

    // MARK: The program and the checks

    /// What happens to the program, and how the view ends.
    package var program: [String] {
        guard content.update?.isBroken != true else { return [] }
        // The name of a program keeps its letters.
        let lines = ProgramWords.lines(content, columns: Self.columns, rows: 2).map(stopped)
        if let stop = content.localStop, !content.isStoppedLocally {
            return lines + OverlayWords.alsoStopped(stop, phrases).prefix(1)
        }
        return lines + (content.message == nil ? [] : [face.end].compactMap(\.self))
    }

    /// When the view ends, and when the server is asked again.
    private var nextCheck: [String] {
        if content.isStoppedLocally, let stop = content.localStop {
            return [Self.capitalized(phrases.status.releaseWith.with(["command": stop.release]))]
        }
        let end = content.stage == .killed ? content.endText.map { sentence(phrases.status.backAt.with(["time": $0])) } : nil
        return [end].compactMap(\.self) + [check]
    }

    private var check: String {
        guard let countdown = content.countdown else {
            let listening = phrases.status.listening[0].drop { !$0.isLetter }
            return sentence(content.isListening ? String(listening) : phrases.status.checking)
        }
        let isFailing = content.failures > 0
        let time = content.now.map { content.timeText($0.addingTimeInterval(countdown.remaining.inSeconds)) }
        if content.reducesMotion, let time {
            return sentence((isFailing ? phrases.status.nextTryAt : face.countdownAt).with(["time": time]))
        }
        let wait = Duration.seconds(countdown.remaining.inSeconds.rounded(.up)).briefText
        let words = isFailing ? phrases.status.nextTryIn : face.countdownIn
        return sentence(words.with(["time": wait + (time.map { " (\($0))" } ?? "")]))
    }

    private var standing: [String] {
        if content.isStoppedLocally, let stop = content.localStop {
            let values: KeyValuePairs = ["time": content.timeText(stop.since), "author": OverlayWords.author(stop, phrases)]
            return [sentence(phrases.status.stoppedBy.with(values))]
        }
        let since = content.since.map { face.since.with(["time": content.timeText($0)]) }
        return ([problem, since, OverlayWords.basis(content.standing, phrases)] as [String?]).compactMap(\.self).map(sentence)
    }

    /// The problem with the checks; nil without one.
    private var problem: String? {
        OverlayWords.problems(content, still: face.still).first.map { $0.hasPrefix("! ") ? String($0.dropFirst(2)) : $0 }
    }

    // MARK: Other pages

    private var details: [String] {
        DetailsPage.rows(content, face: face).map { row in
            let text = row.text.text.hasPrefix("! ") ? String(row.text.text.dropFirst(2)) : row.text.text
            return row.label.isEmpty ? text : "\(row.label): \(text)"
        } + DetailsPage.excerpt(content)
    }

    private var help: [String] {
        (keys.help + content.presentation.accessoryKeys).map { "\(Self.spoken($0.key)): \($0.word)" }
            + [content.phrases.frame.helpNote]
    }

    // MARK: Keys

    /// The keys with their meaning in one line; nil if no key has an effect.
    package var keyLine: String? {
        let accessoryKeys = content.presentation.accessoryKeys
        if content.presentation.ignoresKeys, accessoryKeys.isEmpty { return sentence(phrases.frame.keysWait[0]) }
        let pages = OverlayPages(content, face, keys: keys)
        let hints = content.presentation.ignoresKeys ? accessoryKeys : pages.hints
        guard !hints.isEmpty else { return nil }
        let text = hints.map { "\(Self.spoken($0.key)) \($0.word)" }.joined(separator: ", ")
        return phrases.spoken.keys.with(["keys": text])
    }

    /// The keys that answer a question, in one line.
    func keyLine(answering question: OverlayQuestion) -> String {
        let words = phrases.questions
        let answers = "\(Self.spoken(question.confirming.label)) \(question.word), \(words.anyKey) \(words.goesBack)"
        return phrases.spoken.keys.with(["keys": answers])
    }

    /// The label of a key without characters that a screen reader leaves out.
    private static func spoken(_ label: String) -> String {
        let names: [(String, String)] = [
            ("↑↓", "Up/Down"), ("↑", "Up"), ("↓", "Down"), ("←", "Left"), ("→", "Right"), ("⏎", "Enter"),
        ]
        return names.reduce(label) { $0.replacing($1.0, with: $1.1) }
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private func sentence(_ text: String) -> String { stopped(Self.capitalized(text)) }

    /// The text with a full stop, unless it has an end.
    private func stopped(_ text: String) -> String {
        let hasEnd = text.last.map { ".:?!…。？！".contains($0) } ?? true
        return hasEnd ? text : text + phrases.spoken.stop
    }
}
