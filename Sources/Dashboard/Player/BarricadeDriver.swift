import Barricade

/// Does what a ``BarricadeCommand`` says, and remembers the timelines that were left for a response picked by hand.
///
/// A pick ends a timeline in the barricade. A person who picks while a timeline plays wants to go on with it later, so
/// the driver keeps where it stood. Going on starts that step anew.
package struct BarricadeDriver: Sendable {
    package let barricade: Barricade
    /// By request.
    private var overruled: [String: TimelinePlayer] = [:]

    package init(_ barricade: Barricade) {
        self.barricade = barricade
    }

    /// Where everything stands now.
    package var list: ScenarioList { ScenarioList(barricade.state, overruled: overruled) }

    /// - Throws: what names nothing, or tells a timeline where there is none; nothing is changed then.
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

    /// Puts the timelines back where they stood, held.
    private mutating func restore(_ request: String?) {
        for (name, player) in held(request) {
            overruled[name] = nil
            guard (try? barricade.play(player.timeline)) != nil else { continue }
            try? barricade.pause(name)
            try? barricade.jump(to: player.position?.stepIndex ?? 0, name)
        }
    }
}
