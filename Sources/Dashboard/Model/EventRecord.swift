import Bellerophon
import Foundation

/// One line of the event log.
package struct EventRecord: Equatable, Sendable, Identifiable {
    package enum Kind: Equatable, Sendable {
        /// A valid status, and what it meant for the app.
        case answer(StatusReply, Verdict)
        /// A failed check, the stage that it left unchanged, and the number of consecutive failures including it.
        case failure(StatusError, kept: Stage, inARow: Int)
        case transition(Transition)
        case clamp(IntervalClamp)
        /// No valid status has arrived for this long, so that the policy applies.
        case stale(Duration, UnknownPolicy)
        case remark(String)
        case message(String?)
        /// The rules of the status say something else than before.
        case plan(PlanReport)
        /// A check that was not started by the timer.
        case asked(CheckCause)
        case alreadyPending(CheckCause)
        case replyDropped
        /// A check returned a status that was published before the current one.
        case replyOutdated
        /// The stream delivered a status that was published before the current one.
        case pushOutdated
        /// A report of the stream.
        case stream(StreamReport)
        case scenario(request: String, response: String)
        /// A resource was updated.
        case content(String)
        /// A change of a timeline.
        case timeline(String)
    }

    /// Increases by one with every event.
    package let id: Int
    package let date: Date
    package let kind: Kind
    /// The time by which rules began and ended then; nil if it was not known.
    package let planDate: Date?
    /// The next check or connection attempt that was scheduled after the event.
    package var next: NextCheck?

    /// Whether it records a valid status or a failed check.
    var isCheck: Bool {
        switch kind {
        case .answer, .failure: true
        default: false
        }
    }
}

/// A change of stage and its time.
package struct TransitionRecord: Equatable, Sendable, Identifiable {
    package let id: Int
    package let date: Date
    package let transition: Transition
}
