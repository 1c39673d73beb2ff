import Barricade
import Bellerophon
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What playing a timeline leads to: played headless at full speed, by the real manager on a driven clock.
///
/// Nothing of it depends on the time of day, on chance or on a network: jitter is always half of what it may be. A step
/// without an end of its own is left as soon as it has answered a check, and a timeline that repeats is played once.
package struct TimelineRun: Equatable, Sendable {
    /// A change of stage.
    package struct Change: Equatable, Sendable {
        package let from: Stage
        package let to: Stage
        /// On the driven clock, since the first check began.
        package let at: Duration
    }

    package private(set) var changes: [Change] = []
    /// Checks that ended.
    package private(set) var checks = 0
    /// The driven time that it took.
    package private(set) var duration = Duration.zero
    /// False where the timeline was given up at a limit.
    package private(set) var isWhole = false

    /// A week of checks every two seconds; no more are made.
    package static let checkLimit = 302_400
    /// Driven time beyond a month is not played: the manager looks at its clock every two seconds.
    package static let timeLimit = Duration.seconds(31 * 86_400)

    /// Plays a timeline of a file.
    /// - Parameters:
    ///   - folder: where bodies in files are looked for: the scenario file's folder.
    ///   - timeout: of one check.
    /// - Throws: where the timeline plays for a request that the file lacks.
    @MainActor
    package init(
        _ timeline: Timeline, of file: ScenarioFile, folder: URL? = nil, policy: PollPolicy = PollPolicy(),
        timeout: Duration = .seconds(10)
    ) throws(BarricadeError) {
        let stage = try TimelineStage(timeline, of: file, folder: folder, policy: policy, timeout: timeout)
        self = stage.play()
    }

    fileprivate init() {}

    fileprivate mutating func note(_ transition: Transition, at time: Duration) {
        changes.append(Change(from: transition.from, to: transition.to, at: time))
    }

    fileprivate mutating func countCheck() { checks += 1 }

    fileprivate mutating func end(at time: Duration, isWhole: Bool) {
        (duration, self.isWhole) = (time, isWhole)
    }
}

/// The parts that play a timeline together.
@MainActor
private final class TimelineStage {
    private let timeline: Timeline
    private let clock: ManualClock
    private let barricade: Barricade
    private let manager: BellerophonManager
    /// Where the player stood at the last match, before it.
    private let matched: Matched
    private var run = TimelineRun()
    private var isOver = false

    final class Matched {
        var player: TimelinePlayer?
    }

    init(
        _ timeline: Timeline, of file: ScenarioFile, folder: URL?, policy: PollPolicy, timeout: Duration
    ) throws(BarricadeError) {
        let (clock, matched) = (ManualClock(), Matched())
        let barricade = Barricade(clock: { MainActor.assumeIsolated { clock.now.offset } }, chance: { 0.5 })
        barricade.register(file, folder: folder)
        try barricade.play(timeline)
        let source = DrivenStatusSource(
            url: file.request(timeline.request)?.match.exampleURL ?? Simulation.url, barricade: barricade, clock: clock,
            limits: .init(deadline: timeout)
        ) { matched.player = barricade.state.request(timeline.request)?.player }
        var config = BellerophonConfig(window: nil, source: source)
        config.policy = policy
        manager = BellerophonManager(config: config, clock: clock, generator: Halfway())
        self.timeline = timeline
        self.clock = clock
        self.barricade = barricade
        self.matched = matched
    }

    func play() -> TimelineRun {
        manager.onReport = { [weak self] in self?.take($0) }
        manager.checkAppStatus()
        while !isOver, run.checks < TimelineRun.checkLimit, clock.now.offset < TimelineRun.timeLimit,
            clock.advanceToNextCall() != nil
        {}
        manager.suspend()
        run.end(at: clock.now.offset, isWhole: isOver)
        return run
    }

    private func take(_ report: StatusReport) {
        switch report {
        case .checkSucceeded, .checkFailed:
            run.countCheck()
            checkEnded()
        case .stageChanged(let transition): run.note(transition, at: clock.now.offset)
        default: break
        }
    }

    private func checkEnded() {
        guard let before = matched.player, let place = before.position else { return isOver = true }
        let isOpen = before.phase == .playing && place.step.length == .untilTold
        // The timeline may have moved on by itself while the answer was on its way.
        if isOpen, player?.position?.stepIndex == place.stepIndex { try? barricade.step(timeline.request) }
        guard let player else { return isOver = true }
        let isLast = place.stepIndex == timeline.steps.count - 1
        isOver = player.round > 1 || player.phase == .ended && isLast
    }

    private var player: TimelinePlayer? { barricade.state.request(timeline.request)?.player }

    /// Chance that is always in the middle.
    private struct Halfway: RandomNumberGenerator {
        mutating func next() -> UInt64 { 1 << 63 }
    }
}
