import NIOCore

/// The rate at which a body must arrive, in the mean of each of several windows of time.
///
/// A slow link may take its time for a large resource, and a client that sends almost nothing doesn't hold a place for long.
struct UploadRate: Equatable {
    /// The bytes that must arrive in a window.
    private let least: Int64
    private let window: TimeAmount
    private var begin: NIODeadline
    private var received: Int64 = 0

    /// - Returns: nil if there is no limit.
    init?(_ limits: Limits, since now: NIODeadline) {
        guard limits.uploadRate > 0 else { return nil }
        window = TimeAmount(limits.uploadWindow)
        least = limits.uploadRate * max(1, window.nanoseconds / 1_000_000_000)
        begin = now
    }

    /// Whether a window is over in which too little has arrived. The next one then begins.
    /// - Parameters:
    ///   - count: the bytes of the body so far.
    ///   - isHeld: the server has stopped reading, so that the client can't send.
    mutating func isMissed(_ count: Int64, isHeld: Bool, at now: NIODeadline) -> Bool {
        guard isHeld || now - begin >= window else { return false }
        let isMissed = !isHeld && count - received < least
        (begin, received) = (now, count)
        return isMissed
    }
}
