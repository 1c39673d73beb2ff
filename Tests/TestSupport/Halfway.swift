/// A random number generator that always returns the middle, so that a regular wait has exactly the requested length.
public struct Halfway: RandomNumberGenerator, Sendable {
    public init() {}

    public mutating func next() -> UInt64 { 1 << 63 }
}
