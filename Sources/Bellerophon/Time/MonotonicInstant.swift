/// A point on a clock that never jumps, as the time since that clock's arbitrary start.
public struct MonotonicInstant: InstantProtocol, Hashable, Sendable {
    public var offset: Duration

    public init(offset: Duration = .zero) {
        self.offset = offset
    }

    public func advanced(by duration: Duration) -> MonotonicInstant {
        MonotonicInstant(offset: offset + duration)
    }

    public func duration(to other: MonotonicInstant) -> Duration {
        other.offset - offset
    }

    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.offset < right.offset
    }
}
