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
        var content = state.content(core.setup, at: clock.now, date: clock.date)
        // The delegate may name another sender than at the start.
        (content.source, content.host) = (config.sourceName, config.senderName)
        content.reducesMotion = reducesMotion
        content.update = updates?.report
        content.notice = notice
        return content
    }

    /// Performs what the service for updates has found out.
    func apply(_ change: UpdateChange) {
        switch change {
        case .report: updateWindow()
        case .deferred(let end): core.deferUpdates(until: end)
        case .version(let version):
            var facts = machine.app
            facts.version = version
            self.change(to: facts)
        }
    }
}
