/// Runs a check with the source or the delegate.
extension BellerophonManager {
    func fetch(_ id: StageMachine.CheckID) {
        pendingCheck.running = nil
        if let source = config.source {
            pendingCheck.running = source.fetchStatus { [weak self] result in
                MainQueue.run { self?.end(id, with: result) }
            }
        } else if let delegate = config.delegate {
            delegate.bellerophonStatus(self) { [weak self] status, error in
                let result: Result<StatusReply, StatusError> =
                    status.map { .success(StatusReply(observing: $0)) } ?? .failure(StatusError(observing: error))
                MainQueue.run { self?.end(id, with: result) }
            }
        } else {
            end(id, with: .failure(StatusError(.noStatus)))
        }
    }

    func abandon(_ id: StageMachine.CheckID) {
        pendingCheck.abandon(id)?.cancel()
    }

    private func end(_ id: StageMachine.CheckID, with result: Result<StatusReply, StatusError>) {
        guard !pendingCheck.isAbandoned(id) else { return }
        switch believed(result) {
        case .success(let reply):
            send(.replied(id, reply.received(on: clock.date)))
            discover(reply.metadata?.streamURL)
        case .failure(let error): send(.failed(id, error))
        }
    }

    /// With a verifier, rejects a reply that has no verified signature.
    private func believed(_ result: Result<StatusReply, StatusError>) -> Result<StatusReply, StatusError> {
        guard reader.verifier != nil, case .success(let reply) = result, reply.metadata?.proof == nil else { return result }
        return .failure(StatusError(.untrusted(.unsigned), metadata: reply.metadata))
    }
}

/// The check that the source carries out. The result of an abandoned check is dropped.
@MainActor
struct PendingCheck {
    /// Nil before the first check, and for a check by the delegate.
    var running: StatusCheck?
    private var abandoned: StageMachine.CheckID?

    /// Marks a check as abandoned.
    /// - Returns: the check to cancel; nil if the source has none.
    mutating func abandon(_ id: StageMachine.CheckID) -> StatusCheck? {
        if running != nil { abandoned = id }
        return running
    }

    func isAbandoned(_ id: StageMachine.CheckID) -> Bool { id == abandoned }
}
