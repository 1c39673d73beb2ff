import BellerophonBase
import Dispatch
public import Foundation

/// The production clock: a Dispatch timer on the main queue.
@MainActor
public final class DispatchClock: ManagerClock {
    private let suspending = SuspendingClock()
    private let continuous = ContinuousClock()
    private let suspendingOrigin: SuspendingClock.Instant
    private let continuousOrigin: ContinuousClock.Instant

    public init() {
        suspendingOrigin = suspending.now
        continuousOrigin = continuous.now
    }

    public var now: MonotonicInstant {
        MonotonicInstant(offset: suspendingOrigin.duration(to: suspending.now))
    }

    public var date: Date { Date() }

    public var slept: Duration {
        continuousOrigin.duration(to: continuous.now) - suspendingOrigin.duration(to: suspending.now)
    }

    /// Waits are cut to a year: `DispatchTime` overflows on far larger ones and never fires.
    public func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        let seconds = min(max(wait.inSeconds, 0), 365 * 86400)
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(seconds > 0 ? 5 : 0))
        timer.setEventHandler {
            MainActor.assumeIsolated {
                timer.cancel()
                handler()
            }
        }
        timer.resume()
        return ScheduledCall { timer.cancel() }
    }
}
