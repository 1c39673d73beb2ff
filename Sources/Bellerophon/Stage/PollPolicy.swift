import BellerophonBase
import Foundation

/// The waits between checks.
public struct PollPolicy: Equatable, Sendable {
    /// The wait between checks while the app is active; nil uses the status's `retryInterval`.
    public var activeInterval: Duration?
    /// The shortest wait, at least 1 ms. Default: 1 s.
    public var minimumInterval: Duration
    /// The longest wait, at least ``minimumInterval``. Default: 3600 s.
    public var maximumInterval: Duration
    /// The wait if a status contains no number (`nan`). Default: 60 s.
    public var defaultInterval: Duration
    /// The upper bound of the first wait after a failure. It doubles with each consecutive failure. Default: 2 s.
    public var backoffBase: Duration
    /// The highest upper bound of a wait after a failure. Default: 120 s.
    public var backoffCap: Duration
    /// The time after which a pending check fails. Default: 30 s.
    public var checkTimeout: Duration
    /// The wait between safety checks while a stream is live, varied at random by up to 20 %. Default: 300 s.
    public var safetyInterval: Duration
    /// The fraction by which a regular wait is varied at random, so that clients that started together do not keep
    /// polling together. 0 turns it off; at most 0.5. Default: 0.1.
    public var jitter: Double

    /// Creates a policy. The interval bounds and the jitter are clamped to their valid ranges.
    public init(
        activeInterval: Duration? = nil, minimumInterval: Duration = .seconds(1),
        maximumInterval: Duration = .seconds(3600), defaultInterval: Duration = .seconds(60),
        backoffBase: Duration = .seconds(2), backoffCap: Duration = .seconds(120),
        checkTimeout: Duration = .seconds(30), safetyInterval: Duration = .seconds(300), jitter: Double = 0.1
    ) {
        self.activeInterval = activeInterval
        self.minimumInterval = max(minimumInterval, .milliseconds(1))
        self.maximumInterval = max(maximumInterval, self.minimumInterval)
        self.defaultInterval = defaultInterval
        self.backoffBase = backoffBase
        self.backoffCap = backoffCap
        self.checkTimeout = max(checkTimeout, .milliseconds(100))
        self.safetyInterval = safetyInterval
        self.jitter = jitter.isNaN ? 0 : min(max(jitter, 0), 0.5)
    }

    /// Clamps a number of seconds to the policy's bounds. `clamp` is nil if the number was within them.
    package func clamp(seconds: Double) -> (wait: Duration, clamp: IntervalClamp?) {
        if seconds.isNaN {
            let wait = min(max(defaultInterval, minimumInterval), maximumInterval)
            return (wait, IntervalClamp(requested: seconds, used: wait))
        }
        let bounded = min(max(seconds, minimumInterval.inSeconds), maximumInterval.inSeconds)
        if bounded == seconds { return (.seconds(seconds), nil) }
        let wait = seconds < bounded ? minimumInterval : maximumInterval
        return (wait, IntervalClamp(requested: seconds, used: wait))
    }

    /// The wait after `failures` failed checks in a row: exponential backoff with full jitter.
    ///
    /// Source of the rule: Marc Brooker, "Exponential Backoff And Jitter" (2015).
    /// - Parameters:
    ///   - failures: at least 1.
    ///   - base: the upper bound of the first wait; nil uses ``backoffBase``.
    func backoff(
        failures: Int, base: Duration? = nil, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let doublings = Double(min(max(failures - 1, 0), 30))
        let first = (base ?? backoffBase).inSeconds
        var ceiling = min(first * exp2(doublings), max(backoffCap.inSeconds, base?.inSeconds ?? 0))
        // A server may ask for a wait as short as the shortest one. Without room for jitter all its clients would return together.
        if base != nil { ceiling = max(ceiling, 2 * minimumInterval.inSeconds) }
        // The jitter starts at the shortest wait. If shorter waits were clamped to it, many clients would return
        // together.
        let least = min(minimumInterval.inSeconds, max(ceiling, 0))
        return clamp(seconds: least + Self.fraction(using: &generator) * (max(ceiling, 0) - least)).wait
    }

    /// The next check after a failure: by backoff, or later if the server requests it.
    /// - Parameter asked: the server's `Retry-After`.
    func nextCheck(
        afterFailures failures: Int, base: Duration? = nil, asked: Duration?, at now: MonotonicInstant,
        using generator: inout some RandomNumberGenerator
    ) -> NextCheck {
        let backoff = backoff(failures: failures, base: base, using: &generator)
        guard let asked, asked > backoff else {
            return NextCheck(due: now.advanced(by: backoff), wait: backoff, origin: .backoff)
        }
        let (wait, clamp) = clamp(seconds: asked.inSeconds)
        let later = comeBack(after: max(wait, backoff), isExact: clamp == nil, using: &generator)
        return NextCheck(due: now.advanced(by: later), wait: later, origin: .retryAfter, clamp: clamp)
    }

    /// A regular wait with its ``jitter``, within the policy's bounds.
    func spread(_ wait: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        move(wait, by: wait.inSeconds * jitter, atLeast: minimumInterval, using: &generator)
    }

    /// A wait that the server requested, with jitter. It never becomes shorter: clients that were given the same time
    /// would otherwise return together and too early.
    /// - Parameter isExact: false if the request exceeds the longest wait; the jitter may then shorten it.
    private func comeBack(
        after wait: Duration, isExact: Bool, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let share = jitter > 0 ? max(wait.inSeconds * jitter, backoffBase.inSeconds) : 0
        return move(wait, by: share, atLeast: isExact ? wait : minimumInterval, using: &generator)
    }

    /// Varies a wait by up to this many seconds in either direction. Values beyond a bound are mirrored.
    private func move(
        _ wait: Duration, by most: Double, atLeast least: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let offset = Duration.seconds(most * (2 * Self.fraction(using: &generator) - 1))
        let moved = wait + offset
        let mirrored = moved < least || moved > maximumInterval ? wait - offset : moved
        return min(max(mirrored, least), max(maximumInterval, least))
    }

    /// The wait for a safety check while a stream is live. It is jittered, so that clients do not poll in step, and never
    /// shorter than the regular wait.
    func safetyWait(atLeast regular: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        let spread = 0.8 + 0.4 * Self.fraction(using: &generator)
        return max(regular, clamp(seconds: safetyInterval.inSeconds * spread).wait)
    }

    /// The next attempt if the server wants none: the longest wait less up to 20 %.
    func rareCheck(at now: MonotonicInstant, using generator: inout some RandomNumberGenerator) -> NextCheck {
        let wait = clamp(seconds: maximumInterval.inSeconds * (1 - 0.2 * Self.fraction(using: &generator))).wait
        return NextCheck(due: now.advanced(by: wait), wait: wait, origin: .backoff)
    }

    /// A random number in 0..<1.
    private static func fraction(using generator: inout some RandomNumberGenerator) -> Double {
        Double(generator.next() >> 11) * 0x1p-53
    }
}

/// A requested wait that was out of bounds, and the wait used instead.
package struct IntervalClamp: Equatable, Sendable {
    /// The requested seconds, from the status, the configuration or `Retry-After`; may be negative, infinite or `nan`.
    package var requested: Double
    /// The wait used instead.
    package var used: Duration

    /// Creates a record of a clamped wait.
    package init(requested: Double, used: Duration) {
        self.requested = requested
        self.used = used
    }

    /// Compares both values; two `nan` requests are equal.
    package static func == (left: IntervalClamp, right: IntervalClamp) -> Bool {
        left.used == right.used
            && (left.requested == right.requested || (left.requested.isNaN && right.requested.isNaN))
    }
}

/// A scheduled check, and the origin of its wait.
package struct NextCheck: Equatable, Sendable {
    /// What determined the wait.
    package enum Origin: String, Equatable, Sendable {
        /// The status's `retryInterval`.
        case server
        /// The app's configuration.
        case configuration
        /// A failure, with backoff.
        case backoff
        /// A failure, with the server's `Retry-After`.
        case retryAfter
        /// A live stream; this is the slow safety check.
        case safety
    }

    /// When the check is due.
    package var due: MonotonicInstant
    /// The time from the scheduling to ``due``.
    package var wait: Duration
    /// What determined the wait.
    package var origin: Origin
    /// The clamp, if the requested wait was out of bounds.
    package var clamp: IntervalClamp?
    /// The clamped wait from the server or the configuration before random variation; equal to ``wait`` for other
    /// origins.
    package var interval: Duration

    /// Creates a scheduled check.
    /// - Parameters:
    ///   - due: when the check starts.
    ///   - wait: from the last check to this one.
    ///   - origin: what the wait follows from.
    ///   - clamp: how the requested wait was clamped; nil if it was within the bounds.
    ///   - interval: nil if ``wait`` was not varied.
    package init(due: MonotonicInstant, wait: Duration, origin: Origin, clamp: IntervalClamp? = nil, interval: Duration? = nil) {
        self.due = due
        self.wait = wait
        self.origin = origin
        self.clamp = clamp
        self.interval = interval ?? wait
    }
}
