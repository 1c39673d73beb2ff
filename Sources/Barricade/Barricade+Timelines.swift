import Synchronization

extension Barricade {
    /// The registered timelines, in the order of registration.
    public var timelines: [Timeline] { content.withLock { $0.timelines } }

    /// How much faster than the clock timelines run, those to come too; 1 to 1000. Default: 1.
    public var speed: Int {
        get { content.withLock { $0.speed } }
        set {
            let now = now
            change { content in
                content.speed = min(max(newValue, 1), 1000)
                content.forEachPlayer(of: nil) { $0.handle(.speed(newValue), at: now) }
            }
        }
    }

    /// Plays a registered timeline: from the start, or on from where it was paused.
    /// - Throws: where no timeline has that name, or it answers requests that no set is for.
    public func play(_ timelineName: String) throws(BarricadeError) {
        let known = timelines
        guard let timeline = known.first(where: { $0.name == timelineName }) else {
            throw .unknownTimeline(timelineName, known: known.map(\.name))
        }
        try play(timeline)
    }

    /// Plays a timeline, registered or not; it takes the place of another one for the same requests.
    /// - Throws: where no set is for its requests, or the set lacks one of its responses.
    public func play(_ timeline: Timeline) throws(BarricadeError) {
        let sets = responseSets
        guard let set = sets.first(where: { $0.requestName == timeline.request }) else {
            throw .unknownRequest(timeline.request, known: sets.map(\.requestName))
        }
        if let step = timeline.steps.first(where: { set[$0.response] == nil }) {
            throw .unknownResponse(step.response, request: timeline.request, known: set.responses.map(\.name))
        }
        let now = now
        change { content in
            var player = content.players[timeline.request]
            if player?.timeline != timeline { player = TimelinePlayer(timeline, speed: content.speed, at: now) }
            player?.handle(.play, at: now)
            content.players[timeline.request] = player
        }
    }

    /// Holds the response that answers now.
    /// - Parameter requestName: whose timeline; nil for all.
    /// - Throws: where no timeline is there to be told.
    public func pause(_ requestName: String? = nil) throws(BarricadeError) { try tell(.pause, requestName) }

    /// Goes on after a pause.
    public func resume(_ requestName: String? = nil) throws(BarricadeError) { try tell(.play, requestName) }

    /// Goes to the next step.
    public func step(_ requestName: String? = nil) throws(BarricadeError) { try tell(.step, requestName) }

    /// Goes to a step, counted from 0.
    /// - Throws: where no timeline is there, or none of them has such a step.
    public func jump(to step: Int, _ requestName: String? = nil) throws(BarricadeError) {
        let counts = content.withLock { content in
            content.players.filter { requestName == nil || $0.key == requestName }.map(\.value.timeline.steps.count)
        }
        if let most = counts.max(), !(0..<most).contains(step) { throw .unknownStep(step, count: most) }
        try tell(.jump(to: step), requestName)
    }

    /// Ends the timeline and takes the selection back: the default answers again.
    /// - Parameter requestName: whose; nil for all.
    /// - Throws: where no set has that name.
    public func reset(_ requestName: String? = nil) throws(BarricadeError) {
        guard let requestName else { return resetSelections() }
        let known = responseSets.map(\.requestName)
        guard known.contains(requestName) else { throw .unknownRequest(requestName, known: known) }
        resetSelection(for: requestName)
    }

    private func tell(_ event: TimelinePlayer.Event, _ requestName: String?) throws(BarricadeError) {
        let now = now
        let told = change { content in
            content.forEachPlayer(of: requestName) { $0.handle(event, at: now) }
        }
        if told == 0 { throw .nothingPlays(requestName) }
    }
}

extension Barricade.Content {
    /// - Returns: how many there were.
    @discardableResult
    mutating func forEachPlayer(of requestName: String?, _ body: (inout TimelinePlayer) -> Void) -> Int {
        let names = players.keys.filter { requestName == nil || $0 == requestName }
        for name in names {
            guard var player = players[name] else { continue }
            body(&player)
            players[name] = player
        }
        return names.count
    }
}
