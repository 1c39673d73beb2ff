import Synchronization

extension BarricadeServer {
    /// The registered timelines, in the order of registration.
    public var timelines: [Timeline] { content.withLock { $0.timelines } }

    /// The speed factor of all current and future timelines, relative to the clock; clamped to 1...1000. Default: 1.
    public var speed: Int {
        get { content.withLock { $0.speed } }
        set {
            let moment = moment
            change { content in
                content.speed = min(max(newValue, 1), 1000)
                content.forEachPlayer(of: nil, at: moment) { $0.handle(.speed(newValue), at: moment.now) }
            }
        }
    }

    /// Plays a registered timeline, from the start or from the position at which it was paused.
    /// - Throws: ``BarricadeError`` if no timeline has that name, no set has its request name, or the set lacks one of
    ///   its responses.
    public func play(_ timelineName: String) throws(BarricadeError) {
        let known = timelines
        guard let timeline = known.first(where: { $0.name == timelineName }) else {
            throw .unknownTimeline(timelineName, known: known.map(\.name))
        }
        try play(timeline)
    }

    /// Plays a timeline, registered or not. It replaces another timeline for the same requests.
    /// - Throws: ``BarricadeError`` if no set has its request name, or the set lacks one of its responses.
    public func play(_ timeline: Timeline) throws(BarricadeError) {
        let set = try registered(timeline.request)
        if let step = timeline.steps.first(where: { set[$0.response] == nil }) {
            throw .unknownResponse(step.response, request: timeline.request, known: set.responses.map(\.name))
        }
        let moment = moment
        change { content in
            let former = content.players[timeline.request].flatMap { $0.timeline == timeline ? $0 : nil }
            var player = former ?? TimelinePlayer(timeline, speed: content.speed, at: moment.now)
            player.advance(to: moment.now)
            let begins = former == nil || player.phase == .ended
            player.handle(.play, at: moment.now)
            content.players[timeline.request] = player
            let lag = content.lagging.removeValue(forKey: timeline.request)
            content.world.follow(player, since: begins ? nil : lag?.from ?? former?.place, at: moment)
        }
    }

    /// Pauses timelines. The current response stays in effect.
    /// - Parameter requestName: the kind of request; nil for all timelines.
    /// - Throws: ``BarricadeError/nothingPlays(_:)`` if there is no such timeline.
    public func pause(_ requestName: String? = nil) throws(BarricadeError) { try send(.pause, requestName) }

    /// Continues paused timelines. A timeline that has ended starts again.
    public func resume(_ requestName: String? = nil) throws(BarricadeError) { try send(.play, requestName) }

    /// Moves timelines to the next step.
    public func step(_ requestName: String? = nil) throws(BarricadeError) { try send(.step, requestName) }

    /// Moves timelines to a step, counted from 0.
    /// - Throws: ``BarricadeError`` if there is no such timeline, or none of the timelines has that step.
    public func jump(to step: Int, _ requestName: String? = nil) throws(BarricadeError) {
        let counts = content.withLock { content in
            content.players.filter { requestName == nil || $0.key == requestName }.map(\.value.timeline.steps.count)
        }
        if let most = counts.max(), !(0..<most).contains(step) { throw .unknownStep(step, count: most) }
        try send(.jump(to: step), requestName)
    }

    /// Ends timelines and removes selections, so that the default applies.
    /// - Parameter requestName: the kind of request; nil for all.
    /// - Throws: ``BarricadeError/unknownRequest(_:known:)`` if no set has that name.
    public func reset(_ requestName: String? = nil) throws(BarricadeError) {
        guard let requestName else { return resetSelections() }
        _ = try registered(requestName)
        resetSelection(for: requestName)
    }

    private func send(_ event: TimelinePlayer.Event, _ requestName: String?) throws(BarricadeError) {
        let moment = moment
        let told = change { content in
            content.forEachPlayer(of: requestName, at: moment) { $0.handle(event, at: moment.now) }
        }
        if told == 0 { throw .nothingPlays(requestName) }
    }
}

extension BarricadeServer.Content {
    /// Ends the timeline for a kind of request.
    mutating func end(_ requestName: String) {
        players[requestName] = nil
        lagging[requestName] = nil
    }

    /// Calls a closure for the player of a kind of request, or for all players if the name is nil. The app and the clock follow.
    /// - Returns: the number of players.
    @discardableResult
    mutating func forEachPlayer(
        of requestName: String?, at moment: SimulatedWorld.Moment, _ body: (inout TimelinePlayer) -> Void
    ) -> Int {
        let concerned = players.filter { requestName == nil || $0.key == requestName }
        for (name, former) in concerned {
            var player = former
            body(&player)
            players[name] = player
            if let lag = lagging[name] {
                guard player.place != lag.to else { continue }
                lagging[name] = nil
                world.follow(player, since: lag.from, at: moment)
            } else {
                world.follow(player, since: former.place, at: moment)
            }
        }
        return concerned.count
    }

    /// The response of a timeline to a request, which counts; nil without a timeline.
    mutating func match(_ requestName: String, at moment: SimulatedWorld.Moment) -> String? {
        forEachPlayer(of: requestName, at: moment) { $0.advance(to: moment.now) }
        guard var player = players[requestName] else { return nil }
        if let lag = lagging.removeValue(forKey: requestName) { world.follow(player, since: lag.from, at: moment) }
        let before = player.place
        let response = player.match(at: moment.now)
        players[requestName] = player
        if player.place != before { lagging[requestName] = Lag(from: before, to: player.place) }
        return response
    }
}
