import Bellerophon
import BellerophonBase
import Dashboard
import TestSupport

/// The invariants that hold after every step.
@MainActor
struct SoakInvariants {
    let before: StageMachine
    /// The machine after the step.
    let machine: StageMachine
    let deeds: SoakDeeds
    let process: SoakProcess
    let model: DashboardModel

    private var now: MonotonicInstant { process.clock.now }

    /// The first violated invariant; nil if all hold.
    var broken: String? {
        overlay ?? causes ?? outcome ?? progress ?? waits ?? counters ?? memory
    }

    // MARK: Display

    /// The overlay shows the stage and the content of the status.
    private var overlay: String? {
        let shown = process.window.shown
        let expected = machine.stage == .killed ? process.killView : machine.stage == .updateRequired ? process.updateView : nil
        if let complaint = process.window.complaint { return complaint }
        if shown !== expected { return "the overlay does not show the stage \(machine.stage)" }
        if process.manager.isDisplaying != machine.stage.isBlocked { return "isDisplaying is not what the stage says" }
        let isByPolicy = machine.basis == .policy && machine.freshness.whenUnknown == .closed
        if machine.stage != machine.document?.stage ?? (isByPolicy ? .killed : .unknown) {
            return "the stage \(machine.stage) is not what the document says"
        }
        guard let content = process.window.content else { return nil }
        if content.stage != machine.stage { return "the overlay shows \(content.stage) at \(machine.stage)" }
        if content.message != machine.document?.message { return "the overlay shows another message" }
        if let countdown = content.countdown, countdown.remaining > countdown.total { return "more is left than there was" }
        return nil
    }

    // MARK: Causes of changes

    /// Whether no status is known after a start, or the known one is too old.
    private var mayFollowPolicy: Bool {
        deeds.isRestarted || deeds.isStale || before.stage == .unknown && before.lastReply == nil
    }

    /// Only a valid status, the store, the policy and the app itself change the stage, and each change is reported.
    private var causes: String? {
        var stage = deeds.isRestarted ? Stage.unknown : before.stage
        for transition in deeds.transitions {
            if transition.from != stage { return "a transition from \(transition.from) was told at \(stage)" }
            stage = transition.to
            switch transition.cause {
            case .status where !deeds.delivered.contains { $0.stage == stage }: return "no status said \(stage)"
            case .dismissed where !deeds.isDismissed: return "nobody has dismissed the overlay"
            case .restored where deeds.restored?.stage != stage: return "the store does not say \(stage)"
            case .policy(let policy) where policy != machine.freshness.whenUnknown || !mayFollowPolicy:
                return "the policy \(policy) was followed although something recent is known"
            default: break
            }
        }
        return stage == machine.stage ? nil : "the stage went from \(stage) to \(machine.stage) and nobody was told"
    }

    /// The newest status takes effect when it arrives, and a restart does not lift a restored kill.
    private var outcome: String? {
        if deeds.isNewestLast, !deeds.isDismissed, let document = deeds.delivered.last, machine.stage != document.stage {
            return "what holds, \(document.stage), came and did not count"
        }
        if let restored = deeds.restored, restored.stage.isBlocked, deeds.delivered.isEmpty, machine.stage != restored.stage,
            machine.freshness.whenUnknown == .stay || !deeds.isStale
        {
            return "a restart escaped \(restored.stage)"
        }
        return deeds.hasLeaked ? "the manager outlives its process" : nil
    }

    // MARK: Next activity

    /// Exactly one next activity exists.
    private var progress: String? {
        let isAsking = machine.pending != nil || machine.nextCheck != nil
        if machine.pending != nil, machine.nextCheck != nil { return "a check is scheduled while one is pending" }
        if machine.polling != .off, !machine.isSuspended, !isAsking { return "nobody will ever ask again" }
        if machine.polling == .off, isAsking { return "somebody asks although there is only the stream" }
        if machine.polling == .off, !machine.isSuspended, streamTimers == 0 { return "nobody will ever listen again" }
        return timers
    }

    private var streamTimers: Int {
        switch process.manager.streamMachine?.state {
        case .connecting, .live, .waiting: 1
        case .off, .ended, nil: 0
        }
    }

    /// One timer each for the check, the stream, the countdown and the detection of sleep, and no other.
    private var timers: String? {
        let calls = process.clock.pendingWaits
        let check = machine.pending != nil || machine.nextCheck != nil ? 1 : 0
        let known = 1 + (process.manager.isDisplaying ? 1 : 0) + check + streamTimers + process.outstanding
        // In stream-only mode a fresh connection may be scheduled in addition. One timer checks the age, and one counts
        // the writes of a second.
        let most = known + 1 + (machine.polling == .off ? 1 : 0) + (machine.freshness.maximumAge == nil ? 0 : 1)
        return (known...most).contains(calls.count) ? nil : "\(calls.count) calls are to come, and not \(known)"
    }

    /// Every wait is within the policy's bounds and close to the requested interval.
    private var waits: String? {
        let policy = machine.policy
        if let check = machine.pending, check.startedAt.duration(to: now) > policy.checkTimeout { return "a check never ends" }
        guard let next = machine.nextCheck else { return nil }
        let wait = next.wait.inSeconds
        if wait < policy.minimumInterval.inSeconds || wait > policy.maximumInterval.inSeconds { return "a wait of \(next.wait)" }
        let left = now.duration(to: next.due)
        if left < .zero || left > next.wait { return "a check is due in \(left) of \(next.wait)" }
        guard next.origin == .server || next.origin == .configuration, let document = machine.document else { return nil }
        let asked = next.origin == .configuration ? policy.activeInterval?.inSeconds ?? .nan : document.interval
        let usual = policy.clamp(seconds: asked).wait.inSeconds
        return abs(wait - usual) <= usual * 0.1 + 0.001 ? nil : "a wait of \(wait) s where \(asked) s were asked for"
    }

    private var counters: String? {
        if (machine.failures == 0) != (machine.failure == nil) {
            return "\(machine.failures) failures, and the last is \(machine.failure as Any)"
        }
        if !deeds.isRestarted, machine.failures > before.failures + deeds.failures { return "a failure counted twice" }
        if machine.attempts < 0 || machine.failures < 0 { return "a counter below zero" }
        return nil
    }

    /// The stored history is bounded.
    private var memory: String? {
        let history = model.service.history
        return history.events.count <= History.eventLimit && history.transitions.count <= History.transitionLimit
            && history.samples.count <= History.sampleLimit ? nil : "the dashboard remembers without a bound"
    }
}
