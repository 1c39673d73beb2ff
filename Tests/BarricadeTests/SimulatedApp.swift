import Barricade
import Bellerophon
import Foundation
import ReadyScenarios
import TestSupport

/// An app that uses the built-in scenarios: the real source on a real session, the real machine, and a clock that
/// stands still.
struct SimulatedApp {
    let barricade: BarricadeServer
    /// Its deadline is far longer than any reply takes, even on a busy machine.
    private let source: URLSessionStatusSource
    /// For scenarios that never reply.
    private let hastySource: URLSessionStatusSource
    private var isHasty = false
    private var machine = StageMachine()
    private var generator = Halfway()
    private var world = SimulatedWorld()

    init() throws {
        barricade = BarricadeServer(clock: { .zero }, wallClock: { Date(timeIntervalSince1970: 1_768_485_731) })
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

    private mutating func send(_ event: StageMachine.Event) async {
        var events = [event]
        while !events.isEmpty {
            for action in machine.handle(events.removeFirst(), at: MonotonicInstant(), using: &generator) {
                if case .fetch(let id) = action { events.append(await fetch(id)) }
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
