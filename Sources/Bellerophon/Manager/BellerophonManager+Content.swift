import BellerophonBase
import Foundation

extension BellerophonManager {
    /// The current instant of the manager's clock, for comparison with the instants of ``machine``.
    package var now: MonotonicInstant { clock.now }

    /// The time until the countdown to the next check shows the next second; 1 s without a countdown.
    package var untilNextSecond: Duration {
        Self.untilNextSecond(machine.nextCheck.map { clock.now.duration(to: $0.due) })
    }

    /// The time until a countdown shows the next second; 1 s without one.
    package static func untilNextSecond(_ remaining: Duration?) -> Duration {
        guard let seconds = remaining?.inSeconds, seconds > 0 else { return .seconds(1) }
        let fraction = seconds - seconds.rounded(.down)
        return .seconds(fraction > 0.02 ? fraction : 1)
    }

    /// The content that the overlay shows now.
    package func overlayContent() -> OverlayContent {
        let now = clock.now
        let document = machine.document
        var content = OverlayContent(
            stage: machine.stage, app: config.app,
            source: config.sourceName, host: config.senderName,
            countdown: countdown(at: now),
            attempt: machine.attempts,
            lastAnswer: lastAnswer(at: now), since: stageSince,
            failures: machine.failures, failure: machine.failure?.description,
            isSimulated: config.isSimulated, remarks: (document?.remarks ?? []) + (keeper.problem.map { [$0] } ?? []),
            timeZone: config.timeZone,
            date: clock.date
        )
        content.facts = config.app.statusFacts(document)
        content.interval = machine.nextCheck
        content.isListening = liveTransport == .stream
        content.reducesMotion = reducesMotion
        content.usesLargeTitles = config.usesLargeTitles
        content.standing = standing(at: now)
        return content
    }

    private func standing(at now: MonotonicInstant) -> OverlayContent.StatusStanding {
        var standing = OverlayContent.StatusStanding()
        standing.basis = machine.basis
        standing.age = machine.confirmedAt.map { max(.zero, $0.duration(to: now)) }
        standing.isStale = machine.isStale(at: now)
        standing.proof = machine.proof
        standing.security = security
        return standing
    }

    /// The time to the next check or, in stream-only mode, to the next connection; nil while a stream is live.
    private func countdown(at now: MonotonicInstant) -> OverlayContent.Countdown? {
        guard liveTransport == .poll else { return nil }
        var next = machine.nextCheck
        if isStreamOnly, case .waiting(let attempt)? = driver?.machine.state { next = attempt }
        return next.map { .init(remaining: max(.zero, now.duration(to: $0.due)), total: $0.wait) }
    }

    private func lastAnswer(at now: MonotonicInstant) -> OverlayContent.Answer? {
        guard let at = machine.lastReplyAt, let date = lastAnswer else { return nil }
        return .init(date: date, age: at.duration(to: now), metadata: machine.lastReply?.metadata)
    }
}
