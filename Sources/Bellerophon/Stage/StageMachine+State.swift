import Foundation
import StatusModel

extension StageMachine {
    public struct PendingCheck: Equatable, Sendable {
        public let id: CheckID
        public let cause: CheckCause
        public let startedAt: MonotonicInstant
        /// The timer that ends the check.
        let deadline: TimerID
    }

    /// The one thing that happens next by itself.
    enum Activity: Equatable, Sendable {
        /// Nothing: no check was requested yet.
        case idle
        /// A check is under way.
        case checking(PendingCheck)
        /// The timer starts the next check.
        case scheduled(NextCheck, TimerID)
        /// There is only the stream. The timer, if there is one, makes it connect anew.
        case awaitingStream(TimerID?)
        /// Nothing until the app resumes, except the end of a check that it requested meanwhile.
        case suspended(PendingCheck?)
    }

    /// What the stage rests on.
    enum Support: Equatable, Sendable {
        /// No valid status has been seen.
        case nothing
        /// A valid status.
        case status(StatusDocument, StatusProof?, from: Origin)
        /// The policy for an unknown status.
        case policy
        /// The app took the overlay away.
        case dismissal

        enum Origin: Equatable, Sendable { case server, lastRun, bundled }
    }

    /// The last valid reply, and when it came.
    struct LastReply: Equatable, Sendable {
        let reply: StatusReply
        let at: MonotonicInstant
    }

    /// Failed checks in a row.
    struct FailureRun: Equatable, Sendable {
        var count: Int
        var last: StatusError
    }

    /// The status that the stage rests on.
    public var document: StatusDocument? {
        if case .status(let document, _, _) = support { document } else { nil }
    }

    /// What the signature of ``document`` vouches for; nil where it has none.
    public var proof: StatusProof? {
        if case .status(_, let proof, _) = support { proof } else { nil }
    }

    /// What the stage rests on.
    public var basis: StageBasis {
        switch support {
        case .nothing: .nothing
        case .status(_, _, .server): .status
        case .status(_, _, .lastRun): .lastRun
        case .status(_, _, .bundled): .bundled
        case .policy: .policy
        case .dismissal: .dismissal
        }
    }

    /// When ``document`` was confirmed last, here or in an earlier run; after it was dropped, when it had been.
    public var confirmedAt: MonotonicInstant? { age.confirmedAt }

    /// The last valid reply; nil while the stage rests on a restored status.
    public var lastReply: StatusReply? { lastValid?.reply }
    /// When ``lastReply`` came.
    public var lastReplyAt: MonotonicInstant? { lastValid?.at }

    /// Why the last check failed; nil after a valid status.
    public var failure: StatusError? { failureRun?.last }
    /// Failed checks in a row.
    public var failures: Int { failureRun?.count ?? 0 }

    /// The check under way.
    public var pending: PendingCheck? {
        switch activity {
        case .checking(let check): check
        case .suspended(let check): check
        case .idle, .scheduled, .awaitingStream: nil
        }
    }

    /// The next check, when one is scheduled.
    public var nextCheck: NextCheck? {
        if case .scheduled(let next, _) = activity { next } else { nil }
    }

    public var isSuspended: Bool {
        if case .suspended = activity { true } else { false }
    }
}
