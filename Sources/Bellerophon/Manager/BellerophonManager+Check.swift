/// Runs a check with the source or the delegate.
extension BellerophonManager {
    func fetch(_ id: StageMachine.CheckID) {
        check = nil
        if let source = config.source {
            check = source.fetchStatus { [weak self] result in
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
        guard let check else { return }
        abandoned = id
        check.cancel()
    }

    private func end(_ id: StageMachine.CheckID, with result: Result<StatusReply, StatusError>) {
        // This check was cancelled here; its result is dropped.
        guard id != abandoned else { return }
        switch believed(result) {
        case .success(let reply):
            send(.replied(id, reply.received(on: clock.date)))
            discover(reply.receipt?.streamURL)
        case .failure(let error): send(.failed(id, error))
        }
    }

    /// With a verifier, rejects a reply that has no verified signature.
    private func believed(_ result: Result<StatusReply, StatusError>) -> Result<StatusReply, StatusError> {
        guard reader.verifier != nil, case .success(let reply) = result, reply.receipt?.proof == nil else { return result }
        return .failure(StatusError(.untrusted(.unsigned), receipt: reply.receipt))
    }
}
