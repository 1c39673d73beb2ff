import Bellerophon
import Foundation

/// One line of the event log.
package struct EventRecord: Equatable, Sendable, Identifiable {
    package enum Kind: Equatable, Sendable {
        /// A valid status.
        case answer(StatusReply)
        /// A failed check, the stage that it left as it was, and the failures in a row with it.
        case failure(StatusError, kept: Stage, inARow: Int)
        case transition(Transition)
        case clamp(IntervalClamp)
        /// No valid status has come for so long that the policy for that holds.
        case stale(Duration, UnknownPolicy)
        case remark(String)
        case message(String?)
        /// A check that began for another reason than the timer.
        case asked(CheckCause)
        case alreadyPending(CheckCause)
        case replyDropped
        /// A check's status was published before the one at hand.
        case replyOutdated
        /// A pushed status was.
        case pushOutdated
        /// What a stream does.
        case stream(StreamReport)
        case scenario(request: String, response: String)
        /// A resource was renewed over the air.
        case content(String)
        /// What a timeline does.
        case timeline(String)
    }

    /// Rises by one with every event.
    package let id: Int
    package let date: Date
    package let kind: Kind
    /// The wait that the check, or a stream's end, led to.
    package var next: NextCheck?

    /// Whether it tells of a check's end.
    var isCheck: Bool {
        switch kind {
        case .answer, .failure: true
        default: false
        }
    }
}

/// A change of stage and when it was.
package struct TransitionRecord: Equatable, Sendable, Identifiable {
    package let id: Int
    package let date: Date
    package let transition: Transition
}

/// How a check went, for the latency chart.
package enum CheckSample: Equatable, Sendable {
    case answered(Duration)
    case failed
}
