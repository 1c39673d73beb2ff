import Foundation

/// Runs the stream, in addition to polling or instead of it.
extension ManagerCore {
    /// Whether the stream is the only transport.
    var isStreamOnly: Bool { machine.polling == .off }

    /// Prepares the configured stream.
    func setUpStream() {
        switch setup.transport {
        case .poll: break
        case .auto: if let stream = setup.stream { use(stream) }
        case .stream:
            guard let stream = setup.stream ?? setup.source?.stream(at: nil) else {
                add(.report(.remark("no stream is known; polling instead")))
                return
            }
            send(.pollingChanged(.off))
            use(stream, isIndispensable: setup.source == nil && !setup.hasDelegate)
        }
    }

    private func use(_ stream: any StatusStream, isIndispensable: Bool = false) {
        driver?.stop()
        let driver = StreamDriver(
            stream, policy: setup.policy, isIndispensable: isIndispensable, clock: clock, generator: generator
        )
        // An event id is not signed, nor is an entity tag. With a verifier the client therefore sends no id, and the
        // server repeats the current status.
        driver.lastEventID = { [weak self] in self?.reader.verifier == nil ? self?.machine.resumableEventID : nil }
        driver.onChange = { [weak self] in self?.noteChange() }
        driver.onLivenessChange = { [weak self] isLive in self?.streamChanged(isLive: isLive) }
        driver.onServerDate = { [weak self, clock] date in self?.send(.serverDate(date, receivedOn: clock.date)) }
        driver.onEvent = { [weak self] event in self?.take(event) }
        driver.onReport = { [weak self] report in self?.take(report) }
        self.driver = driver
    }

    /// A check in stream-only mode: opens a fresh connection, on which the server sends the current status. A resumed
    /// connection might not repeat it.
    func listen(_ cause: CheckCause) {
        guard let driver else { return }
        if cause == .start { return driver.start() }
        if driver.awaitsStatus { add(.report(.checkAlreadyPending(cause))) } else { driver.restart(isFresh: true) }
    }

    /// Connects to the stream that a reply names, unless one is configured.
    func discover(_ url: URL?) {
        guard setup.transport == .auto, setup.stream == nil, let url, url != discoveredURL,
            let stream = setup.source?.stream(at: url)
        else { return }
        discoveredURL = url
        use(stream)
        if !machine.isSuspended { driver?.start() }
    }

    // MARK: Stream callbacks

    private func streamChanged(isLive: Bool) {
        if isStreamOnly {
            if isLive { send(.streamRecovered) }
        } else {
            send(.pollingChanged(isLive ? .resting : .regular))
        }
    }

    private func take(_ event: StreamEvent) {
        guard event.name == StreamEvent.statusName else {
            add(.report(.stream(.event(event))))
            add(.streamEvent(event))
            return
        }
        switch reader.read(event, at: clock.date) {
        case .success(let reply): send(.pushed(reply.received(on: clock.date)))
        case .failure(let error): send(.pushFailed(error.received(on: clock.date)))
        }
    }

    private func take(_ report: StreamReport) {
        add(.report(.stream(report)))
        guard isStreamOnly, case .closed(let error, let lasted) = report else { return }
        if case .ended? = driver?.machine.state {
            add(.report(.remark("the server offers no stream; polling instead")))
            return send(.pollingChanged(.regular))
        }
        // A restarting server closes its streams; this is not a failure.
        if error.reason == .stream(.ended), lasted != nil { return endWaiting(.failure(error)) }
        send(.pushFailed(error))
    }
}
