import BellerophonBase
package import Foundation
package import StatusModel

/// The rules of a status: what holds now, what changes next, and when.
extension StageMachine {
    /// The time by which phases of rules begin and end; nil if it is not known.
    package func planDate(at now: MonotonicInstant) -> Date? { planClock.date(at: now, wall: order.localDate(at: now)) }

    /// Whether a `Date` of any run has confirmed that time.
    package var isPlanDateConfirmed: Bool { planClock.isConfirmed }

    /// Whether the replies have no date, so that the wall clock alone decides when a phase begins.
    package var usesWallClockOnly: Bool { planClock.isWallClockOnly }

    /// The plan of the present status, for everything that shows it; nil if the status has none.
    package var plan: PlanReport? {
        guard let document, let verdict else { return nil }
        return PlanReport(verdict, of: document, usesWallClockOnly: usesWallClockOnly)
    }

    /// What the present status says now: a rule that covers the app says something of its own.
    package var facts: StatusFacts {
        guard let document else { return StatusFacts() }
        return verdict?.facts(of: document) ?? document.facts
    }

    /// What every rule of a document means for the app, in the order of the list.
    /// - Parameter date: the time by which the rules begin and end; nil if it is not known.
    package func outcomes(of document: StatusDocument, at date: Date?) -> [RuleOutcome] { document.outcomes(for: app, at: date) }

    /// Reports what the plan says, if it says something else than before.
    func planChange(from earlier: PlanReport?) -> [Action] {
        let plan = plan
        return PlanReport.News(plan) == PlanReport.News(earlier) ? [] : [.report(.planChanged(plan ?? .none))]
    }

    /// Takes the times of a reply into account. A pushed status has no time of its own: the head of its stream had one.
    mutating func observe(_ reply: StatusReply, at now: MonotonicInstant) {
        guard reply.metadata?.isPushed != true else { return order.observe(reply.receivedOn, at: now) }
        // The `Date` that makes an early status count is not signed, and moves no clock.
        observe(reply.clockLag == nil ? reply.metadata?.serverDate : nil, receivedOn: reply.receivedOn, at: now)
    }

    /// The status of a failure that counts although it is ahead of this machine's clock, because it covers the app, also by the app's own
    /// time, at least as strictly as what is shown; nil without one.
    func early(_ error: StatusError, at now: MonotonicInstant) -> StatusReply? {
        guard let reply = error.early, reply.coversEarly(app, over: stage) else { return nil }
        var later = self
        later.observe(reply, at: now)
        return later.verdict(on: later.applied(reply.document), at: now).stage.covers(over: stage) ? reply : nil
    }

    /// Takes the time of a reply, or of the head of a stream, into account.
    mutating func observe(_ serverDate: Date?, receivedOn wall: Date?, at now: MonotonicInstant) {
        var reached = planDate(at: now)
        if planClock.isCorrected(by: serverDate, wall: wall, reached: reached) {
            (planClock, reached) = (PlanClock(), nil)
            order.forgetClock()
        }
        order.observe(wall, at: now)
        planClock.observe(serverDate, at: now, reached: reached)
    }

    /// The document as it applies here: with the rule that covers the app now, if the document makes that rule unreadable.
    func applied(_ document: StatusDocument) -> StatusDocument {
        document.holding(verdict?.coveringRule, of: self.document)
    }

    /// Takes the time of the head of a stream.
    mutating func adopt(
        _ date: Date?, receivedOn wall: Date, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        observe(date, receivedOn: wall, at: now)
        return followPlan(at: now, using: &generator)
    }

    // MARK: Phases

    /// The longest wait of a timer. A timer of a month would not notice a clock that is corrected.
    private static let longestWait = Duration.seconds(86_400)

    /// Starts the timer for the next change of the verdict, or stops it if the verdict does not change by itself.
    mutating func watchPlan(at now: MonotonicInstant) -> [Action] {
        guard document != nil, let next = verdict?.next, let date = planDate(at: now) else {
            return timers.removeValue(forKey: .plan) == nil ? [] : [.stopTimer(.plan)]
        }
        // A timer that fires before the time is reached starts another one for the rest.
        let wait = Duration.seconds(max(next.timeIntervalSince(date), 0.001))
        return [start(.plan, after: min(wait, Self.longestWait))]
    }

    /// Decides again what the present document means, because time has passed.
    mutating func followPlan(at now: MonotonicInstant, using generator: inout some RandomNumberGenerator) -> [Action] {
        let earlier = verdict
        let actions = decideAgain(at: now) { .rule($0.coveringRule ?? earlier?.coveringRule ?? "") }
        return verdict == earlier ? actions : actions + checkSoon(at: now, using: &generator)
    }

    /// Decides again what the present document means.
    /// - Parameter cause: the cause of a change of stage, made from the new verdict.
    private mutating func decideAgain(at now: MonotonicInstant, cause: (Verdict) -> Transition.Cause) -> [Action] {
        guard let document, let earlier = verdict else { return [] }
        let verdict = verdict(on: document, at: now)
        let earlierPlan = plan
        lastVerdict = verdict
        guard verdict != earlier else { return watchPlan(at: now) }
        var actions: [Action] = []
        if verdict.stage != stage {
            actions = enter(verdict.stage, cause: cause(verdict), at: now)
        } else {
            actions = messageChange(from: earlier.facts(of: document), to: verdict.facts(of: document))
        }
        actions += planChange(from: earlierPlan)
        return actions + [.remember(document, isNew: true)] + watchPlan(at: now)
    }

    // MARK: Other inputs of the verdict

    /// Decides again for the changed app. The document stays, so an update counts without a reply of the server.
    mutating func change(to app: AppFacts, at now: MonotonicInstant) -> [Action] {
        guard app != self.app else { return [] }
        self.app = app
        return decideAgain(at: now) { _ in .facts }
    }

    /// Decides again with or without an allowance to go on without a required update.
    mutating func deferUpdates(until end: Date?, at now: MonotonicInstant) -> [Action] {
        guard end != updateDeferral else { return [] }
        updateDeferral = end
        return decideAgain(at: now) { _ in .facts }
    }

    /// What the present status requires of the app's version, also while the app may go on without it; nil if it requires nothing.
    package func updateRequirement(at now: MonotonicInstant) -> UpdateRequirement? {
        guard let document, let update = verdict?.requiredUpdate else { return nil }
        return UpdateRequirement(update, of: document, app: app, at: planDate(at: now))
    }

    /// Forgets the time. It is unknown until the next reply, as after a start, and so no rule has begun because of its time.
    mutating func replaceClock(at now: MonotonicInstant, using generator: inout some RandomNumberGenerator) -> [Action] {
        planClock = PlanClock()
        order.forgetClock()
        return followPlan(at: now, using: &generator)
    }

    func messageChange(from earlier: StatusFacts?, to present: StatusFacts) -> [Action] {
        guard stage.isBlocked, present[.message] != earlier?[.message] else { return [] }
        return [.report(.messageChanged(present[.message]))]
    }

    /// Moves the next check to a random part of its interval: the server may know more about a phase, and clients whose phase begins
    /// at the same time must not ask together.
    private mutating func checkSoon(at now: MonotonicInstant, using generator: inout some RandomNumberGenerator) -> [Action] {
        guard let nextCheck, polling == .regular, failures == 0 else { return [] }
        let interval = nextCheck.interval
        let wait = interval * Double.random(in: 0.05...1, using: &generator)
        guard now.advanced(by: wait) < nextCheck.due else { return [] }
        return schedule(NextCheck(due: now, wait: wait, origin: nextCheck.origin, interval: interval), at: now)
    }
}
