/// Limits the bytes of a stream that belong to no event, such as comments: 1 MiB a minute. A pure value.
///
/// A server needs a few bytes for a heartbeat. Reading an endless flood of them would keep a processor busy.
struct IdleAllowance {
    /// The most bytes in one minute.
    static let bytes = 1 << 20
    private static let window = Duration.seconds(60)

    private var windowStart: ContinuousClock.Instant?
    private var bytesBefore = 0
    private var bytesNow = 0

    /// Whether the stream may go on.
    /// - Parameter total: all such bytes so far.
    mutating func permits(_ total: Int, at now: ContinuousClock.Instant) -> Bool {
        if windowStart.map({ $0.duration(to: now) >= Self.window }) ?? true {
            (windowStart, bytesBefore) = (now, bytesNow)
        }
        bytesNow = total
        return bytesNow - bytesBefore <= Self.bytes
    }
}
