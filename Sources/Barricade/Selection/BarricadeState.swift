import Synchronization

/// A snapshot of a barricade, for a display or a script.
package struct BarricadeState: Sendable {
    /// A kind of request with its responses and its timeline.
    package struct Request: Sendable {
        /// The name of the kind of request.
        package let name: String
        /// The responses that can be selected, in display order.
        package let responses: [Response]
        /// The response to the next request; nil if there are no responses.
        package let currentResponse: String?
        /// The timeline for this kind of request, with its position; nil if there is none.
        package let player: TimelinePlayer?
    }

    /// The speed factor of the timelines, relative to the clock.
    package let speed: Int
    /// The registered kinds of request, in the order in which requests are matched against them.
    package let requests: [Request]
    /// The registered timelines, in the order of registration.
    package let timelines: [Timeline]
    /// Who the app is said to be, and the clock.
    package let world: SimulatedWorld

    /// The kind of request with that name.
    package func request(_ name: String) -> Request? {
        requests.first { $0.name == name }
    }

    /// The time until a timeline advances by time alone; nil if none does.
    package var untilNextStep: Duration? {
        requests.compactMap { $0.player?.untilNextStep }.min()
    }
}

extension BarricadeServer {
    /// A snapshot of the current state.
    package var state: BarricadeState {
        let moment = moment
        let content = content.withLock { content in
            content.forEachPlayer(of: nil, at: moment) { $0.advance(to: moment.now) }
            return content
        }
        let requests = content.sets.map { set in
            let player = content.players[set.requestName]
            let played = player?.position.flatMap { set[$0.step.response] }
            return BarricadeState.Request(
                name: set.requestName, responses: set.responses, currentResponse: (played ?? selectedResponse(in: set))?.name,
                player: player)
        }
        return BarricadeState(speed: content.speed, requests: requests, timelines: content.timelines, world: content.world)
    }
}
