import StatusModel

/// Runs a check with the source or the delegate.
extension ManagerCore {
    func fetch(_ id: StageMachine.CheckID) {
        runningCheck = nil
        guard let source = setup.source else { return add(.delegateCheck(id)) }
        runningCheck = source.fetchStatus { [weak self] result in self?.end(id, with: result) }
    }

    /// Cancels a check. Its result is dropped.
    func abandon(_ id: StageMachine.CheckID) {
        guard let runningCheck else { return }
        abandonedCheck = id
        runningCheck.cancel()
    }

    /// Takes the end of a check, on any thread.
    func end(_ id: StageMachine.CheckID, with result: Result<StatusReply, StatusError>) {
        arrive { [weak self] in self?.handle(result, of: id) }
    }

    private func handle(_ result: Result<StatusReply, StatusError>, of id: StageMachine.CheckID) {
        guard id != abandonedCheck else { return }
        switch validated(result) {
        case .success(let reply):
            send(.replied(id, reply.received(on: clock.date)))
            discover(reply.metadata?.streamURL)
        case .failure(let error):
            send(.failed(id, error.received(on: clock.date)))
            if machine.lastReply?.clockLag != nil { discover(machine.lastReply?.metadata?.streamURL) }
        }
    }

    /// With a verifier, rejects a reply that has no verified signature.
    private func validated(_ result: Result<StatusReply, StatusError>) -> Result<StatusReply, StatusError> {
        guard reader.verifier != nil, case .success(let reply) = result, reply.metadata?.proof == nil else { return result }
        return .failure(StatusError(.untrusted(.unsigned), metadata: reply.metadata))
    }
}
