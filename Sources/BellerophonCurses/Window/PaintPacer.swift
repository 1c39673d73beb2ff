/// Decides when the screen may be painted next. A pure value: time is a parameter.
///
/// A short burst of paints is output immediately, so that a change on a quiet screen is not delayed. Further changes are
/// painted at a limited rate. The duration of a paint is not used: on a busy machine it does not reflect the terminal.
struct PaintPacer: Equatable, Sendable {
    /// The time between two paints after a burst.
    static let interval = Duration.milliseconds(16)
    /// The number of consecutive paints without a wait.
    static let burst = 4

    /// When the allowance is full again, at one paint per interval.
    private var settled: ContinuousClock.Instant?

    /// How long the next paint must wait; nil if it may be output now.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let settled else { return nil }
        let wait = now.duration(to: settled) - Self.interval * (Self.burst - 1)
        return wait > .zero ? wait : nil
    }

    /// Records a paint.
    mutating func painted(at now: ContinuousClock.Instant) {
        settled = max(settled ?? now, now).advanced(by: Self.interval)
    }
}
