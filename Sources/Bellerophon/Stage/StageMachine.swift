import Foundation
import StatusModel

/// Decides which stage applies and when to check again. A pure value: time and randomness are parameters.
///
/// Every event returns the actions that the shell must perform, in order. The machine never waits, fetches or draws.
package struct StageMachine: Equatable, Sendable {
    /// Identifies a check.
    package typealias CheckID = Int
    /// Identifies a timer.
    package typealias TimerID = Int

    /// What a timer is for. At most one of each kind runs.
    package enum TimerKind: Equatable, Sendable {
        /// The next check, the longest time of the pending one, or the next connection of the stream.
        case check
        /// The age of the status.
        case age
        /// The next phase of a rule.
        case plan
    }

    /// An input of the machine.
    package enum Event: Equatable, Sendable {
        /// A check is requested now, for this cause.
        case checkRequested(CheckCause)
        /// A check is requested now, and a pending one is abandoned: it began before a change that its reply may not contain.
        case freshCheckRequested(CheckCause)
        /// The timer with this id has fired.
        case timerFired(TimerID)
        /// A check ended with a valid status.
        case replied(CheckID, StatusReply)
        /// A check ended without a valid status.
        case failed(CheckID, StatusError)
        /// The app supplied a valid status by itself.
        case statusGiven(StatusReply)
        /// A stream delivered a valid status.
        case pushed(StatusReply)
        /// A stream delivered an invalid status or, in stream-only mode, failed.
        case pushFailed(StatusError)
        /// A stream has become live or has ended, or the transport has changed.
        case pollingChanged(Polling)
        /// The stream is live again, in stream-only mode.
        case streamRecovered
        /// The kept status of an earlier run, or the bundled status.
        case restored(RestoredStatus)
        /// There is neither a kept nor a bundled status.
        case nothingKept
        /// A signed status with this serial was accepted in an earlier run. The reply contains it, if it was kept.
        case serialKnown(Int64, StatusReply?)
        /// The head of a stream had this `Date`; nil if it had none. The wall clock showed the other time.
        case serverDate(Date?, receivedOn: Date)
        /// The machine has slept for this time.
        case slept(Duration)
        /// What is known of the app has changed, such as its version after an update.
        case factsChanged(AppFacts)
        /// The app goes on without the required update until this date, because the update can't be had; nil: it does not.
        case updatesDeferred(until: Date?)
        /// The clock was replaced by another one, as a simulation does that starts again at an earlier time. What was known of the
        /// time does not count any more. A change of a real clock is no such event.
        case clockReplaced
        /// The app removes the overlay.
        case dismissed
        /// The process or the machine is about to be suspended.
        case suspended
        /// The process or the machine continues after a suspension.
        case resumed
    }

    /// How often the machine checks the status.
    package enum Polling: String, Equatable, Sendable {
        /// At the interval of the status or the configuration.
        case regular
        /// Only slow safety checks, because a stream is live.
        case resting
        /// No checks: the stream is the only transport.
        case off
    }

    /// What the shell must do.
    package enum Action: Equatable, Sendable {
        /// Start a check. Its end is reported as `.replied` or `.failed` with the same id.
        case fetch(CheckID)
        /// Cancel the check; its result is dropped.
        case abandon(CheckID)
        /// Start a timer. It replaces the running one of its kind.
        case startTimer(TimerKind, TimerID, after: Duration)
        /// Stop the timer of a kind.
        case stopTimer(TimerKind)
        /// The stage has changed.
        case transition(Transition)
        /// Reconnect the stream, so that the server repeats the status.
        case refreshStream
        /// Save the document with its ``StageMachine/proof``, so that a kill survives a restart.
        /// - isNew: false if the current document was only confirmed.
        case remember(StatusDocument, isNew: Bool)
        /// Report to observers.
        case report(StatusReport)
    }

    /// The stage that applies.
    package internal(set) var stage = Stage.unknown
    /// When the stage began.
    package internal(set) var stageSince: MonotonicInstant?
    var evidence = Evidence.nothing
    var lastValid: LastReply?
    var failureRun: FailureRun?
    /// The number of checks that ended since the stage began, including the one that began it.
    package internal(set) var attempts = 0
    var activity = Activity.idle
    /// How often the machine checks the status.
    package internal(set) var polling = Polling.regular
    /// Whether the last push was rejected. Polling is then as frequent as without a stream.
    var isPushDoubted = false
    /// The last valid pushed status.
    var lastPush: StatusReply?
    var order = StatusOrder()
    var age = AgeWatch()
    var planClock = PlanClock()
    /// The last timer of each kind, until it has fired.
    var timers: [TimerKind: TimerID] = [:]
    /// Until when the app goes on without a required update; nil if it does not.
    var updateDeferral: Date?
    /// What the last status means for the app. It counts while the stage is based on that status.
    var lastVerdict: Verdict?

    /// The waits between checks.
    package var policy: PollPolicy
    /// How long a status stays valid without confirmation.
    package var freshness: FreshnessPolicy
    /// The facts of the app that a status may depend on.
    package internal(set) var app: AppFacts
    private var lastCheckID: CheckID = 0
    private var lastTimerID: TimerID = 0

    /// Creates a machine in the stage `.unknown`.
    package init(
        policy: PollPolicy = PollPolicy(), freshness: FreshnessPolicy = FreshnessPolicy(), app: AppFacts = AppFacts()
    ) {
        self.policy = policy
        self.freshness = freshness
        self.app = app
    }

    mutating func nextCheckID() -> CheckID {
        lastCheckID += 1
        return lastCheckID
    }

    mutating func start(_ kind: TimerKind, after wait: Duration) -> Action {
        lastTimerID += 1
        timers[kind] = lastTimerID
        return .startTimer(kind, lastTimerID, after: wait)
    }

    private mutating func timerFired(
        _ id: TimerID, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        guard let kind = timers.first(where: { $0.value == id })?.key else { return [] }
        timers[kind] = nil
        return switch kind {
        case .check: checkTimerFired(at: now, using: &generator)
        case .age: lookAtAge(at: now)
        case .plan: followPlan(at: now, using: &generator)
        }
    }

    /// What a document means for the app now.
    func verdict(on document: StatusDocument, at now: MonotonicInstant) -> Verdict {
        let date = planDate(at: now)
        return document.verdict(for: app, at: date).deferringUpdates(until: updateDeferral, at: date)
    }

    /// The current status and stage, which a new status is compared with.
    var present: StatusOrder.Present { StatusOrder.Present(document: document?.asReceived, stage: stage) }

    /// How a new status compares with the statuses that were accepted before.
    func compare(_ reply: StatusReply, at now: MonotonicInstant) -> StatusOrder.Comparison {
        order.compare(reply, verdict(on: applied(reply.document), at: now), with: present, at: now)
    }

    /// Processes one event and returns the actions to perform.
    /// - Parameters:
    ///   - event: what happened.
    ///   - now: the current time on a monotonic clock, never earlier than at the last call.
    ///   - generator: the source of the jitter.
    package mutating func handle(
        _ event: Event, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        switch event {
        case .checkRequested(let cause):
            request(cause, at: now)
        case .freshCheckRequested(let cause):
            abandonPending() + request(cause, at: now)
        case .timerFired(let id):
            timerFired(id, at: now, using: &generator)
        case .replied(let id, let reply):
            endCheck(id) { machine in machine.answer(id, reply, at: now, using: &generator) }
        case .failed(let id, let error):
            endCheck(id) { machine in
                guard let early = machine.early(error, at: now) else {
                    return machine.fail(id, error, at: now, using: &generator)
                }
                return machine.answer(id, early, at: now, using: &generator)
            }
        case .statusGiven(let reply):
            give(reply, at: now, using: &generator)
        case .pushed(let reply):
            push(reply, at: now, using: &generator)
        case .pushFailed(let error):
            if let early = early(error, at: now) {
                push(early, at: now, using: &generator)
            } else {
                [.report(.pushFailed(error))] + failPush(error, at: now, using: &generator)
            }
        case .pollingChanged(let polling):
            change(to: polling, at: now, using: &generator)
        case .streamRecovered:
            streamRecovered()
        case .restored(let kept):
            restore(kept, at: now)
        case .serialKnown(let serial, let reply):
            know(serial, reply)
        case .nothingKept:
            settleUnknown(at: now)
        case .slept(let span):
            sleep(for: span, at: now, using: &generator)
        case .factsChanged(let app):
            change(to: app, at: now)
        case .updatesDeferred(let end):
            deferUpdates(until: end, at: now)
        case .clockReplaced:
            replaceClock(at: now, using: &generator)
        case .serverDate(let date, let wall):
            adopt(date, receivedOn: wall, at: now, using: &generator)
        case .dismissed:
            dismiss(at: now)
        case .suspended:
            suspend()
        case .resumed:
            resume(at: now)
        }
    }
}

/// Why a check was started.
package enum CheckCause: String, Equatable, Sendable {
    /// The first check, the wait's end, a person's request, a resumption, an update command's end, or the program's
    /// request.
    case start, timer, person, resumed, updated, program
    /// The status has reached its maximum age.
    case age
    /// A stream has ended.
    case fallback
}

/// A change of stage.
public struct Transition: Equatable, Sendable {
    /// Why the stage changed.
    public enum Cause: Equatable, Sendable {
        /// A valid status, with the HTTP status code of its reply; nil if there is none, as for a pushed status.
        case status(httpStatus: Int?)
        /// The kept status of an earlier run.
        case restored
        /// The bundled status.
        case bundled
        /// The rule with this id has begun or ended, because of the time. The document is the same.
        case rule(String)
        /// What is known of the app has changed, such as its version, or the update that is required can or can't be had. The document
        /// is the same.
        case facts
        /// The policy for a status that is unknown or stale.
        case policy(UnknownPolicy)
        /// The app removed the overlay.
        case dismissed
    }

    /// The previous stage.
    public let from: Stage
    /// The new stage.
    public let to: Stage
    /// Why the stage changed.
    public let cause: Cause
    /// How long the previous stage lasted; nil for the first.
    public let lasted: Duration?

    /// What the time has done to the rule that the transition is because of: `rule mw-1205 has begun`.
    package func ruleText(_ id: String) -> String {
        "rule \(id) \(!to.isBlocked ? "has ended" : from.isBlocked ? "applies now" : "has begun")"
    }

    /// Creates a transition.
    package init(from: Stage, to: Stage, cause: Cause, lasted: Duration?) {
        self.from = from
        self.to = to
        self.cause = cause
        self.lasted = lasted
    }
}

/// What the manager reports, for a dashboard, a log or a test.
package enum StatusReport: Equatable, Sendable {
    /// A check was started, for this cause.
    case checkStarted(StageMachine.CheckID, CheckCause)
    /// A check ended with a valid status, which has this meaning for the app.
    case checkSucceeded(StageMachine.CheckID, StatusReply, Verdict)
    /// A check ended without a valid status.
    case checkFailed(StageMachine.CheckID, StatusError)
    /// A stream delivered a valid status, which was applied and has this meaning for the app.
    case pushed(StatusReply, Verdict)
    /// A stream delivered an invalid status or, in stream-only mode, failed. The stage did not change.
    case pushFailed(StatusError)
    /// A check delivered a status that is older than the current one, or that has no readable date while the current one
    /// has one. It was ignored.
    case replyOutdated(StageMachine.CheckID, StatusReply)
    /// A stream delivered an older or undated status, as in ``replyOutdated(_:_:)``. It was ignored.
    case pushOutdated(StatusReply)
    /// The last confirmation is longer ago than the maximum age; the policy now applies.
    case stale(age: Duration, UnknownPolicy)
    /// A report of the stream.
    case stream(StreamReport)
    /// A check was requested while one was pending.
    case checkAlreadyPending(CheckCause)
    /// A result of a check that is no longer pending was dropped: it was late, duplicate or out of order.
    case replyDropped(StageMachine.CheckID)
    /// The next check was scheduled.
    case scheduled(NextCheck)
    /// A requested wait was out of bounds and was clamped.
    case intervalClamped(IntervalClamp)
    /// The stage changed.
    case stageChanged(Transition)
    /// The rules say something else than before: one is announced, has begun or ended, or the document has other ones or none
    /// any longer.
    case planChanged(PlanReport)
    /// The message changed while the stage stayed the same.
    case messageChanged(String?)
    /// A warning, such as an unreadable message, a date ahead of the local clock, or a failed save.
    case remark(String)
}
