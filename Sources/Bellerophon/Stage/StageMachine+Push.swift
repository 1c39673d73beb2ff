import StatusModel

/// The rules for statuses that a stream brings beside, or in place of, those that are asked for.
extension StageMachine {
    /// The id to resume a stream after: that of the pushed status which the stage still rests on.
    ///
    /// Had another status come since by a check, or been dismissed, the server must repeat what it pushed: it would
    /// otherwise take the app for up to date, and say nothing.
    var resumableEventID: String? {
        lastPush?.document == document ? lastPush?.eventID : nil
    }

    /// A pushed status counts at once, unless it is older than what is known: a stream may lead to a server that lags
    /// behind. A check still under way was asked before it and may be older, so it is abandoned.
    mutating func push(
        _ reply: StatusReply, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        switch order.verdict(on: reply, beside: present, at: now) {
        case .current: break
        case .replay(let error): return [.report(.pushFailed(error))] + failPush(error, at: now, using: &generator)
        case .outdated:
            return [.report(.pushOutdated(reply))] + doubtPush(repeatedAfter: reply.document, at: now, using: &generator)
        }
        attempts += 1
        isPushDoubted = false
        lastPush = Push(document: reply.document, eventID: reply.receipt?.eventID)
        return abandonPending() + [.report(.pushed(reply))] + accept(reply, at: now, using: &generator)
    }

    /// Where there is nothing but the stream its failure is the app's; else the app asks.
    mutating func failPush(
        _ error: StatusError, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        guard polling != .off else { return note(error, at: now, using: &generator) }
        return doubtPush(at: now, using: &generator)
    }

    // MARK: Doubt

    /// A pushed status is of no use: a check finds out soon, and the next ones come as without a stream.
    ///
    /// Only the first such status moves the check, and only forward: a stream that goes on with them must neither keep
    /// the app from asking nor make it ask all the time.
    /// - Parameter document: what was left out, where the stream may be asked to repeat what holds.
    private mutating func doubtPush(
        repeatedAfter document: StatusDocument? = nil, at now: MonotonicInstant,
        using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        if polling == .off { return document.map { awaitRefresh(after: $0.interval) } ?? [] }
        guard !isPushDoubted else { return [] }
        isPushDoubted = true
        let soon = policy.nextCheck(afterFailures: 1, asked: nil, at: now, using: &generator)
        if let nextCheck, nextCheck.due <= soon.due { return [] }
        return schedule(soon, at: now)
    }

    // MARK: Where there is only the stream

    /// A fresh connection after that many seconds, unless a status comes before.
    mutating func awaitRefresh(after seconds: Double) -> [Action] {
        guard case .awaitingStream(nil) = activity else { return [] }
        let timer = nextTimerID()
        activity = .awaitingStream(timer)
        return [.startTimer(timer, after: policy.clamp(seconds: seconds).wait)]
    }

    /// A status has come: the stream need not connect anew.
    mutating func stopWaiting() -> [Action] {
        guard case .awaitingStream(.some) = activity else { return [] }
        activity = .awaitingStream(nil)
        return [.stopTimer]
    }

    // MARK: Polling

    mutating func change(
        to polling: Polling, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        let before = self.polling
        guard polling != before else { return [] }
        self.polling = polling
        isPushDoubted = false
        switch polling {
        case .resting where before == .off: return fallBack(at: now, using: &generator)
        case .resting: return rest(at: now, using: &generator)
        case .regular: return fallBack(at: now, using: &generator)
        case .off:
            let abandoned: [Action] = pending.map { [.abandon($0.id)] } ?? []
            activity = isSuspended ? .suspended(nil) : .awaitingStream(nil)
            return abandoned + [.stopTimer]
        }
    }

    /// The next check gives way to a slow one, but for one that follows a failure: nothing is known to be right then.
    private mutating func rest(
        at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        guard failures == 0, let document else { return [] }
        return schedule(document, at: now, using: &generator)
    }

    /// A check at once, unless one is under way or has just ended.
    private mutating func fallBack(
        at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        guard pending == nil, !isSuspended else { return [] }
        if let document, lastReplyAt == now, lastReply?.receipt?.isPushed != true {
            return schedule(document, at: now, using: &generator)
        }
        return startCheck(.fallback, at: now)
    }

    /// Where there is only the stream, its failure is over when it lives again, although no new status need come.
    mutating func streamRecovered() -> [Action] {
        failureRun = nil
        return []
    }
}
