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
        driver?.send(.stopped)
        driver = StreamDriver(stream, isIndispensable: isIndispensable, of: self)
    }

    /// A check in stream-only mode: opens a fresh connection, on which the server sends the current status. A resumed
    /// connection might not repeat it.
    func listen(_ cause: CheckCause) {
        guard let driver else { return }
        if cause == .start { return driver.send(.started) }
        if driver.awaitsStatus { add(.report(.checkAlreadyPending(cause))) } else { driver.send(.restarted(isFresh: true)) }
    }

    /// Connects to the stream that a reply names, unless one is configured.
    func discover(_ url: URL?) {
        guard setup.transport == .auto, setup.stream == nil, let url, url != discoveredURL,
            let stream = setup.source?.stream(at: url)
        else { return }
        discoveredURL = url
        use(stream)
        if !machine.isSuspended { driver?.send(.started) }
    }

    // MARK: What the stream does

    /// The event id to resume after. With nil, the server repeats the status.
    ///
    /// An event id is not signed, nor is an entity tag. With a verifier the client therefore sends none.
    var resumableEventID: String? { reader.verifier == nil ? machine.resumableEventID : nil }

    func streamChanged(isLive: Bool) {
        if isStreamOnly {
            if isLive { send(.streamRecovered) }
        } else {
            send(.pollingChanged(isLive ? .resting : .regular))
        }
    }

    func handle(_ event: StreamEvent) {
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

    func handle(_ report: StreamReport) {
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
