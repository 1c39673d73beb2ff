/// Decides when the screen may be painted next. A pure value: time is a parameter.
///
/// A few paints in a row go out at once, so that a change on a quiet screen never waits. A flood of changes is painted at
/// a bounded rate. How long a paint takes plays no part: on a busy machine that says nothing of the terminal.
struct PaintPacer: Equatable, Sendable {
    /// Between two paints of a flood.
    static let interval = Duration.milliseconds(16)
    /// Paints in a row that need not wait.
    static let burst = 4

    /// When all that was painted so far is paid for, at one paint an interval.
    private var settled: ContinuousClock.Instant?

    /// How long the next paint has to wait; nil when it may go out now.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let settled else { return nil }
        let wait = now.duration(to: settled) - Self.interval * (Self.burst - 1)
        return wait > .zero ? wait : nil
    }

    /// Takes account of a paint.
    mutating func painted(at now: ContinuousClock.Instant) {
        settled = max(settled ?? now, now).advanced(by: Self.interval)
    }
}
