import Barricade
import Bellerophon
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of playing a timeline headless at full speed, with the real manager on a driven clock.
///
/// It does not depend on the time of day, randomness or a network: jitter is always half of its maximum. A step without
/// an end of its own ends as soon as it has answered a check, and a timeline that repeats is played once.
package struct TimelineRun: Equatable, Sendable {
    /// A change of stage.
    package struct Change: Equatable, Sendable {
        package let from: Stage
        package let to: Stage
        /// The id of the rule that covers the app after the change; nil if another part of the status or nothing does.
        package var by: String?
        /// The time on the driven clock since the first check began.
        package let at: Duration
    }

    package fileprivate(set) var changes: [Change] = []
    /// The number of checks that ended.
    package fileprivate(set) var checks = 0
    /// The time that passed on the driven clock.
    package fileprivate(set) var duration = Duration.zero
    /// False if the run was stopped at a limit.
    package fileprivate(set) var isWhole = false

    /// Follows what a manager reports.
    package typealias Observer = @MainActor (StatusReport, BellerophonManager, Date) -> Void

    /// The maximum number of checks: a week of checks every two seconds.
    package static let checkLimit = 302_400
    /// The maximum time on the driven clock: 31 days. The manager reads its clock every two seconds.
    package static let timeLimit = Duration.seconds(31 * 86_400)

    /// Plays a timeline of a file.
    /// - Parameters:
    ///   - folder: the scenario file's folder, for bodies in files.
    ///   - timeout: the limit for one check.
    ///   - timeLimit: the limit for all of it.
    ///   - observer: called for every report of the manager, with the time of the driven clock.
    /// - Throws: if the file lacks the request of the timeline.
    @MainActor
    package init(
        _ timeline: Timeline, of file: ScenarioFile, folder: URL? = nil, policy: PollPolicy = PollPolicy(),
        timeout: Duration = .seconds(10), timeLimit: Duration = TimelineRun.timeLimit, observer: Observer? = nil
    ) throws(BarricadeError) {
        let stage = try TimelineStage(timeline, of: file, folder: folder, policy: policy, timeout: timeout)
        stage.observer = observer
        self = stage.play(within: timeLimit)
    }

    fileprivate init() {}
}

/// The objects that play a timeline together.
@MainActor
private final class TimelineStage {
    private let timeline: Timeline
    private let clock: ManualClock
    private let barricade: BarricadeServer
    private let source: DrivenStatusSource
    private let manager: BellerophonManager
    private let app: SimulatedApp
    /// Begins the next step of a timeline that states who the app is or what time it is.
    private var nextStep: ScheduledCall?
    private var run = TimelineRun()
    private var isOver = false
    private var followed = SimulatedWorld()
    var observer: TimelineRun.Observer?

    init(
        _ timeline: Timeline, of file: ScenarioFile, folder: URL?, policy: PollPolicy, timeout: Duration
    ) throws(BarricadeError) {
        let clock = ManualClock()
        let barricade = BarricadeServer(clock: { clock.now.offset }, wallClock: { clock.date }, chance: { 0.5 })
        barricade.register(file, folder: folder)
        try barricade.play(timeline)
        source = DrivenStatusSource(
            url: file.request(timeline.request)?.match.exampleURL ?? Simulation.url, requestName: timeline.request,
            barricade: barricade, clock: clock, limits: .init(deadline: timeout))
        var config = BellerophonConfig(window: nil, source: source)
        config.policy = policy
        config.isSimulated = true
        config.app = AppInfo(name: Simulation.app.name)
        manager = BellerophonManager(config: config, clock: SimulatedClock(clock, barricade), generator: Halfway())
        // Nothing of this machine may decide: the same file always gives the same result.
        let facts = AppFacts(version: Simulation.app.version)
        manager.change(to: facts)
        app = SimulatedApp(manager, base: facts)
        self.timeline = timeline
        self.clock = clock
        self.barricade = barricade
    }

    func play(within timeLimit: Duration) -> TimelineRun {
        manager.onReport = { [weak self] in self?.record($0) }
        app.follow(barricade.world)
        scheduleNextStep()
        manager.checkAppStatus()
        while !isOver, run.checks < TimelineRun.checkLimit, clock.now.offset < timeLimit,
            clock.advanceToNextCall() != nil
        {
            followWorld()
        }
        nextStep?.cancel()
        manager.suspend()
        (run.duration, run.isWhole) = (clock.now.offset, isOver)
        return run
    }

    /// Makes the app who the present step says it is, at its time.
    private func followWorld() {
        guard timeline.hasSettings else { return }
        let world = barricade.state.world
        guard world != followed else { return }
        followed = world
        app.follow(world)
        scheduleNextStep()
    }

    /// Looks when the next step begins by time, because nobody asks the server then.
    private func scheduleNextStep() {
        guard timeline.hasSettings, let wait = barricade.state.untilNextStep else { return }
        nextStep?.cancel()
        nextStep = clock.schedule(after: wait) { [weak self] in
            self?.followWorld()
            self?.scheduleNextStep()
        }
    }

    private func record(_ report: StatusReport) {
        observer?(report, manager, clock.date)
        switch report {
        case .checkSucceeded, .checkFailed:
            run.checks += 1
            checkEnded()
        case .stageChanged(let transition):
            let by = transition.to.isBlocked ? manager.machine.verdict?.coveringRule : nil
            run.changes.append(.init(from: transition.from, to: transition.to, by: by, at: clock.now.offset))
        default: break
        }
    }

    private func checkEnded() {
        guard let before = source.matched, let place = before.position else { return isOver = true }
        let isOpen = before.phase == .playing && place.step.length == .untilTold
        // The timeline may have advanced while the reply was on its way.
        if isOpen, player?.position?.stepIndex == place.stepIndex { try? barricade.step(timeline.request) }
        guard let player else { return isOver = true }
        let isLast = place.stepIndex == timeline.steps.count - 1
        isOver = player.round > 1 || player.phase == .ended && isLast
    }

    private var player: TimelinePlayer? { barricade.state.request(timeline.request)?.player }

    /// A generator that always returns the middle of its range.
    private struct Halfway: RandomNumberGenerator {
        mutating func next() -> UInt64 { 1 << 63 }
    }
}
