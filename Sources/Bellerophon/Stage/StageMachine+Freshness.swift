import StatusModel

/// The rules for a status that was kept, for its age, and for where nothing is known.
extension StageMachine {
    /// Whether the document at hand, or the last one that was, is older than a status may be.
    public func isStale(at now: MonotonicInstant) -> Bool { age.isStale(freshness.maximumAge, at: now) }

    // MARK: What was kept

    /// A kept status counts until a valid one comes. Its serial and its date count in any case: an older status is
    /// outdated.
    ///
    /// A kept active status is restored only if the policy would otherwise block the app: it does not prove that the app
    /// may run now.
    mutating func restore(_ kept: RestoredStatus, at now: MonotonicInstant) -> [Action] {
        let confirmed = now.advanced(by: .zero - kept.age)
        order.knowSerial(of: kept)
        guard stage == .unknown, document == nil, lastReply == nil else { return [] }
        order.restoreDates(of: kept, confirmedAt: confirmed)
        guard kept.document.stage.isBlocked || freshness.whenUnknown == .closed else { return [] }
        age.confirm(at: confirmed)
        if isStale(at: now), freshness.whenUnknown != .stay {
            // A status that let the app run is too old to keep a closed one open, and one that blocked it to keep an open
            // one closed.
            if freshness.whenUnknown == .open || !kept.document.stage.isBlocked { return settleAge(at: now) }
        }
        return resume(kept, at: now)
    }

    /// Takes the serial of a signed status that counted in an earlier run.
    mutating func know(_ serial: Int64, _ reply: StatusReply?) -> [Action] {
        order.know(serial: serial, reply)
        return []
    }

    private mutating func resume(_ kept: RestoredStatus, at now: MonotonicInstant) -> [Action] {
        let isBundled = kept.origin == .bundled
        support = .status(kept.document, kept.proof, from: isBundled ? .bundled : .lastRun)
        let entry = enter(kept.document.stage, cause: isBundled ? .bundled : .restored, at: now)
        let memory: [Action] = isBundled ? [.remember(kept.document, isNew: true)] : []
        let age = isStale(at: now) ? settleAge(at: now) : watchAge(at: now)
        guard pending == nil else { return entry + memory + age }
        let (wait, clamp) = policy.clamp(seconds: kept.document.interval)
        return entry + memory + age + schedule(NextCheck(due: now, wait: wait, origin: .server, clamp: clamp), at: now)
    }

    /// Neither an earlier run nor the app itself knows of a status.
    mutating func settleUnknown(at now: MonotonicInstant) -> [Action] {
        guard stage == .unknown, document == nil, lastReply == nil else { return [] }
        return applyPolicy(at: now)
    }

    // MARK: Age

    /// Begins to watch the age of the status that has just been confirmed.
    mutating func watchAge(at now: MonotonicInstant) -> [Action] {
        age.begin(freshness.maximumAge, at: now).map { [startAgeTimer(after: $0)] } ?? []
    }

    mutating func ageTimerFired(_ id: TimerID, at now: MonotonicInstant) -> [Action] {
        age.timerFired(id) ? lookAtAge(at: now) : []
    }

    mutating func sleep(for span: Duration, at now: MonotonicInstant) -> [Action] {
        age.sleep(for: max(span, .zero))
        order.sleep(for: max(span, .zero))
        return age.isWatching && confirmedAt != nil ? lookAtAge(at: now) : []
    }

    private mutating func lookAtAge(at now: MonotonicInstant) -> [Action] {
        switch age.look(freshness.maximumAge, at: now) {
        case .nothing: []
        case .wait(let left): [startAgeTimer(after: left)]
        case .ask: askBeforeDoubting(at: now)
        case .settle: settleAge(at: now)
        }
    }

    /// The wait between two checks may be longer than a status may be relied on, and where there is a stream no news is
    /// good news for as long as it lives. So the server is asked before its status is doubted.
    private mutating func askBeforeDoubting(at now: MonotonicInstant) -> [Action] {
        age.ask()
        let patience = startAgeTimer(after: policy.checkTimeout + .seconds(1))
        if polling == .off { return [.refreshStream, patience] }
        guard pending == nil, !isSuspended else { return [patience] }
        return [patience] + startCheck(.age, at: now)
    }

    /// The check that was to confirm an old status has failed.
    mutating func settleWhatWasAsked(at now: MonotonicInstant) -> [Action] {
        guard age.awaitsConfirmation, isStale(at: now) else { return [] }
        return settleAge(at: now)
    }

    private mutating func startAgeTimer(after wait: Duration) -> Action {
        let timer = nextTimerID()
        age.timerStarted(timer)
        return .startAgeTimer(timer, after: max(wait, .zero))
    }

    private mutating func settleAge(at now: MonotonicInstant) -> [Action] {
        age.settle()
        let span = confirmedAt.map { $0.duration(to: now) } ?? .zero
        return [.report(.stale(age: span, freshness.whenUnknown))] + applyPolicy(at: now)
    }

    /// What holds without a status that can be relied on.
    private mutating func applyPolicy(at now: MonotonicInstant) -> [Action] {
        switch freshness.whenUnknown {
        case .stay: return []
        case .open:
            guard stage.isBlocked else { return [] }
            support = .policy
            return enter(.unknown, cause: .policy(.open), at: now)
        case .closed:
            guard !stage.isBlocked else { return [] }
            support = .policy
            return enter(.killed, cause: .policy(.closed), at: now)
        }
    }
}
