import Synchronization

/// A snapshot of a barricade, for a display or a script.
package struct BarricadeState: Equatable, Sendable {
    /// A response that can be selected.
    package struct Choice: Equatable, Sendable {
        /// The name for selection, unique within the request.
        package let name: String
        /// One line for a list of responses; may be empty.
        package let summary: String
        /// The heading above the response in a list; nil for none.
        package let group: String?
    }

    /// A kind of request with its responses and its timeline.
    package struct Request: Equatable, Sendable {
        /// The name of the kind of request.
        package let name: String
        /// The responses in display order.
        package let choices: [Choice]
        /// The response while none is selected; nil if there are no responses.
        package let defaultResponse: String?
        /// The selected response; nil if none is selected or it no longer exists.
        package let selectedResponse: String?
        /// The response to the next request; nil if there are no responses.
        package let currentResponse: String?
        /// The timeline for this kind of request, with its position; nil if there is none.
        package let player: TimelinePlayer?
    }

    /// Whether the barricade handles requests.
    package let isEnabled: Bool
    /// Whether requests that no set matches go to the network.
    package let passesUnmatchedRequests: Bool
    /// The wait before every outcome, in addition to the response's own.
    package let delay: Duration
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
        return BarricadeState(
            isEnabled: content.isEnabled, passesUnmatchedRequests: content.unmatchedRequests == .pass,
            delay: content.delay, speed: content.speed,
            requests: content.sets.map { request($0, content.players[$0.requestName]) }, timelines: content.timelines,
            world: content.world
        )
    }

    private func request(_ set: ResponseSet, _ player: TimelinePlayer?) -> BarricadeState.Request {
        let selected = store.selection(for: set.requestName).flatMap { set[$0] }?.name
        let played = player?.position.flatMap { set[$0.step.response] }?.name
        return BarricadeState.Request(
            name: set.requestName,
            choices: set.responses.map { .init(name: $0.name, summary: $0.summary, group: $0.group) },
            defaultResponse: set.defaultResponse?.name, selectedResponse: selected,
            currentResponse: played ?? selected ?? set.defaultResponse?.name, player: player
        )
    }

    /// Registers a handler for all changes, including matches that a timeline counts. It runs on the thread of the change.
    ///
    /// The passing of time does not call the handler: see ``BarricadeState/untilNextStep``.
    /// - Returns: the registration; retain it while the handler is needed.
    package func observe(_ handler: @escaping @Sendable () -> Void) -> BarricadeObservation {
        observers.add(handler)
    }

    /// Emits an element after every change. Changes that have not been read yet are combined into one element.
    package var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = observe { continuation.yield() }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }
}
