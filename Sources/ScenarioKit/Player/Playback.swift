import Barricade
import ProgramKit

/// A timeline that was started, and its position.
package struct Playback: Equatable, Sendable {
    package enum Phase: Equatable, Sendable {
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
        guard let prefix = step.response.prefix(through: ": "),
            timeline.steps.allSatisfy({ $0.response.hasPrefix(prefix) && $0.response.count > prefix.count })
        else { return step.response }
        return String(step.response.dropFirst(prefix.count))
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

extension String {
    /// The text up to the end of the first occurrence of `part`; nil if there is none.
    fileprivate func prefix(through part: String) -> String? {
        firstRange(of: part).map { String(self[..<$0.upperBound]) }
    }
}
