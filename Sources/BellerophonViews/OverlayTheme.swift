import Bellerophon
import TerminalUI

/// What tells one overlay from the other: its glyph, its words, its colour, its drawing.
struct OverlayTheme: Equatable, Sendable {
    let glyph: String
    /// The state in words, as large as a terminal can say it.
    let headline: String
    /// The state in one word, for small terminals.
    let word: String
    let style: Style
    /// What stands before the countdown.
    let countdownLabel: String
    /// How the state goes on while checks fail: `still paused`.
    let still: String
    /// What stands before the time at which the state began.
    let sinceLabel: String
    /// What is said when the server says nothing.
    let ownMessage: String
    let art: [String]

    static let paused = OverlayTheme(
        glyph: "■", headline: "SERVICE PAUSED", word: "PAUSED", style: Theme.paused.with(.bold),
        countdownLabel: "next check in", still: "still paused", sinceLabel: "paused since",
        ownMessage: "The service has paused this program. It continues by itself when the service is back.",
        art: OverlayArt.sleepingChimera
    )

    /// Nothing recent is known, and the app is configured to be covered then.
    static let closed = OverlayTheme(
        glyph: "■", headline: "STATUS UNKNOWN", word: "UNKNOWN", style: Theme.paused.with(.bold),
        countdownLabel: "next check in", still: "still unknown", sinceLabel: "closed since",
        ownMessage: "It is not known whether this program may run. It continues by itself when its server says so.",
        art: OverlayArt.sleepingChimera
    )

    static let update = OverlayTheme(
        glyph: "▲", headline: "UPDATE REQUIRED", word: "UPDATE", style: Theme.update.with(.bold),
        countdownLabel: "checking again in", still: "update still required", sinceLabel: "required since",
        ownMessage: "This version can't be used any longer.",
        art: OverlayArt.wingedHorse
    )

    /// The headline with its glyph, as on a large terminal and as on a small one.
    func headlineText(columns: Int) -> String {
        let large = "\(glyph)  \(headline)"
        return CellText.width(of: large) <= columns ? large : "\(glyph) \(word)"
    }
}
