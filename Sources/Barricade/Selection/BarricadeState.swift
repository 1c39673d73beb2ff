import Synchronization

/// Where a barricade stands, as a value for a display or a script.
public struct BarricadeState: Equatable, Sendable {
    /// A response that can be picked.
    public struct Choice: Equatable, Sendable {
        public let name: String
        public let summary: String
        /// The heading that it stands under; nil for none.
        public let group: String?
    }

    /// A kind of request.
    public struct Request: Equatable, Sendable {
        public let name: String
        public let choices: [Choice]
        public let defaultResponse: String?
        /// The response that a person or a test selected; nil for none, or for one that there is no more.
        public let selectedResponse: String?
        /// The response that answers the next request.
        public let currentResponse: String?
        /// The timeline that answers, and where it stands; nil for none.
        public let player: TimelinePlayer?
    }

    public let isEnabled: Bool
    /// Whether a request that no set matches goes to the network.
    public let passesUnmatchedRequests: Bool
    /// The wait before every answer.
    public let delay: Duration
    /// How much faster than the clock timelines run.
    public let speed: Int
    public let requests: [Request]
    public let timelines: [Timeline]

    public func request(_ name: String) -> Request? {
        requests.first { $0.name == name }
    }

    /// The time until a timeline moves on by itself; nil where time alone moves none.
    public var untilNextStep: Duration? {
        requests.compactMap { $0.player?.untilNextStep }.min()
    }
}

extension Barricade {
    /// Where it stands now.
    public var state: BarricadeState {
        let now = now
        let content = content.withLock { content in
            content.forEachPlayer(of: nil) { $0.advance(to: now) }
            return content
        }
        return BarricadeState(
            isEnabled: content.isEnabled, passesUnmatchedRequests: content.unmatchedRequests == .pass,
            delay: content.delay, speed: content.speed,
            requests: content.sets.map { request($0, content.players[$0.requestName]) }, timelines: content.timelines
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

    /// Calls a handler after every change, a match that a timeline counts included, on the thread that made it.
    ///
    /// Time alone calls nobody: see ``BarricadeState/untilNextStep``.
    /// - Returns: keep it for as long as the handler is to be called.
    public func observe(_ handler: @escaping @Sendable () -> Void) -> BarricadeObservation {
        observers.add(handler)
    }

    /// An element after every change; several that nobody has taken yet are one.
    public var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = observe { continuation.yield() }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }
}
