import Barricade
import Bellerophon
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A key for a command that depends on what the simulated server replies now.
package enum BarricadeShortcut: Equatable, Sendable {
    /// Pauses the simulated service, and ends the pause.
    case kill
    /// Selects the response from before the last selection.
    case previous
    /// Moves the time to the next change that a rule causes.
    case nextChange
    /// Selects the first response that leads the app to a stage.
    case reach(Stage)

    /// Why there is no command for it.
    package var refusal: String {
        switch self {
        case .kill: "no response of this simulation pauses the service"
        case .previous: "no scenario was picked before"
        case .nextChange: "no rule changes anything later"
        case .reach(.updateRequired): "no response of this simulation requires an update"
        case .reach(.killed): BarricadeShortcut.kill.refusal
        case .reach: "no response of this simulation lets the app run"
        }
    }
}

/// Performs each ``BarricadeCommand``, and keeps the timelines that a manually selected response replaced.
///
/// A selection ends a timeline in the barricade. The driver keeps the position, so that the timeline can be continued
/// later. Continuing restarts the step.
package struct BarricadeDriver: Sendable {
    package let barricade: BarricadeServer
    /// The replaced timelines, by request.
    private var overruled: [String: TimelinePlayer] = [:]
    /// The response before the last selection.
    private var previous: (request: String, response: String)?

    package init(_ barricade: BarricadeServer) {
        self.barricade = barricade
    }

    /// The current state.
    package var list: ScenarioList { ScenarioList(barricade.state, overruled: overruled) }

    /// - Throws: if a name is unknown, or if there is no timeline to control; without any change.
    package mutating func perform(_ command: BarricadeCommand) throws(BarricadeError) {
        switch command {
        case .select(let request, let response): try select(response, for: request)
        case .play(let name): try play(name)
        case .resume(let request):
            restore(request)
            try barricade.resume(request)
        case .pause(let request): if held(request).isEmpty || isPlaying(request) { try barricade.pause(request) }
        case .step(let request):
            restore(request)
            try barricade.step(request)
        case .jump(let step, let request): try jump(to: step, request)
        case .speed(let factor): barricade.speed = factor
        case .reset(let request):
            try barricade.reset(request)
            if request == nil { barricade.speed = 1 }
            overruled = request == nil ? [:] : overruled.filter { $0.key != request }
        case .client(let change): barricade.change(change)
        case .moveTime(let span): barricade.moveTime(by: span)
        case .setTime(let time): barricade.set(time)
        case .resetClient: barricade.resetWorld()
        }
    }

    private mutating func select(_ response: String, for request: String) throws(BarricadeError) {
        let before = barricade.state.request(request)
        let player = before?.player
        try barricade.select(response, for: request)
        if let name = before?.currentResponse, name != response { previous = (request, name) }
        guard var player else { return }
        player.handle(.pause, at: .zero)
        overruled[request] = player.phase == .ended ? nil : player
    }

    /// The command of a shortcut at this moment; nil if it has no meaning here.
    /// - Parameters:
    ///   - machine: the state of the app that the simulated server replies to.
    package func command(for shortcut: BarricadeShortcut, of machine: StageMachine) -> BarricadeCommand? {
        let date = barricade.date
        func leads(_ response: Response?, to stage: Stage) -> Bool {
            Self.stage(of: response, for: machine.app, at: date) == stage
        }
        func pauses(_ response: Response?) -> Bool { leads(response, to: .killed) }
        switch shortcut {
        case .nextChange: return machine.verdict?.next.map { .setTime(SimulatedTime($0)) }
        case .previous: return previous.map { .select(request: $0.request, response: $0.response) }
        case .reach(let stage):
            return firstResponse { leads($0, to: stage) }.map { .select(request: $0.requestName, response: $1.name) }
        case .kill:
            guard let (set, kill) = firstResponse(where: pauses) else { return nil }
            guard let current = barricade.state.request(set.requestName)?.currentResponse, pauses(set[current])
            else { return .select(request: set.requestName, response: kill.name) }
            guard let previous, previous.request == set.requestName, !pauses(set[previous.response])
            else { return .reset(request: set.requestName) }
            return .select(request: set.requestName, response: previous.response)
        }
    }

    private func firstResponse(where matches: (Response) -> Bool) -> (ResponseSet, Response)? {
        for set in barricade.responseSets {
            if let response = set.responses.first(where: matches) { return (set, response) }
        }
        return nil
    }

    /// What a response would mean for the app; nil if it is no valid status.
    private static func stage(of response: Response?, for app: AppFacts, at date: Date) -> Stage? {
        guard case .reply(let reply)? = response?.outcome(URLRequest(url: Simulation.url), nil), reply.statusCode == 200
        else { return nil }
        return (try? StatusDocument(json: reply.body))?.verdict(for: app, at: date).stage
    }

    private mutating func play(_ name: String) throws(BarricadeError) {
        let timeline = barricade.timelines.first { $0.name == name }
        if let timeline, overruled[timeline.request]?.timeline == timeline { restore(timeline.request) }
        try barricade.play(name)
        if let timeline { overruled[timeline.request] = nil }
    }

    private mutating func jump(to step: Int, _ request: String?) throws(BarricadeError) {
        let counts = held(request).map(\.value.timeline.steps.count)
        if let most = counts.max(), !(0..<most).contains(step), !isPlaying(request) {
            throw .unknownStep(step, count: most)
        }
        restore(request)
        try barricade.jump(to: step, request)
    }

    private func held(_ request: String?) -> [String: TimelinePlayer] {
        overruled.filter { request == nil || $0.key == request }
    }

    private func isPlaying(_ request: String?) -> Bool {
        barricade.state.requests.contains { $0.player != nil && (request == nil || $0.name == request) }
    }

    /// Restores replaced timelines at the steps that they had reached, on hold.
    private mutating func restore(_ request: String?) {
        for (name, player) in held(request) {
            overruled[name] = nil
            guard (try? barricade.play(player.timeline)) != nil else { continue }
            try? barricade.pause(name)
            try? barricade.jump(to: player.position?.stepIndex ?? 0, name)
        }
    }
}
