import Bellerophon
import TerminalUI

/// The glyph, words, style and drawing of an overlay's state.
struct OverlayTheme: Equatable, Sendable {
    let glyph: String
    /// The state in words, for large terminals.
    let headline: String
    /// A shorter headline for large letters, if there is one.
    var shortHeadline: String?
    /// The state in one word, for small terminals.
    let word: String
    let style: Style
    /// The words before the countdown.
    let countdownLabel: String
    /// The words for the unchanged state while checks fail: `still paused`.
    let still: String
    /// The words before the time at which the state began.
    let sinceLabel: String
    /// The text without a message of the server.
    var ownMessage: String
    /// How the view ends; nil if that is not certain.
    let end: String?
    /// The drawings that fit this state, the largest first.
    let art: [[String]]

    static let paused = OverlayTheme(
        glyph: "■", headline: "SERVICE PAUSED", word: "PAUSED", style: Theme.paused.with(.bold),
        countdownLabel: "next check in", still: "still paused", sinceLabel: "paused since",
        ownMessage: "The service is paused, without a message. This view goes by itself when the service is back.",
        end: "This view goes by itself when the service is back.",
        art: [OverlayArt.sleepingChimera, OverlayArt.smallChimera]
    )

    /// The status is unknown or stale, and the policy covers the app.
    static let closed = OverlayTheme(
        glyph: "■", headline: "STATUS UNKNOWN", word: "UNKNOWN", style: Theme.paused.with(.bold),
        countdownLabel: "next check in", still: "still unknown", sinceLabel: "closed since",
        ownMessage: "It is not known whether this program may run. This view goes by itself when the status is known.",
        end: "This view goes by itself when the status is known.",
        art: [OverlayArt.sleepingChimera, OverlayArt.smallChimera]
    )

    /// Somebody on this machine has stopped the program. The service does not block it.
    static let stopped = OverlayTheme(
        glyph: "■", headline: "STOPPED ON THIS MACHINE", word: "STOPPED", style: Theme.paused.with(.bold),
        countdownLabel: "", still: "still stopped", sinceLabel: "stopped since",
        ownMessage: "Somebody on this machine has stopped it, without a reason. The service has not.",
        end: "The service has not stopped it. This view goes when the stop is released.",
        art: [OverlayArt.sleepingChimera, OverlayArt.smallChimera]
    )

    static let update = OverlayTheme(
        glyph: "▲", headline: "UPDATE REQUIRED", word: "UPDATE", style: Theme.update.with(.bold),
        countdownLabel: "checking again in", still: "update still required", sinceLabel: "required since",
        ownMessage: "This version can't be used any longer.",
        end: nil,
        art: [OverlayArt.wingedHorse, OverlayArt.smallHorse]
    )

    /// The new version has failed right after its start.
    static let broken = OverlayTheme(
        glyph: "▲", headline: "THE NEW VERSION FAILED", shortHeadline: "FAILED", word: "FAILED", style: Theme.warning.with(.bold),
        countdownLabel: "", still: "", sinceLabel: "", ownMessage: "It was started after an update, and has ended at once.",
        end: nil, art: [])

    /// An older version than the installed one is required.
    static func goBack(to version: String) -> OverlayTheme {
        OverlayTheme(
            glyph: update.glyph, headline: "GO BACK TO \(version)", shortHeadline: "GO BACK", word: "GO BACK",
            style: update.style,
            countdownLabel: update.countdownLabel, still: "\(version) still required", sinceLabel: update.sinceLabel,
            ownMessage: "This version can't be used. Go back to \(version).", end: nil, art: update.art)
    }

    /// The theme of the provided view of a stage.
    static func of(_ content: OverlayContent) -> OverlayTheme {
        content.stage == .updateRequired ? update(content) : kill(content)
    }

    /// The theme of a view that requires another version.
    static func update(_ content: OverlayContent) -> OverlayTheme {
        if content.update?.isBroken == true { return broken }
        if let version = content.olderVersion { return goBack(to: version) }
        var theme = update
        if let plan = content.plan, content.isVersionUnknown {
            theme.ownMessage = plan.reason.prefix(1).uppercased() + plan.reason.dropFirst() + "."
        }
        return theme
    }

    /// The theme of a view that covers a program which may not run.
    static func kill(_ content: OverlayContent) -> OverlayTheme {
        content.isStoppedLocally ? .stopped : content.standing.basis == .policy ? .closed : .paused
    }

    /// The headline with its glyph, or the word with its glyph if the headline does not fit.
    func headlineText(columns: Int) -> String {
        let large = "\(glyph)  \(headline)"
        return CellText.width(of: large) <= columns ? large : "\(glyph) \(word)"
    }
}
