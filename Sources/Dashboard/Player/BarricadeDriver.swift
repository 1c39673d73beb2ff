import Barricade

/// Performs each ``BarricadeCommand``, and keeps the timelines that a manually selected response replaced.
///
/// A selection ends a timeline in the barricade. The driver keeps the position, so that the timeline can be continued
/// later. Continuing restarts the step.
package struct BarricadeDriver: Sendable {
    package let barricade: BarricadeServer
    /// The replaced timelines, by request.
    private var overruled: [String: TimelinePlayer] = [:]

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
        }
    }

    private mutating func select(_ response: String, for request: String) throws(BarricadeError) {
        let player = barricade.state.request(request)?.player
        try barricade.select(response, for: request)
        guard var player else { return }
        player.handle(.pause, at: .zero)
        overruled[request] = player.phase == .ended ? nil : player
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
