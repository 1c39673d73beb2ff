import Foundation

extension BellerophonManager {
    /// What the overlay shows at this moment.
    public func overlayContent() -> OverlayContent {
        let now = clock.now
        let document = machine.document
        return OverlayContent(
            stage: machine.stage, app: config.app,
            source: config.source?.name ?? config.app.name, host: config.source?.host ?? config.app.name,
            message: document?.message, requiredVersion: document?.requiredVersion,
            link: document?.link ?? config.app.link,
            countdown: machine.nextCheck.map {
                .init(remaining: max(.zero, now.duration(to: $0.due)), total: $0.wait)
            },
            attempt: machine.attempts,
            lastAnswer: lastAnswer(at: now), since: stageSince, interval: machine.nextCheck,
            failures: machine.failures, failure: machine.failure?.description,
            isSimulated: config.isSimulated, remarks: document?.remarks ?? [], timeZone: config.timeZone
        )
    }

    private func lastAnswer(at now: MonotonicInstant) -> OverlayContent.Answer? {
        guard let at = machine.lastReplyAt, let date = lastAnswer else { return nil }
        return .init(date: date, age: at.duration(to: now), receipt: machine.lastReply?.receipt)
    }
}

extension OverlayContent {
    /// The time until the countdown shows another second.
    var untilNextChange: Duration {
        guard let seconds = countdown?.remaining.inSeconds else { return .seconds(1) }
        let fraction = seconds - seconds.rounded(.down)
        return .seconds(fraction > 0.02 ? fraction : 1)
    }
}
