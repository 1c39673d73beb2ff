import Foundation
import StatusModel

extension ManagerState {
    /// The content that the overlay shows.
    /// - Parameters:
    ///   - now: the present instant of the manager's clock.
    ///   - date: the present time by the wall clock.
    func content(_ setup: StatusSetup, at now: MonotonicInstant, date: Date) -> OverlayContent {
        let document = machine.document
        var app = setup.app
        // The version may have become known, or have changed, since the start.
        if app.version != machine.app.version { (app.version, app.versionOrigin) = (machine.app.version, nil) }
        var content = OverlayContent(
            stage: machine.stage, app: app,
            source: setup.sourceName, host: setup.senderName,
            countdown: countdown(at: now),
            attempt: machine.attempts,
            lastAnswer: lastAnswer(at: now), since: stageSince,
            failures: machine.failures, failure: machine.failure.map(setup.phrases.words(for:)),
            isSimulated: setup.isSimulated, remarks: (document?.remarks ?? []) + (storeProblem.map { [$0] } ?? []),
            timeZone: setup.timeZone,
            date: date
        )
        content.addressProblem = machine.failure?.addressProblem
        content.facts = setup.app.statusFacts(document, machine.verdict, languages: setup.languages)
        content.failureDetail = machine.failure?.description
        content.verdict = machine.verdict
        content.plan = machine.plan
        content.planDate = machine.planDate(at: now)
        content.interval = machine.nextCheck
        content.isListening = transport == .stream
        content.usesLargeTitles = setup.usesLargeTitles
        content.phrases = setup.phrases
        content.standing = standing(security: setup.security, at: now)
        return content
    }

    /// The transport in use.
    var transport: Transport { stream?.isLive == true ? .stream : .poll }

    private func standing(security: TransportSecurity?, at now: MonotonicInstant) -> OverlayContent.StatusStanding {
        var standing = OverlayContent.StatusStanding()
        standing.basis = machine.basis
        standing.age = machine.confirmedAt.map { max(.zero, $0.duration(to: now)) }
        standing.isStale = machine.isStale(at: now)
        standing.proof = machine.proof
        standing.security = security
        if machine.basis == .status { standing.clockLag = machine.lastReply?.clockLag }
        return standing
    }

    /// The time to the next check or, in stream-only mode, to the next connection; nil while a stream is live.
    private func countdown(at now: MonotonicInstant) -> OverlayContent.Countdown? {
        guard transport == .poll else { return nil }
        var next = machine.nextCheck
        if machine.polling == .off, case .waiting(let attempt)? = stream?.state { next = attempt }
        return next.map { .init(remaining: max(.zero, now.duration(to: $0.due)), total: $0.wait) }
    }

    private func lastAnswer(at now: MonotonicInstant) -> OverlayContent.Answer? {
        guard let at = machine.lastReplyAt, let date = lastReplyDate else { return nil }
        return .init(date: date, age: at.duration(to: now), metadata: machine.lastReply?.metadata)
    }
}
