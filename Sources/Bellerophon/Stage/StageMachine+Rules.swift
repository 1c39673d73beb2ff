import BellerophonBase
import StatusModel

extension StageMachine {
    // MARK: Checks

    mutating func request(_ cause: CheckCause, at now: MonotonicInstant) -> [Action] {
        if pending != nil { return [.report(.checkAlreadyPending(cause))] }
        return polling == .off ? [.refreshStream] : startCheck(cause, at: now)
    }

    /// Starts a check, which replaces the next activity. No check may be pending.
    mutating func startCheck(_ cause: CheckCause, at now: MonotonicInstant) -> [Action] {
        let check = PendingCheck(id: nextCheckID(), cause: cause, startedAt: now)
        activity = isSuspended ? .suspended(check) : .checking(check)
        return [
            .report(.checkStarted(check.id, cause)), start(.check, after: policy.checkTimeout), .fetch(check.id),
        ]
    }

    /// Ends the pending check if it has that id; any other reply is dropped.
    mutating func endCheck(_ id: CheckID, then accept: (inout StageMachine) -> [Action]) -> [Action] {
        guard pending?.id == id else { return [.report(.replyDropped(id))] }
        let wasSuspended = isSuspended
        activity = wasSuspended ? .suspended(nil) : .idle
        attempts += 1
        // A check that was requested while suspended schedules no further check, and its deadline must not start one.
        return accept(&self) + (wasSuspended ? [.stopTimer(.check)] : [])
    }

    /// Ends the pending check, which has taken too long, or begins what was awaited.
    mutating func checkTimerFired(at now: MonotonicInstant, using generator: inout some RandomNumberGenerator) -> [Action] {
        switch activity {
        case .checking(let check), .suspended(let check?): return expire(check, at: now, using: &generator)
        case .scheduled: return startCheck(.timer, at: now)
        case .awaitingStream(hasTimer: true):
            activity = .awaitingStream(hasTimer: false)
            return [.refreshStream]
        case .idle, .suspended(nil), .awaitingStream(hasTimer: false): return []
        }
    }

    private mutating func expire(
        _ check: PendingCheck, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        let error = StatusError(.timedOut(after: policy.checkTimeout))
        return [.abandon(check.id)]
            + endCheck(check.id) { machine in machine.fail(check.id, error, at: now, using: &generator) }
    }

    /// Ends the pending check without a result. Another event decides what happens next.
    mutating func abandonPending() -> [Action] {
        guard let check = pending else { return [] }
        guard isSuspended else {
            activity = .idle
            return [.abandon(check.id)]
        }
        activity = .suspended(nil)
        return [.abandon(check.id), .stopTimer(.check)]
    }

    // MARK: Outcomes

    /// Applies a status from the app. A pending check may deliver an older status and is abandoned.
    mutating func give(
        _ reply: StatusReply, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        observe(reply, at: now)
        if case .replay(let error) = compare(reply, at: now) { return [.report(.pushFailed(error))] }
        return abandonPending() + accept(reply, at: now, using: &generator)
    }

    /// Accepts the status of a check, unless it is a replay or older than the known one.
    mutating func answer(
        _ id: CheckID, _ reply: StatusReply, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        observe(reply, at: now)
        let verdict = self.verdict(on: applied(reply.document), at: now)
        switch compare(reply, at: now) {
        case .replay(let error): return fail(id, error, at: now, using: &generator)
        case .current:
            // If the server of the live stream has a newer status, it repeats it now and not after the next safety check.
            let isOverdue = polling == .resting && order.isOlder(reply, than: document)
            return [.report(.checkSucceeded(id, reply, verdict))] + accept(reply, at: now, using: &generator)
                + (isOverdue ? [.refreshStream] : [])
        case .outdated:
            failureRun = nil
            // Its document does not count, but the time that it tells does.
            return [.report(.checkSucceeded(id, reply, verdict)), .report(.replyOutdated(id, reply))]
                + followPlan(at: now, using: &generator)
                + (document.map { schedule($0, at: now, using: &generator) } ?? [])
        }
    }

    /// Applies a valid status: changes the stage, confirms the age, saves the status and schedules the next check.
    mutating func accept(
        _ reply: StatusReply, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        let document = applied(reply.document)
        let earlier = self.document
        let earlierPlan = plan
        let earlierFacts = earlier.flatMap { lastVerdict?.facts(of: $0) }
        let isNew =
            document != earlier || reply.metadata?.proof?.serial != proof?.serial
            || reply.metadata?.publishedAt.map { $0 != order.newest?.publishedAt } ?? false
        let isNewlyEarly = reply.clockLag != nil && lastReply?.clockLag == nil
        failureRun = nil
        lastValid = LastReply(reply: reply, at: now)
        order.count(reply, beside: present, at: now)
        evidence = .status(document, reply.metadata?.proof, from: .server)
        age.confirmedAt = now

        var actions: [Action] = document.remarks == earlier?.remarks ? [] : document.remarks.map { .report(.remark($0)) }
        actions += [order.remark(on: reply), isNewlyEarly ? reply.clockRemark : nil].compactMap(\.self).map {
            .report(.remark($0))
        }
        let verdict = verdict(on: document, at: now)
        lastVerdict = verdict
        if verdict.stage != stage {
            actions += enter(verdict.stage, cause: .status(httpStatus: reply.metadata?.httpStatus), at: now)
        } else {
            actions += messageChange(from: earlierFacts, to: verdict.facts(of: document))
        }
        actions += planChange(from: earlierPlan)
        return actions + [.remember(document, isNew: isNew)] + watchAge(at: now) + watchPlan(at: now)
            + schedule(document, at: now, using: &generator)
    }

    mutating func fail(
        _ id: CheckID, _ error: StatusError, at now: MonotonicInstant,
        using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        [.report(.checkFailed(id, error))] + recordFailure(error, at: now, using: &generator) + settleWhatWasAsked(at: now)
    }

    /// Counts a failure and schedules the next check. The stage does not change.
    mutating func recordFailure(
        _ error: StatusError, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        failureRun = FailureRun(count: failures + 1, last: error)
        let asked = error.metadata?.retryAfter
        return schedule(policy.nextCheck(afterFailures: failures, asked: asked, at: now, using: &generator), at: now)
    }

    mutating func dismiss(at now: MonotonicInstant) -> [Action] {
        guard stage.isBlocked else { return [] }
        let interval = document?.interval ?? .nan
        evidence = .dismissal
        let dismissal = enter(.unknown, cause: .dismissed, at: now)
        // The status that shows the view again must not wait for a safety check or for the server's next change.
        guard polling == .resting else { return dismissal + awaitRefresh(after: interval) }
        let (wait, clamp) = policy.clamp(seconds: interval)
        return dismissal + schedule(NextCheck(due: now, wait: wait, origin: .server, clamp: clamp), at: now)
    }

    mutating func enter(_ next: Stage, cause: Transition.Cause, at now: MonotonicInstant) -> [Action] {
        let transition = Transition(
            from: stage, to: next, cause: cause, lasted: stageSince.map { $0.duration(to: now) }
        )
        stage = next
        stageSince = now
        if case .status = cause { attempts = 1 } else { attempts = 0 }
        return [.transition(transition), .report(.stageChanged(transition))]
    }

    // MARK: Waits

    /// Schedules the next check after a valid status. The wait is the status's own while blocked, otherwise the
    /// configured one if there is one. While a stream is live, it is the safety wait.
    mutating func schedule(
        _ document: StatusDocument, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        if polling == .off { return stopWaiting() }
        let configured = stage.isBlocked ? nil : policy.activeInterval
        let (wait, clamp) = policy.clamp(seconds: configured?.inSeconds ?? document.interval)
        if polling == .resting, !isPushDoubted {
            let safe = policy.safetyWait(atLeast: wait, using: &generator)
            return schedule(NextCheck(due: now, wait: safe, origin: .safety), at: now)
        }
        let origin: NextCheck.Origin = configured == nil ? .server : .configuration
        let spread = policy.spread(wait, using: &generator)
        return schedule(NextCheck(due: now, wait: spread, origin: origin, clamp: clamp, interval: wait), at: now)
    }

    /// Starts the timer for a check. Does nothing if one is pending, because its end schedules the next.
    mutating func schedule(_ planned: NextCheck, at now: MonotonicInstant) -> [Action] {
        guard pending == nil, !isSuspended, polling != .off else { return [] }
        var next = planned
        next.due = now.advanced(by: next.wait)
        activity = .scheduled(next)
        let clamped: [Action] = next.clamp.map { [.report(.intervalClamped($0))] } ?? []
        return clamped + [start(.check, after: next.wait), .report(.scheduled(next))]
    }

    // MARK: Suspension

    mutating func suspend() -> [Action] {
        guard !isSuspended else { return [] }
        let abandoned = abandonPending()
        activity = .suspended(nil)
        return [.stopTimer(.check)] + abandoned
    }

    /// Starts one immediate check, even if several wake-ups are noticed while it runs.
    mutating func resume(at now: MonotonicInstant) -> [Action] {
        if polling == .off {
            if isSuspended { activity = .awaitingStream(hasTimer: false) }
            return []
        }
        if let check = pending, check.cause == .resumed {
            activity = .checking(check)
            return []
        }
        let abandoned: [Action] = pending.map { [.abandon($0.id)] } ?? []
        activity = .idle
        return abandoned + startCheck(.resumed, at: now)
    }
}
