/// A point on a monotonic clock, as the time since the clock's arbitrary start.
public struct MonotonicInstant: InstantProtocol, Hashable, Sendable {
    /// The time since the clock's start.
    public var offset: Duration

    /// Creates an instant from the time since the clock's start.
    public init(offset: Duration = .zero) {
        self.offset = offset
    }

    /// The instant after a duration.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        MonotonicInstant(offset: offset + duration)
    }

    /// The duration from this instant to another; negative if the other is earlier.
    public func duration(to other: MonotonicInstant) -> Duration {
        other.offset - offset
    }

    /// Whether the left instant is earlier.
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.offset < right.offset
    }
}
