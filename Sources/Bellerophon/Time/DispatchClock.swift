import BellerophonBase
import Dispatch
import Foundation

/// The production clock, with Dispatch timers.
package final class DispatchClock: ManagerClock {
    private let suspendingOrigin = SuspendingClock.now
    private let continuousOrigin = ContinuousClock.now

    /// Makes the calls that do not need the main actor. Serial, so that calls that are due are made in the order of their times.
    private static let queue = DispatchQueue(label: "bellerophon.clock", qos: .userInitiated)

    /// Creates a clock that starts at zero.
    package init() {}

    /// The time since the clock was created, without the time that the machine slept.
    package var now: MonotonicInstant {
        MonotonicInstant(offset: suspendingOrigin.duration(to: SuspendingClock.now))
    }

    /// The current wall-clock time.
    package var date: Date { Date() }

    /// The time that the machine has slept since the clock was created.
    package var slept: Duration {
        continuousOrigin.duration(to: ContinuousClock.now) - suspendingOrigin.duration(to: SuspendingClock.now)
    }

    /// Calls the handler once after a wait of at most a year, with a timer on the main queue.
    @MainActor
    package func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        Self.call(after: wait, on: .main) { MainActor.assumeIsolated(handler) }
    }

    /// Calls the handler once after a wait of at most a year, on a queue of the clocks.
    package func call(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
        Self.call(after: wait, on: Self.queue, handler)
    }

    /// Runs the work on another thread.
    package func perform(_ work: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: work) }

    /// - Parameter wait: at most a year counts: `DispatchTime` overflows on far larger waits and never fires.
    private static func call(
        after wait: Duration, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> ScheduledCall {
        // Dispatch sources may be used on any thread; the protocol does not say so on Linux.
        nonisolated(unsafe) let source = DispatchSource.makeTimerSource(queue: queue)
        let seconds = min(max(wait.inSeconds, 0), 365 * 86400)
        source.schedule(deadline: .now() + seconds, leeway: .milliseconds(seconds > 0 ? 5 : 0))
        source.setEventHandler {
            source.cancel()
            handler()
        }
        source.resume()
        return ScheduledCall { source.cancel() }
    }
}
