import Foundation
import StatusModel

/// Decides what covers the app and when to ask again. A pure value: time and chance are parameters.
///
/// Every event returns the actions that the shell has to perform, in order. The machine never waits, fetches or draws.
public struct StageMachine: Equatable, Sendable {
    public typealias CheckID = Int
    public typealias TimerID = Int

    /// What happened.
    public enum Event: Equatable, Sendable {
        /// Somebody asks for a check now.
        case checkRequested(CheckCause)
        /// The timer of that id has run down.
        case timerFired(TimerID)
        /// A check ended with a valid status.
        case replied(CheckID, StatusReply)
        /// A check ended without one.
        case failed(CheckID, StatusError)
        /// A valid status came without being asked for.
        case statusGiven(StatusReply)
        /// A stream brought a valid status.
        case pushed(StatusReply)
        /// A stream brought something else, or where nothing but the stream is there: it failed.
        case pushFailed(StatusError)
        /// A stream has begun to live, or has fallen.
        case pollingChanged(Polling)
        /// The stream that there is nothing but lives again.
        case streamRecovered
        /// The last known status of an earlier run, or the one that ships with the app.
        case restored(RestoredStatus)
        /// There is neither.
        case nothingKept
        /// A signed status of that serial counted in an earlier run; the reply is what it said, where that was kept.
        case serialKnown(Int64, StatusReply?)
        /// The timer for the status's age, of that id, has run down.
        case ageTimerFired(TimerID)
        /// The machine has slept for so long.
        case slept(Duration)
        /// The app itself takes the overlay away.
        case dismissed
        /// The process or the machine is about to stop for a while.
        case suspended
        /// It goes on.
        case resumed
    }

    /// How the machine asks for the status by itself.
    public enum Polling: String, Equatable, Sendable {
        /// As often as the status or the configuration says.
        case regular
        /// A stream lives: only now and then, for safety.
        case resting
        /// Never: there is only the stream.
        case off
    }

    /// The pushed status that was valid last.
    struct Push: Equatable, Sendable {
        let document: StatusDocument
        let eventID: String?
    }

    /// What the shell has to do.
    public enum Action: Equatable, Sendable {
        /// Start a check; its end comes back as `.replied` or `.failed` with the same id.
        case fetch(CheckID)
        /// Nobody waits for that check any longer.
        case abandon(CheckID)
        /// Start the one timer anew.
        case startTimer(TimerID, after: Duration)
        case stopTimer
        /// Start the one timer for the status's age anew.
        case startAgeTimer(TimerID, after: Duration)
        /// The stage has changed.
        case transition(Transition)
        /// Have the stream repeat the status on a fresh connection.
        case refreshStream
        /// Save the document with its ``StageMachine/proof``, so that a restart does not escape it.
        /// - isNew: false where the document at hand was only confirmed.
        case remember(StatusDocument, isNew: Bool)
        case report(StatusReport)
    }

    /// What the last valid status means.
    public internal(set) var stage = Stage.unknown
    /// When the stage began.
    public internal(set) var stageSince: MonotonicInstant?
    var support = Support.nothing
    var lastValid: LastReply?
    var failureRun: FailureRun?
    /// Checks ended since the stage began, the one that began it included.
    public internal(set) var attempts = 0
    var activity = Activity.idle
    public internal(set) var polling = Polling.regular
    /// What the stream pushed last was of no use: it is no reason to ask less often.
    var isPushDoubted = false
    var lastPush: Push?
    var order = StatusOrder()
    var age = AgeWatch()

    public var policy: PollPolicy
    public var freshness: FreshnessPolicy
    private var lastCheckID: CheckID = 0
    private var lastTimerID: TimerID = 0

    public init(policy: PollPolicy = PollPolicy(), freshness: FreshnessPolicy = FreshnessPolicy()) {
        self.policy = policy
        self.freshness = freshness
    }

    mutating func nextCheckID() -> CheckID {
        lastCheckID += 1
        return lastCheckID
    }

    mutating func nextTimerID() -> TimerID {
        lastTimerID += 1
        return lastTimerID
    }

    /// What a status that has come is judged and counted beside.
    var present: StatusOrder.Present { StatusOrder.Present(document: document, stage: stage) }

    /// Takes one event and returns what to do about it.
    /// - Parameters:
    ///   - now: the present on a monotonic clock, never earlier than at the last call.
    ///   - generator: the source of the backoff's jitter.
    public mutating func handle(
        _ event: Event, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        switch event {
        case .checkRequested(let cause):
            request(cause, at: now)
        case .timerFired(let id):
            timerFired(id, at: now, using: &generator)
        case .replied(let id, let reply):
            endCheck(id) { machine in machine.answer(id, reply, at: now, using: &generator) }
        case .failed(let id, let error):
            endCheck(id) { machine in machine.fail(id, error, at: now, using: &generator) }
        case .statusGiven(let reply):
            give(reply, at: now, using: &generator)
        case .pushed(let reply):
            push(reply, at: now, using: &generator)
        case .pushFailed(let error):
            [.report(.pushFailed(error))] + failPush(error, at: now, using: &generator)
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
        case .ageTimerFired(let id):
            ageTimerFired(id, at: now)
        case .slept(let span):
            sleep(for: span, at: now)
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
public enum CheckCause: String, Equatable, Sendable {
    case start, timer, person, resumed, updated, program
    /// The status is as old as it may be.
    case age
    /// A stream has fallen.
    case fallback
}

/// A change of stage.
public struct Transition: Equatable, Sendable {
    public enum Cause: Equatable, Sendable {
        /// A valid status said so.
        case status(httpStatus: Int?)
        /// The last known status of an earlier run.
        case restored
        /// The status that ships with the app.
        case bundled
        /// Nothing is known, or nothing recent.
        case policy(UnknownPolicy)
        /// The app took the overlay away by itself.
        case dismissed
    }

    public let from: Stage
    public let to: Stage
    public let cause: Cause
    /// How long the stage that ends had lasted; nil for the first.
    public let lasted: Duration?

    public init(from: Stage, to: Stage, cause: Cause, lasted: Duration?) {
        self.from = from
        self.to = to
        self.cause = cause
        self.lasted = lasted
    }
}

/// What the manager tells of its work, for a dashboard, a log or a test.
public enum StatusReport: Equatable, Sendable {
    case checkStarted(StageMachine.CheckID, CheckCause)
    case checkSucceeded(StageMachine.CheckID, StatusReply)
    case checkFailed(StageMachine.CheckID, StatusError)
    /// A stream brought a valid status.
    case pushed(StatusReply)
    /// A stream brought something that is no status; it changed nothing.
    case pushFailed(StatusError)
    /// A check brought a status that was published before the one at hand, or that has no readable date where the one at
    /// hand has one; it changed nothing.
    case replyOutdated(StageMachine.CheckID, StatusReply)
    /// A stream brought such a status; it changed nothing.
    case pushOutdated(StatusReply)
    /// No valid status has come for longer than a status may be relied on; the policy for that holds from here on.
    case stale(age: Duration, UnknownPolicy)
    /// What a stream does.
    case stream(StreamReport)
    /// A check was asked for while one was pending.
    case checkAlreadyPending(CheckCause)
    /// A reply came for a check that nobody waits for: late, twice, or out of order.
    case replyDropped(StageMachine.CheckID)
    case scheduled(NextCheck)
    case intervalClamped(IntervalClamp)
    case stageChanged(Transition)
    /// The message changed while the stage did not.
    case messageChanged(String?)
    /// A remark on a valid status: a message that could not be read, a date that lies ahead of the local clock.
    case remark(String)
}
