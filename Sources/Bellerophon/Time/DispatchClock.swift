import BellerophonBase
import Dispatch
import Foundation

/// The production clock, with Dispatch timers.
package final class DispatchClock: ManagerClock {
    private let suspending = SuspendingClock()
    private let continuous = ContinuousClock()
    private let suspendingOrigin: SuspendingClock.Instant
    private let continuousOrigin: ContinuousClock.Instant

    /// Makes the calls that do not need the main actor. Serial, so that calls that are due are made in the order of their times.
    private static let queue = DispatchQueue(label: "bellerophon.clock", qos: .userInitiated)

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

    /// Calls the handler once after a wait of at most a year, with a timer on the main queue.
    @MainActor
    package func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        let timer = OneTimer(on: .main)
        return timer.start(after: wait) { MainActor.assumeIsolated(handler) }
    }

    /// Calls the handler once after a wait of at most a year, on a queue of the clocks.
    package func call(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
        OneTimer(on: Self.queue).start(after: wait, handler)
    }

    /// Runs the work on another thread.
    package func perform(_ work: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: work) }
}

/// A Dispatch timer that fires once.
private struct OneTimer: @unchecked Sendable {
    // Dispatch sources may be used on any thread; the protocol does not say so on Linux.
    private let source: any DispatchSourceTimer

    init(on queue: DispatchQueue) {
        source = DispatchSource.makeTimerSource(queue: queue)
    }

    /// - Parameter wait: at most a year counts: `DispatchTime` overflows on far larger waits and never fires.
    func start(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
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
