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
    private var changes: [Change] = []

    init() throws {
        let time = PlayingTests.Time()
        self.time = time
        barricade = BarricadeServer(clock: { time.now })
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
        await send(.checkRequested(.program))
        return machine.failure
    }

    /// Lets the app poll on its own schedule.
    mutating func run(for length: Duration) async -> [Change] {
        await send(.checkRequested(.start))
        while let timer, timer.due <= length {
            time.now = max(time.now, timer.due)
            await send(.timerFired(timer.id))
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
                case .startTimer(let id, let wait): timer = (id, time.now + wait)
                case .stopTimer: timer = nil
                case .transition(let transition):
                    changes.append(Change(line: "\(transition.from) → \(transition.to)", at: time.now))
                case .abandon, .startAgeTimer, .startPlanTimer, .stopPlanTimer, .refreshStream, .remember, .report: break
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
