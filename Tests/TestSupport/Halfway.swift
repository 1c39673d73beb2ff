/// Chance that always comes out in the middle: a regular wait is then as long as was asked for, to the second.
public struct Halfway: RandomNumberGenerator, Sendable {
    public init() {}

    public mutating func next() -> UInt64 { 1 << 63 }
}
