import StatusModel

/// The rules for statuses from a stream, which runs in addition to polling or instead of it.
extension StageMachine {
    /// The event id to resume a stream after: that of the last pushed status, if it is still the current one.
    ///
    /// If a check has delivered another status since, or the status was dismissed, the result is nil and the server
    /// repeats its status. With the id, the server would consider the app up to date and send nothing.
    package var resumableEventID: String? {
        lastPush?.document == document ? lastPush?.metadata?.eventID : nil
    }

    /// Accepts a pushed status immediately, unless it is older than the known one: a stream may lead to a server that
    /// lags behind. A pending check started earlier and may deliver an older status, so it is abandoned.
    mutating func push(
        _ reply: StatusReply, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        observe(reply, at: now)
        switch compare(reply, at: now) {
        case .current: break
        case .replay(let error): return [.report(.pushFailed(error))] + failPush(error, at: now, using: &generator)
        case .outdated:
            return [.report(.pushOutdated(reply))] + doubtPush(repeatedAfter: reply.document, at: now, using: &generator)
        }
        attempts += 1
        isPushDoubted = false
        lastPush = reply
        return abandonPending() + [.report(.pushed(reply, verdict(on: applied(reply.document), at: now)))]
            + accept(reply, at: now, using: &generator)
    }

    /// In stream-only mode, counts the failure of the stream; otherwise polls sooner.
    mutating func failPush(
        _ error: StatusError, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        guard polling != .off else { return recordFailure(error, at: now, using: &generator) }
        return doubtPush(at: now, using: &generator)
    }

    // MARK: Rejected pushes

    /// Reacts to a rejected push: the next check is made soon, and later checks are as frequent as without a stream.
    ///
    /// Only the first rejected push moves the check, and only to an earlier time. Further ones can neither prevent checks
    /// nor cause continuous ones.
    /// - Parameter document: the outdated document, if the stream may be asked to repeat the current status.
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

    // MARK: Stream-only mode

    /// Opens a fresh connection after this many seconds, unless a status is received before.
    mutating func awaitRefresh(after seconds: Double) -> [Action] {
        guard activity == .awaitingStream(hasTimer: false) else { return [] }
        activity = .awaitingStream(hasTimer: true)
        return [start(.check, after: policy.clamp(seconds: seconds).wait)]
    }

    /// Cancels the scheduled reconnection after a status was received.
    mutating func stopWaiting() -> [Action] {
        guard activity == .awaitingStream(hasTimer: true) else { return [] }
        activity = .awaitingStream(hasTimer: false)
        return [.stopTimer(.check)]
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
            activity = isSuspended ? .suspended(nil) : .awaitingStream(hasTimer: false)
            return abandoned + [.stopTimer(.check)]
        }
    }

    /// Replaces the next check by a slow safety check, unless it follows a failure: a failed check is repeated soon.
    private mutating func rest(
        at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        guard failures == 0, let document else { return [] }
        return schedule(document, at: now, using: &generator)
    }

    /// Starts a check immediately, unless one is pending or has just ended.
    private mutating func fallBack(
        at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        guard pending == nil, !isSuspended else { return [] }
        if let document, lastReplyAt == now, lastReply?.metadata?.isPushed != true {
            return schedule(document, at: now, using: &generator)
        }
        return startCheck(.fallback, at: now)
    }

    /// Ends the run of failures in stream-only mode when the stream is live again, even without a new status.
    mutating func streamRecovered() -> [Action] {
        failureRun = nil
        return []
    }
}
