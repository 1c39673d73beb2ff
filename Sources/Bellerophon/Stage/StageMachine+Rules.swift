import BellerophonBase
import StatusModel

extension StageMachine {
    // MARK: Checks

    mutating func startCheck(_ cause: CheckCause, at now: MonotonicInstant) -> [Action] {
        lastCheckID += 1
        pending = PendingCheck(id: lastCheckID, cause: cause, startedAt: now)
        nextCheck = nil
        return [.report(.checkStarted(lastCheckID, cause)), startTimer(after: policy.checkTimeout), .fetch(lastCheckID)]
    }

    /// Ends the pending check if it has that id; any other reply is dropped.
    mutating func endCheck(_ id: CheckID, then accept: (inout StageMachine) -> [Action]) -> [Action] {
        guard pending?.id == id else { return [.report(.replyDropped(id))] }
        pending = nil
        attempts += 1
        return accept(&self)
    }

    mutating func timerFired(
        _ id: TimerID, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        guard id == timer else { return [] }
        timer = nil
        guard let overdue = pending else { return polling == .off ? [.refreshStream] : startCheck(.timer, at: now) }
        let error = StatusError(.timedOut(after: policy.checkTimeout))
        return [.abandon(overdue.id)]
            + endCheck(overdue.id) { machine in machine.fail(overdue.id, error, at: now, using: &generator) }
    }

    // MARK: Outcomes

    /// A valid status: what covers or uncovers the app, unless the policy for an unknown one does.
    mutating func accept(
        _ reply: StatusReply, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        let document = reply.document
        let earlier = self.document
        let isNew = document != earlier || reply.receipt?.proof?.serial != proof?.serial
        failures = 0
        failure = nil
        take(reply, at: now)

        var actions: [Action] = document.remarks == earlier?.remarks ? [] : document.remarks.map { .report(.remark($0)) }
        actions += remarkOnClock(reply)
        if document.stage != stage {
            actions += enter(document.stage, cause: .status(httpStatus: reply.receipt?.httpStatus), at: now)
        } else if stage.isBlocked, document.message != earlier?.message {
            actions.append(.report(.messageChanged(document.message)))
        }
        return actions + remember(document, isNew: isNew, at: now) + watchAge(at: now)
            + schedule(document, at: now, using: &generator)
    }

    private mutating func take(_ reply: StatusReply, at now: MonotonicInstant) {
        lastReply = reply
        lastReplyAt = now
        basis = .status
        confirmedAt = now
        proof = reply.receipt?.proof
        if let proof {
            know(proof.serial, reply.document, signed: proof.signed)
        } else if let receipt = reply.receipt {
            if let published = receipt.publishedAt { know(published, at: now) } else { knowUndated(reply.document, at: now) }
        }
        document = reply.document
    }

    mutating func fail(
        _ id: CheckID, _ error: StatusError, at now: MonotonicInstant,
        using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        [.report(.checkFailed(id, error))] + note(error, at: now, using: &generator) + settleWhatWasAsked(at: now)
    }

    /// Counts a failure and schedules the next check; the stage stays.
    mutating func note(
        _ error: StatusError, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        failures += 1
        failure = error
        let asked = error.receipt?.retryAfter
        return schedule(policy.nextCheck(afterFailures: failures, asked: asked, at: now, using: &generator), at: now)
    }

    mutating func dismiss(at now: MonotonicInstant) -> [Action] {
        guard stage.isBlocked else { return [] }
        let interval = document?.interval ?? .nan
        forgetDocument(.dismissal)
        let dismissal = enter(.unknown, cause: .dismissed, at: now)
        // The status that brings the view back must not wait for a safety check, or for the server's next change.
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

    /// The wait after a valid status: the status's own while blocked, the configured one first while active.
    /// While a stream lives, a slow one for safety.
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
        return schedule(NextCheck(due: now, wait: spread, origin: origin, clamp: clamp), at: now)
    }

    /// Starts the timer for a check, unless one is pending: then its end schedules the next.
    mutating func schedule(_ planned: NextCheck, at now: MonotonicInstant) -> [Action] {
        // A check that was asked for meanwhile has ended: its deadline must not become the next check.
        if isSuspended { return pending == nil ? stopWaiting() : [] }
        guard pending == nil, polling != .off else { return [] }
        var next = planned
        next.due = now.advanced(by: next.wait)
        nextCheck = next
        let clamped: [Action] = next.clamp.map { [.report(.intervalClamped($0))] } ?? []
        return clamped + [startTimer(after: next.wait), .report(.scheduled(next))]
    }

    mutating func startTimer(after wait: Duration) -> Action {
        lastTimerID += 1
        timer = lastTimerID
        return .startTimer(lastTimerID, after: wait)
    }

    // MARK: Suspension

    mutating func suspend() -> [Action] {
        guard !isSuspended else { return [] }
        isSuspended = true
        timer = nil
        nextCheck = nil
        return [.stopTimer] + abandonPending()
    }

    /// Leads to one prompt check, however many wake-ups are noticed while it runs.
    mutating func resume(at now: MonotonicInstant) -> [Action] {
        isSuspended = false
        if polling == .off { return [] }
        if pending?.cause == .resumed { return [] }
        return abandonPending() + startCheck(.resumed, at: now)
    }

    mutating func abandonPending() -> [Action] {
        guard let check = pending else { return [] }
        pending = nil
        return [.abandon(check.id)]
    }
}
