import StatusModel

/// The rules for a status that was kept, for its age, and for where nothing is known.
extension StageMachine {
    /// Whether the document at hand, or the last one that was, is older than a status may be.
    public func isStale(at now: MonotonicInstant) -> Bool {
        guard let confirmedAt, let limit = freshness.maximumAge else { return false }
        return confirmedAt.duration(to: now) >= limit
    }

    // MARK: What was kept

    /// A kept status counts until a valid one comes. Its serial and its date count in any case: what is older than that
    /// is no news.
    ///
    /// One that lets the app run is only needed where the app would else be covered: it is no proof that it may run now.
    mutating func restore(_ kept: RestoredStatus, at now: MonotonicInstant) -> [Action] {
        let confirmed = now.advanced(by: .zero - kept.age)
        if let proof = kept.proof { know(proof.serial, kept.document, signed: proof.signed) }
        guard stage == .unknown, document == nil, lastReply == nil else { return [] }
        if kept.proof == nil {
            newest = kept.publishedAt.map {
                Newest(
                    publishedAt: $0, previous: kept.previousDate, firstHeardAt: confirmed, heardAt: confirmed,
                    isReplaced: kept.isUndated
                )
            }
        }
        guard kept.document.stage.isBlocked || freshness.whenUnknown == .closed else { return [] }
        confirmedAt = confirmed
        if isStale(at: now), freshness.whenUnknown != .stay {
            // What let the app run is too old to keep a closed one open, and what blocked it to keep an open one closed.
            if freshness.whenUnknown == .open || !kept.document.stage.isBlocked { return settleAge(at: now) }
        }
        return resume(kept, at: now)
    }

    private mutating func resume(_ kept: RestoredStatus, at now: MonotonicInstant) -> [Action] {
        document = kept.document
        proof = kept.proof
        let isBundled = kept.origin == .bundled
        basis = isBundled ? .bundled : .lastRun
        let entry = enter(kept.document.stage, cause: isBundled ? .bundled : .restored, at: now)
        let memory: [Action] = isBundled ? remember(kept.document, isNew: true, at: now) : []
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

    /// Asks for the document to be kept: a new one at once, a confirmed one now and then, for its age.
    mutating func remember(_ document: StatusDocument, isNew: Bool, at now: MonotonicInstant) -> [Action] {
        let pause = min(Self.confirmationPause, (freshness.maximumAge ?? Self.confirmationPause) / 10)
        guard isNew || (rememberedAt.map { $0.duration(to: now) >= pause } ?? true) else { return [] }
        rememberedAt = now
        return [.remember(document)]
    }

    /// Between two writes of a status that only was confirmed.
    static let confirmationPause = Duration.seconds(600)

    mutating func forgetDocument(_ basis: StageBasis) {
        document = nil
        proof = nil
        self.basis = basis
    }

    // MARK: Age

    /// Sees to it that the age is looked at when it may be too high. A timer that runs stays: it looks again.
    mutating func watchAge(at now: MonotonicInstant) -> [Action] {
        isAgeSettled = false
        hasAskedForAge = false
        guard ageTimer == nil, let confirmedAt, let limit = freshness.maximumAge else { return [] }
        return [startAgeTimer(after: now.duration(to: confirmedAt.advanced(by: limit)))]
    }

    mutating func ageTimerFired(_ id: TimerID, at now: MonotonicInstant) -> [Action] {
        guard id == ageTimer else { return [] }
        ageTimer = nil
        return lookAtAge(at: now)
    }

    /// The age goes on while the machine sleeps, and its monotonic clock does not.
    mutating func sleep(for span: Duration, at now: MonotonicInstant) -> [Action] {
        confirmedAt = confirmedAt?.advanced(by: .zero - max(span, .zero))
        newest?.firstHeardAt.offset -= max(span, .zero)
        guard !isAgeSettled, !hasAskedForAge, confirmedAt != nil else { return [] }
        return lookAtAge(at: now)
    }

    private mutating func lookAtAge(at now: MonotonicInstant) -> [Action] {
        guard let confirmedAt, let limit = freshness.maximumAge, !isAgeSettled else { return [] }
        let left = now.duration(to: confirmedAt.advanced(by: limit))
        if left > .zero { return [startAgeTimer(after: left)] }
        return hasAskedForAge ? settleAge(at: now) : askBeforeDoubting(at: now)
    }

    /// The wait between two checks may be longer than a status may be relied on, and where there is a stream no news is
    /// good news for as long as it lives. So the server is asked before its status is doubted.
    private mutating func askBeforeDoubting(at now: MonotonicInstant) -> [Action] {
        hasAskedForAge = true
        let patience = startAgeTimer(after: policy.checkTimeout + .seconds(1))
        if polling == .off { return [.refreshStream, patience] }
        guard pending == nil, !isSuspended else { return [patience] }
        return [patience] + startCheck(.age, at: now)
    }

    /// The check that was to confirm an old status has failed.
    mutating func settleWhatWasAsked(at now: MonotonicInstant) -> [Action] {
        guard hasAskedForAge, !isAgeSettled, isStale(at: now) else { return [] }
        return settleAge(at: now)
    }

    private mutating func startAgeTimer(after wait: Duration) -> Action {
        lastTimerID += 1
        ageTimer = lastTimerID
        return .startAgeTimer(lastTimerID, after: max(wait, .zero))
    }

    private mutating func settleAge(at now: MonotonicInstant) -> [Action] {
        isAgeSettled = true
        let age = confirmedAt.map { $0.duration(to: now) } ?? .zero
        return [.report(.stale(age: age, freshness.whenUnknown))] + applyPolicy(at: now)
    }

    /// What holds without a status that can be relied on.
    private mutating func applyPolicy(at now: MonotonicInstant) -> [Action] {
        switch freshness.whenUnknown {
        case .stay: return []
        case .open:
            guard stage.isBlocked else { return [] }
            forgetDocument(.policy)
            return enter(.unknown, cause: .policy(.open), at: now)
        case .closed:
            guard !stage.isBlocked else { return [] }
            forgetDocument(.policy)
            return enter(.killed, cause: .policy(.closed), at: now)
        }
    }
}
