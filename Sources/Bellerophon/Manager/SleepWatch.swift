/// Detects that the machine has slept. A monotonic timer does not, because it stops meanwhile.
final class SleepWatch: @unchecked Sendable {
    // Used only with the lock of its core.
    private static let interval = Duration.seconds(2)

    private let clock: CoreClock
    /// The time that the machine had slept at the last look.
    private var sleptBefore: Duration
    private var onWake: (@Sendable (Duration) -> Void)?

    init(clock: CoreClock) {
        self.clock = clock
        sleptBefore = clock.slept
    }

    /// Looks every 2 s until the watch is released.
    /// - Parameter onWake: called with the time slept since the last look, if it is above zero.
    func start(_ onWake: @escaping @Sendable (Duration) -> Void) {
        self.onWake = onWake
        scheduleLook()
    }

    private func scheduleLook() {
        _ = clock.schedule(after: Self.interval) { [weak self] in
            self?.observe()
            self?.scheduleLook()
        }
    }

    /// Measures the time slept now. Does nothing before the start.
    func observe() {
        guard let onWake else { return }
        let total = clock.slept
        let slept = total - sleptBefore
        sleptBefore = total
        if slept > .zero { onWake(slept) }
    }
}
