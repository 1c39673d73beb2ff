import Bellerophon
import TerminalUI

/// How a stage looks everywhere: a glyph, a word and a colour, so that colour is never alone.
struct StageLook: Equatable {
    let glyph: String
    let word: String
    let style: Style

    /// The header's badge: `● LIVE`.
    var badge: String { "\(glyph) \(word.uppercased())" }

    /// Nothing recent is known, and the app is configured to be covered then.
    static let closed = StageLook(glyph: "■", word: "closed", style: Theme.paused)
    static let starting = StageLook(glyph: "○", word: "starting", style: Theme.muted)

    init(glyph: String, word: String, style: Style) {
        self.glyph = glyph
        self.word = word
        self.style = style
    }

    init(_ stage: Stage) {
        let style =
            switch stage {
            case .unknown: Theme.unknown
            case .active: Theme.live
            case .killed: Theme.paused
            case .updateRequired: Theme.update
            }
        // Columns have no room for both words.
        self.init(glyph: stage.glyph, word: stage == .updateRequired ? "update" : stage.title, style: style)
    }

    /// The present state of a machine; a first check that has not ended yet is a start, not an unknown.
    init(of machine: StageMachine) {
        let isStarting = machine.stage == .unknown && machine.failures == 0 && machine.stageSince == nil
        let isClosed = machine.stage == .killed && machine.basis == .policy
        self = isStarting ? .starting : isClosed ? .closed : StageLook(machine.stage)
    }

    /// A stage that a transition came from: before the first status there was only the start.
    init(before transition: Transition) {
        self = transition.lasted == nil ? StageLook(glyph: "○", word: "start", style: Theme.muted) : StageLook(transition.from)
    }
}
