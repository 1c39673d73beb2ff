import BellerophonBase
import Foundation

/// How often the status is asked for.
public struct PollPolicy: Equatable, Sendable {
    /// The wait between checks while the app is active; nil takes the status's own `retryInterval`.
    public var activeInterval: Duration?
    /// No wait is shorter. Default: 1 s.
    public var minimumInterval: Duration
    /// No wait is longer. Default: 3600 s.
    public var maximumInterval: Duration
    /// The wait where a status gives no number (`nan`). Default: 60 s.
    public var defaultInterval: Duration
    /// The ceiling of the first wait after a failure; it doubles with each further one. Default: 2 s.
    public var backoffBase: Duration
    /// The highest ceiling. Default: 120 s.
    public var backoffCap: Duration
    /// A check that has not ended after this time has failed. Default: 30 s.
    public var checkTimeout: Duration
    /// While a stream lives, a check is made about this often all the same, give or take a fifth. Default: 300 s.
    public var safetyInterval: Duration
    /// The share by which a regular wait is shorter or longer than asked for, by chance: clients that started together,
    /// or were told to come back together, do not go on asking together. 0 for none; at most 0.5. Default: 0.1.
    public var jitter: Double

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
        self.checkTimeout = checkTimeout
        self.safetyInterval = safetyInterval
        self.jitter = jitter.isNaN ? 0 : min(max(jitter, 0), 0.5)
    }

    /// A wait within the policy's bounds for any number of seconds, and the clamp if one was needed.
    public func clamp(seconds: Double) -> (wait: Duration, clamp: IntervalClamp?) {
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
    ///   - base: the ceiling of the first wait; ``backoffBase`` unless told.
    func backoff(
        failures: Int, base: Duration? = nil, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let doublings = Double(min(max(failures - 1, 0), 30))
        let first = (base ?? backoffBase).inSeconds
        let ceiling = min(first * exp2(doublings), max(backoffCap.inSeconds, base?.inSeconds ?? 0))
        // Jitter from the least wait on: cut off below it, many clients would come back at the very same moment.
        let least = min(minimumInterval.inSeconds, max(ceiling, 0))
        return clamp(seconds: least + Self.fraction(using: &generator) * (max(ceiling, 0) - least)).wait
    }

    /// When to try again after a failure: by backoff, or later where the server asks for it.
    /// - Parameter asked: the server's `Retry-After`.
    func nextCheck(
        afterFailures failures: Int, base: Duration? = nil, asked: Duration?, at now: MonotonicInstant,
        using generator: inout some RandomNumberGenerator
    ) -> NextCheck {
        let backoff = backoff(failures: failures, base: base, using: &generator)
        var next = NextCheck(due: now.advanced(by: backoff), wait: backoff, origin: .backoff)
        if let asked, asked > backoff {
            let (wait, clamp) = clamp(seconds: asked.inSeconds)
            let later = comeBack(after: max(wait, backoff), isExact: clamp == nil, using: &generator)
            next = NextCheck(due: now.advanced(by: later), wait: later, origin: .retryAfter, clamp: clamp)
        }
        return next
    }

    /// A regular wait with its ``jitter``, within the policy's bounds.
    func spread(_ wait: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        move(wait, by: wait.inSeconds * jitter, atLeast: minimumInterval, using: &generator)
    }

    /// The wait where a server says when to come back: never sooner, or those to whom it said so together would be
    /// there together, and too early.
    /// - Parameter isExact: false where it asked for more than the longest wait; then it is as good to come sooner.
    private func comeBack(
        after wait: Duration, isExact: Bool, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let share = jitter > 0 ? max(wait.inSeconds * jitter, backoffBase.inSeconds) : 0
        return move(wait, by: share, atLeast: isExact ? wait : minimumInterval, using: &generator)
    }

    /// Moves a wait by up to so many seconds either way; what would pass a bound is mirrored there.
    private func move(
        _ wait: Duration, by most: Double, atLeast least: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let offset = Duration.seconds(most * (2 * Self.fraction(using: &generator) - 1))
        let moved = wait + offset
        let mirrored = moved < least || moved > maximumInterval ? wait - offset : moved
        return min(max(mirrored, least), max(maximumInterval, least))
    }

    /// The wait for a safety check while a stream lives: jittered, so that clients of one server do not ask in step, and
    /// never shorter than without a stream.
    func safetyWait(atLeast regular: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        let spread = 0.8 + 0.4 * Self.fraction(using: &generator)
        return max(regular, clamp(seconds: safetyInterval.inSeconds * spread).wait)
    }

    /// The next attempt where the server wants none: after the longest wait, less up to a fifth.
    func rareCheck(at now: MonotonicInstant, using generator: inout some RandomNumberGenerator) -> NextCheck {
        let wait = clamp(seconds: maximumInterval.inSeconds * (1 - 0.2 * Self.fraction(using: &generator))).wait
        return NextCheck(due: now.advanced(by: wait), wait: wait, origin: .backoff)
    }

    /// Chance from 0 up to, not including, 1.
    private static func fraction(using generator: inout some RandomNumberGenerator) -> Double {
        Double(generator.next() >> 11) * 0x1p-53
    }
}

/// A requested wait that was out of bounds, and the one used in its place.
public struct IntervalClamp: Equatable, Sendable {
    /// Seconds as the status, the configuration or `Retry-After` asked for; may be negative, infinite or `nan`.
    public var requested: Double
    public var used: Duration

    public init(requested: Double, used: Duration) {
        self.requested = requested
        self.used = used
    }

    /// `nan` equals itself here: the same wrong request twice is the same clamp.
    public static func == (left: IntervalClamp, right: IntervalClamp) -> Bool {
        left.used == right.used
            && (left.requested == right.requested || (left.requested.isNaN && right.requested.isNaN))
    }
}

/// The wait that was scheduled, and why it is as long as it is.
public struct NextCheck: Equatable, Sendable {
    public enum Origin: String, Equatable, Sendable {
        /// The status's `retryInterval`.
        case server
        /// The app's configuration.
        case configuration
        /// A failure, with backoff.
        case backoff
        /// A failure, with the server's `Retry-After`.
        case retryAfter
        /// A stream lives; this is the slow check beside it.
        case safety
    }

    public var due: MonotonicInstant
    /// From the last check to this one.
    public var wait: Duration
    public var origin: Origin
    public var clamp: IntervalClamp?
    /// What the server or the configuration sets, clamped, before ``wait`` was varied at random; equal to ``wait`` for
    /// other origins.
    public var interval: Duration

    /// - Parameter interval: nil for a wait that was not varied.
    public init(due: MonotonicInstant, wait: Duration, origin: Origin, clamp: IntervalClamp? = nil, interval: Duration? = nil) {
        self.due = due
        self.wait = wait
        self.origin = origin
        self.clamp = clamp
        self.interval = interval ?? wait
    }
}
