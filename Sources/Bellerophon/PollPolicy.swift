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

    public init(
        activeInterval: Duration? = nil, minimumInterval: Duration = .seconds(1),
        maximumInterval: Duration = .seconds(3600), defaultInterval: Duration = .seconds(60),
        backoffBase: Duration = .seconds(2), backoffCap: Duration = .seconds(120),
        checkTimeout: Duration = .seconds(30)
    ) {
        self.activeInterval = activeInterval
        self.minimumInterval = max(minimumInterval, .milliseconds(1))
        self.maximumInterval = max(maximumInterval, self.minimumInterval)
        self.defaultInterval = defaultInterval
        self.backoffBase = backoffBase
        self.backoffCap = backoffCap
        self.checkTimeout = checkTimeout
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
    /// - Parameter failures: at least 1.
    func backoff(failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let doublings = Double(min(max(failures - 1, 0), 30))
        let ceiling = min(backoffBase.inSeconds * exp2(doublings), backoffCap.inSeconds)
        let fraction = Double(generator.next() >> 11) * 0x1p-53
        return clamp(seconds: fraction * max(ceiling, 0)).wait
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
    }

    public var due: MonotonicInstant
    public var wait: Duration
    public var origin: Origin
    public var clamp: IntervalClamp?

    public init(due: MonotonicInstant, wait: Duration, origin: Origin, clamp: IntervalClamp? = nil) {
        self.due = due
        self.wait = wait
        self.origin = origin
        self.clamp = clamp
    }
}
