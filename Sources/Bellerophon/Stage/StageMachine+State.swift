import Foundation
import StatusModel

extension StageMachine {
    /// A check in progress.
    package struct PendingCheck: Equatable, Sendable {
        /// The check's id, unique within a run.
        package let id: CheckID
        /// Why the check was started.
        package let cause: CheckCause
        package let startedAt: MonotonicInstant
    }

    /// The next activity of the machine.
    enum Activity: Equatable, Sendable {
        /// None: no check was requested yet.
        case idle
        /// A check is in progress.
        case checking(PendingCheck)
        /// The timer starts the next check.
        case scheduled(NextCheck)
        /// Stream-only mode. The timer, if there is one, reconnects the stream.
        case awaitingStream(hasTimer: Bool)
        /// None until the app resumes, except a check that it requested meanwhile.
        case suspended(PendingCheck?)
    }

    /// What the stage is based on.
    enum Evidence: Equatable, Sendable {
        /// No valid status has been seen.
        case nothing
        /// A valid status.
        case status(StatusDocument, StatusProof?, from: Origin)
        /// The ``UnknownPolicy``.
        case policy
        /// The app removed the overlay.
        case dismissal

        enum Origin: Equatable, Sendable { case server, lastRun, bundled }
    }

    /// The last valid reply and when it arrived.
    struct LastReply: Equatable, Sendable {
        let reply: StatusReply
        let at: MonotonicInstant
    }

    /// The number of consecutive failed checks, and the last error.
    struct FailureRun: Equatable, Sendable {
        var count: Int
        var last: StatusError
    }

    /// The status that the stage is based on; nil if there is none.
    package var document: StatusDocument? {
        if case .status(let document, _, _) = evidence { document } else { nil }
    }

    /// What ``document`` means for the app: why it is covered, and what changes next; nil if there is no document.
    package var verdict: Verdict? { document == nil ? nil : lastVerdict }

    /// The verified claims of the signature of ``document``; nil if it is unsigned.
    package var proof: StatusProof? {
        if case .status(_, let proof, _) = evidence { proof } else { nil }
    }

    /// What the stage is based on.
    package var basis: StageBasis {
        switch evidence {
        case .nothing: .nothing
        case .status(_, _, .server): .status
        case .status(_, _, .lastRun): .lastRun
        case .status(_, _, .bundled): .bundled
        case .policy: .policy
        case .dismissal: .dismissal
        }
    }

    /// When the last status was confirmed, in this run or an earlier one. Kept after ``document`` was dropped.
    package var confirmedAt: MonotonicInstant? { age.confirmedAt }

    /// The last valid reply of this run; nil before it.
    package var lastReply: StatusReply? { lastValid?.reply }
    /// When ``lastReply`` arrived.
    package var lastReplyAt: MonotonicInstant? { lastValid?.at }

    /// Why the last check failed; nil after a valid status.
    package var failure: StatusError? { failureRun?.last }
    /// The number of consecutive failed checks.
    package var failures: Int { failureRun?.count ?? 0 }

    /// The check in progress; nil if there is none.
    package var pending: PendingCheck? {
        switch activity {
        case .checking(let check): check
        case .suspended(let check): check
        case .idle, .scheduled, .awaitingStream: nil
        }
    }

    /// The next scheduled check; nil if none is scheduled.
    package var nextCheck: NextCheck? {
        if case .scheduled(let next) = activity { next } else { nil }
    }

    /// Whether the machine is suspended.
    package var isSuspended: Bool {
        if case .suspended = activity { true } else { false }
    }
}
