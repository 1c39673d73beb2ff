public import Foundation

/// Asks for the status, and covers the app while the status says so.
///
/// It performs what its ``StageMachine`` decides: the timer, the check, the delegate and the window.
@MainActor
public final class BellerophonManager {
    let config: BellerophonConfig
    let clock: any ManagerClock
    private var generator: any RandomNumberGenerator
    /// All that is decided; the display is derived from it.
    public private(set) var machine: StageMachine

    /// Told of everything that happens, in order. For a dashboard, a log, a test.
    public var onReport: ((StatusReport) -> Void)?

    private var timer: ScheduledCall?
    private var ticker: ScheduledCall?
    private var sleepWatch: ScheduledCall?
    private var check: StatusCheck?
    private var slept: Duration
    private var hasStarted = false
    private var waitingFetches: [(BackgroundFetchResult) -> Void] = []
    /// The stage's begin and the last answer by the wall clock, for display.
    private var stageSince: Date?
    private var lastAnswer: Date?

    /// Takes the production clock and chance.
    public convenience init(config: BellerophonConfig) {
        self.init(config: config, clock: DispatchClock(), generator: SystemRandomNumberGenerator())
    }

    /// Takes every seam.
    public init(config: BellerophonConfig, clock: any ManagerClock, generator: any RandomNumberGenerator) {
        self.config = config
        self.clock = clock
        self.generator = generator
        machine = StageMachine(policy: config.policy)
        slept = clock.slept
    }

    /// Whether a view covers the app.
    public var isDisplaying: Bool { config.event(for: machine.stage) != nil }
}
