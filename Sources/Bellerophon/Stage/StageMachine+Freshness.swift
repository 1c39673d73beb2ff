import StatusModel

/// The rules for kept statuses, for the age of a status, and for an unknown status.
extension StageMachine {
    /// Whether the last confirmation of a status is longer ago than ``FreshnessPolicy/maximumAge``.
    package func isStale(at now: MonotonicInstant) -> Bool { age.isStale(freshness.maximumAge, at: now) }

    // MARK: Kept statuses

    /// Applies a kept status until a valid status is received. Its serial and its date are used in any case, so an older
    /// status is outdated.
    ///
    /// A kept active status is restored only if the policy would otherwise block the app: it does not prove that the app
    /// may run now.
    mutating func restore(_ kept: RestoredStatus, at now: MonotonicInstant) -> [Action] {
        let confirmed = now.advanced(by: .zero - kept.age)
        order.knowSerial(of: kept)
        guard stage == .unknown, document == nil, lastReply == nil else { return [] }
        order.restoreDates(of: kept, at: now)
        planClock.restore(kept.planDate, isConfirmed: kept.isPlanDateConfirmed, at: now)
        let verdict = verdict(on: kept.document, at: now)
        let required = verdict.stage
        guard required.isBlocked || freshness.whenUnknown == .closed else { return [] }
        age.confirmedAt = confirmed
        if isStale(at: now), freshness.whenUnknown != .stay {
            // The kept status is stale. With `.closed`, a stale active status does not open the app. With `.open`, a
            // stale blocking status does not cover it.
            if freshness.whenUnknown == .open || !required.isBlocked { return settleAge(at: now) }
        }
        lastVerdict = verdict
        return resume(kept, in: required, at: now)
    }

    /// Records the serial of a signed status that was accepted in an earlier run.
    mutating func know(_ serial: Int64, _ reply: StatusReply?) -> [Action] {
        order.know(serial: serial, reply)
        return []
    }

    private mutating func resume(_ kept: RestoredStatus, in stage: Stage, at now: MonotonicInstant) -> [Action] {
        evidence = .status(kept.document, kept.proof, from: kept.isBundled ? .bundled : .lastRun)
        let entry = enter(stage, cause: kept.isBundled ? .bundled : .restored, at: now)
        let memory: [Action] = kept.isBundled ? [.remember(kept.document, isNew: true)] : []
        let age = isStale(at: now) ? settleAge(at: now) : watchAge(at: now)
        guard pending == nil else { return entry + memory + age + watchPlan(at: now) }
        let (wait, clamp) = policy.clamp(seconds: kept.document.interval)
        return entry + memory + age + watchPlan(at: now)
            + schedule(NextCheck(due: now, wait: wait, origin: .server, clamp: clamp), at: now)
    }

    /// Applies the policy if neither an earlier run nor the app has a status.
    mutating func settleUnknown(at now: MonotonicInstant) -> [Action] {
        guard stage == .unknown, document == nil, lastReply == nil else { return [] }
        return applyPolicy(at: now)
    }

    // MARK: Age

    /// Starts watching the age of the status that was just confirmed.
    mutating func watchAge(at now: MonotonicInstant) -> [Action] {
        let wait = age.begin(freshness.maximumAge, hasTimer: timers[.age] != nil, at: now)
        return wait.map { [startAgeTimer(after: $0)] } ?? []
    }

    mutating func sleep(
        for span: Duration, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        age.sleep(for: max(span, .zero))
        order.sleep(for: max(span, .zero))
        planClock.sleep(for: max(span, .zero))
        let plan = followPlan(at: now, using: &generator)
        return plan + (age.progress == .watching && confirmedAt != nil ? lookAtAge(at: now) : [])
    }

    mutating func lookAtAge(at now: MonotonicInstant) -> [Action] {
        guard age.progress != .settled, let left = age.timeLeft(freshness.maximumAge, at: now) else { return [] }
        if left > .zero { return [startAgeTimer(after: left)] }
        return age.progress == .asked ? settleAge(at: now) : askBeforeDoubting(at: now)
    }

    /// Asks the server to confirm a stale status before the policy applies. The wait between checks may exceed the
    /// maximum age, and a live stream sends nothing while the status is unchanged.
    private mutating func askBeforeDoubting(at now: MonotonicInstant) -> [Action] {
        age.progress = .asked
        let patience = startAgeTimer(after: policy.checkTimeout + .seconds(1))
        if polling == .off { return [.refreshStream, patience] }
        guard pending == nil, !isSuspended else { return [patience] }
        return [patience] + startCheck(.age, at: now)
    }

    /// Applies the policy after the check that was to confirm a stale status has failed.
    mutating func settleWhatWasAsked(at now: MonotonicInstant) -> [Action] {
        guard age.progress == .asked, isStale(at: now) else { return [] }
        return settleAge(at: now)
    }

    private mutating func startAgeTimer(after wait: Duration) -> Action { start(.age, after: max(wait, .zero)) }

    private mutating func settleAge(at now: MonotonicInstant) -> [Action] {
        age.progress = .settled
        let span = confirmedAt.map { $0.duration(to: now) } ?? .zero
        return [.report(.stale(age: span, freshness.whenUnknown))] + applyPolicy(at: now)
    }

    /// Applies the policy for a status that is unknown or stale.
    private mutating func applyPolicy(at now: MonotonicInstant) -> [Action] {
        switch freshness.whenUnknown {
        case .stay: return []
        case .open:
            guard stage.isBlocked else { return [] }
            evidence = .policy
            return enter(.unknown, cause: .policy(.open), at: now)
        case .closed:
            guard !stage.isBlocked else { return [] }
            evidence = .policy
            return enter(.killed, cause: .policy(.closed), at: now)
        }
    }
}
