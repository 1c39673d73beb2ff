import BellerophonBase
import Dispatch
import Foundation

/// The production clock, with Dispatch timers on the main queue.
@MainActor
package final class DispatchClock: ManagerClock {
    private let suspending = SuspendingClock()
    private let continuous = ContinuousClock()
    private let suspendingOrigin: SuspendingClock.Instant
    private let continuousOrigin: ContinuousClock.Instant

    /// Creates a clock that starts at zero.
    package init() {
        suspendingOrigin = suspending.now
        continuousOrigin = continuous.now
    }

    /// The time since the clock was created, without the time that the machine slept.
    package var now: MonotonicInstant {
        MonotonicInstant(offset: suspendingOrigin.duration(to: suspending.now))
    }

    /// The current wall-clock time.
    package var date: Date { Date() }

    /// The time that the machine has slept since the clock was created.
    package var slept: Duration {
        continuousOrigin.duration(to: continuous.now) - suspendingOrigin.duration(to: suspending.now)
    }

    /// Calls the handler once after a wait of at most a year: `DispatchTime` overflows on far larger waits and never
    /// fires.
    package func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
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
