import Bellerophon
import TerminalUI

/// The glyph, words, style and drawing of an overlay's state.
struct OverlayTheme: Equatable, Sendable {
    let glyph: String
    /// The state in words: `Service paused`.
    let title: String
    /// The title in capitals, for large terminals.
    let headline: String
    /// A shorter headline for large letters, if there is one.
    let shortHeadline: String?
    /// The state in one word, for small terminals.
    let word: String
    let style: Style
    /// The word on the details page, which is not translated.
    let detailWord: String
    /// The words with the countdown, and those with the time of the next check.
    let countdownIn: String
    let countdownAt: String
    /// The words for the unchanged state while checks fail: `still paused`.
    let still: String
    /// The words with the time at which the state began.
    let since: String
    /// The text without a message of the server.
    var ownMessage: String
    /// How the view ends; nil if that is not certain.
    private(set) var end: String?
    /// The drawings that fit this state, the largest first.
    let art: [[String]]

    private enum Kind { case paused, closed, stopped, update, broken }

    private init(_ kind: Kind, _ phrases: OverlayPhrases, goingBackTo version: String? = nil) {
        let (own, english) = (Self.state(kind, phrases, version), Self.state(kind, .english, version))
        func with(_ phrase: String) -> String { version.map { phrase.with(["version": $0]) } ?? phrase }
        glyph = kind == .update || kind == .broken ? "▲" : "■"
        (title, headline, shortHeadline, word) = (with(own.title), with(own.headline), own.shortHeadline, own.word)
        detailWord = english.word
        style = (kind == .update ? Theme.update : kind == .broken ? Theme.warning : Theme.paused).with(.bold)
        let status = phrases.status
        (countdownIn, countdownAt) =
            kind == .update ? (status.againIn, status.againAt) : (status.nextCheckIn, status.nextCheckAt)
        (still, since, ownMessage, end) = (with(own.still), own.since, with(own.own), own.end)
        switch kind {
        case .paused, .closed, .stopped: art = [OverlayArt.sleepingChimera, OverlayArt.smallChimera]
        case .update: art = [OverlayArt.wingedHorse, OverlayArt.smallHorse]
        case .broken: art = []
        }
    }

    private static func state(_ kind: Kind, _ phrases: OverlayPhrases, _ version: String?) -> OverlayPhrases.State {
        switch kind {
        case .paused: phrases.states.paused
        case .closed: phrases.states.closed
        case .stopped: phrases.states.stopped
        case .update: version == nil ? phrases.states.update : phrases.states.goBack
        case .broken: phrases.states.broken
        }
    }

    /// The theme of the provided view of a stage.
    static func of(_ content: OverlayContent) -> OverlayTheme {
        content.stage == .updateRequired ? update(content) : kill(content)
    }

    /// The same for a program that is about to be ended, and its view with it: nothing is said of when the view goes by itself.
    private func ofEnding() -> OverlayTheme {
        guard let end else { return self }
        var theme = self
        theme.end = nil
        if ownMessage.hasSuffix(end) {
            let rest = ownMessage.dropLast(end.count)
            theme.ownMessage = String(rest.last == " " ? rest.dropLast() : rest)
        }
        return theme
    }

    /// The theme of a view that requires another version.
    static func update(_ content: OverlayContent) -> OverlayTheme {
        if content.update?.isBroken == true { return OverlayTheme(.broken, content.phrases) }
        // An older version than the installed one may be required.
        if let version = content.olderVersion { return OverlayTheme(.update, content.phrases, goingBackTo: version) }
        let usual = OverlayTheme(.update, content.phrases)
        var theme = content.program.isEnding ? usual.ofEnding() : usual
        if let plan = content.plan, content.isVersionUnknown {
            theme.ownMessage = plan.reason.prefix(1).uppercased() + plan.reason.dropFirst() + "."
        }
        return theme
    }

    /// The theme of a view that covers a program which may not run: somebody on this machine has stopped it, its status is unknown
    /// or stale and the policy covers it, or the service is paused.
    static func kill(_ content: OverlayContent) -> OverlayTheme {
        let theme = OverlayTheme(
            content.isStoppedLocally ? .stopped : content.standing.basis == .policy ? .closed : .paused, content.phrases)
        return content.program.isEnding ? theme.ofEnding() : theme
    }

    /// The headline with its glyph, or the word with its glyph if the headline does not fit.
    func headlineText(columns: Int) -> String {
        let large = "\(glyph)  \(headline)"
        return CellText.width(of: large) <= columns ? large : "\(glyph) \(word)"
    }
}
