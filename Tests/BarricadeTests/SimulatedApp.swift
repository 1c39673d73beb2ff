import Barricade
import Bellerophon
import Foundation
import ReadyScenarios
import TestSupport

/// An app that uses the built-in scenarios: the real source on a real session, the real machine, and a clock that
/// advances only while the machine waits.
struct SimulatedApp {
    struct Change: Equatable {
        let line: String
        let at: Duration
    }

    let barricade: BarricadeServer
    /// Its deadline is far longer than any reply takes, even on a busy machine.
    private let source: URLSessionStatusSource
    /// For scenarios that never reply.
    private let hastySource: URLSessionStatusSource
    private var isHasty = false
    private let time: PlayingTests.Time
    private var machine = StageMachine()
    private var generator = Halfway()
    private var timer: (id: StageMachine.TimerID, due: Duration)?
    private var planTimer: (id: StageMachine.TimerID, due: Duration)?
    private var world = SimulatedWorld()
    private var changes: [Change] = []

    init() throws {
        let time = PlayingTests.Time()
        self.time = time
        barricade = BarricadeServer(
            clock: { time.now }, wallClock: { Date(timeIntervalSince1970: 1_768_485_731 + time.now / .seconds(1)) })
        barricade.register(ReadyScenarios.all)
        barricade.skipsDelays = true
        source = Self.source(barricade, deadline: .seconds(30))
        hastySource = Self.source(barricade, deadline: .milliseconds(400))
    }

    private static func source(_ barricade: BarricadeServer, deadline: Duration) -> URLSessionStatusSource {
        URLSessionStatusSource(
            url: URL(string: "http://demo.invalid/status") ?? URL(filePath: "/"),
            limits: .init(deadline: deadline), configuration: barricade.configuration
        )
    }

    var stage: Stage { machine.stage }
    /// The wait until the next check; nil if none is scheduled.
    var nextWait: Duration? { machine.nextCheck?.wait }

    /// Performs one check under a scenario.
    /// - Parameter hastily: uses a short deadline, for a scenario that never replies.
    /// - Returns: the error of the check; nil if it returned a status.
    @discardableResult
    mutating func check(_ scenario: String, hastily: Bool = false) async -> StatusError? {
        isHasty = hastily
        try? barricade.select(scenario, for: "status")
        await followWorld()
        await send(.checkRequested(.program))
        return machine.failure
    }

    /// Says of itself what the scenario states, at its time.
    private mutating func followWorld() async {
        let before = world
        world = barricade.state.world
        let client = world.client
        if client != before.client {
            await send(
                .factsChanged(
                    AppFacts(
                        version: client.version?.text, osVersion: client.osVersion?.text, installID: client.installID?.text,
                        values: client.facts.compactMapValues(\.text))))
        }
        if world.clock.replacements != before.clock.replacements { await send(.clockReplaced) }
        let skipped = world.clock.skipped - before.clock.skipped
        if skipped > .zero { for event: StageMachine.Event in [.slept(skipped), .resumed] { await send(event) } }
    }

    /// Lets the app poll on its own schedule.
    mutating func run(for length: Duration) async -> [Change] {
        await followWorld()
        await send(.checkRequested(.start))
        while let timer, timer.due <= length {
            let step = barricade.state.untilNextStep.map { time.now + $0 } ?? length
            let plan = planTimer?.due ?? length
            let due = min(timer.due, plan, step)
            time.now = max(time.now, due)
            await followWorld()
            if let planTimer, planTimer.due <= time.now {
                self.planTimer = nil
                await send(.timerFired(planTimer.id))
            }
            if timer.due <= time.now { await send(.timerFired(timer.id)) }
        }
        return changes
    }

    private mutating func send(_ event: StageMachine.Event) async {
        var events = [event]
        while !events.isEmpty {
            let now = MonotonicInstant().advanced(by: time.now)
            for action in machine.handle(events.removeFirst(), at: now, using: &generator) {
                switch action {
                case .fetch(let id): events.append(await fetch(id))
                case .startTimer(.check, let id, let wait): timer = (id, time.now + wait)
                case .stopTimer(.check): timer = nil
                case .startTimer(.plan, let id, let wait): planTimer = (id, time.now + wait)
                case .stopTimer(.plan): planTimer = nil
                case .transition(let transition):
                    changes.append(Change(line: "\(transition.from) → \(transition.to)", at: time.now))
                case .abandon, .startTimer(.age, _, _), .stopTimer(.age), .refreshStream, .remember, .report: break
                }
            }
        }
    }

    private func fetch(_ id: StageMachine.CheckID) async -> StageMachine.Event {
        let result = await withCheckedContinuation { continuation in
            _ = (isHasty ? hastySource : source).fetchStatus { continuation.resume(returning: $0) }
        }
        return switch result {
        case .success(let reply): .replied(id, reply)
        case .failure(let error): .failed(id, error)
        }
    }
}
