import Bellerophon
import TerminalUI

/// The appearance of a stage: glyph, word and colour, so that colour is never the only indication.
package struct StageLook: Equatable {
    package let glyph: String
    package let word: String
    package let style: Style

    /// The header's badge: `● LIVE`.
    package var badge: String { "\(glyph) \(word.uppercased())" }

    /// No recent status is known, and the policy is to cover the app.
    package static let closed = StageLook(glyph: "■", word: "closed", style: Theme.paused)
    package static let starting = StageLook(glyph: "○", word: "starting", style: Theme.muted)
    /// Before the first status.
    package static let start = StageLook(glyph: "○", word: "start", style: Theme.muted)
}

extension StageLook {
    package init(_ stage: Stage) {
        let style =
            switch stage {
            case .unknown: Theme.unknown
            case .active: Theme.live
            case .killed: Theme.paused
            case .updateRequired: Theme.update
            }
        self.init(glyph: stage.glyph, word: stage.word, style: style)
    }

    /// The appearance of a machine's current state: `starting`, not unknown, until the first check has ended.
    package init(of machine: StageMachine) {
        let isStarting = machine.stage == .unknown && machine.failures == 0 && machine.stageSince == nil
        let isClosed = machine.stage == .killed && machine.basis == .policy
        self = isStarting ? .starting : isClosed ? .closed : StageLook(machine.stage)
    }

    /// The appearance of the stage before a transition; `start` before the first status.
    package init(before transition: Transition) {
        self = transition.lasted == nil ? .start : StageLook(transition.from)
    }
}
