import Barricade
import Bellerophon
import ProgramKit
import TerminalUI

/// A timeline that was started, and its position.
package struct Playback: Equatable, Sendable {
    /// The raw values are those of a script's reply.
    package enum Phase: String, Sendable {
        case playing
        case held
        /// Replaced by a manually selected response.
        case overruled
        case ended
    }

    package let player: TimelinePlayer
    private let isOverruled: Bool

    package init(_ player: TimelinePlayer, isOverruled: Bool = false) {
        self.player = player
        self.isOverruled = isOverruled
    }

    package var timeline: Timeline { player.timeline }
    package var request: String { player.timeline.request }

    package var phase: Phase {
        if isOverruled { return .overruled }
        return switch player.phase {
        case .playing: .playing
        case .paused: .held
        case .ended: .ended
        }
    }

    /// The current step, counted from 0.
    package var stepIndex: Int { player.position?.stepIndex ?? 0 }

    /// A step's response without the prefix that all steps of the timeline share, up to a colon: `paused` for
    /// `maintenance: paused`.
    package func shortName(of step: Timeline.Step) -> String {
        guard let prefix = step.response.firstRange(of: ": ").map({ step.response[..<$0.upperBound] }),
            timeline.steps.allSatisfy({ $0.response.hasPrefix(prefix) && $0.response.count > prefix.count })
        else { return step.response }
        return String(step.response.dropFirst(prefix.count))
    }

    /// The note of the current step, or the name of its response if it has none.
    package var caption: String {
        guard let step = player.position?.step else { return "" }
        return step.note.isEmpty ? shortName(of: step) : step.note
    }

    /// The elapsed part of the step: `12s of 30s`, `1 of 3 replies`, `until you continue`.
    package var progressText: String {
        guard let position = player.position else { return "" }
        return switch position.step.length {
        case .lasting(let length): "\(ClockText.compact(min(position.elapsed, length))) of \(ClockText.compact(length))"
        case .times(let count): "\(phase == .ended ? count : position.matches) of \(count) replies"
        case .untilTold: "until you continue"
        }
    }

    /// The position, for detecting changes: the round, the step, and whether the timeline has ended.
    package var place: [Int] { [player.round, stepIndex, phase == .ended ? 1 : 0] }
}

/// The appearance of a player's phase: glyph, word and colour.
package struct PlayerLook: Equatable {
    package let glyph: String
    package let word: String
    package let style: Style

    package init(_ phase: Playback.Phase) {
        switch phase {
        case .playing: (glyph, word, style) = ("▶", "plays", Theme.accent)
        case .held: (glyph, word, style) = ("‖", "on hold", Theme.warning)
        case .overruled: (glyph, word, style) = ("‖", "on hold, picked by hand", Theme.warning)
        case .ended: (glyph, word, style) = ("◦", "has ended", Theme.muted)
        }
    }
}
