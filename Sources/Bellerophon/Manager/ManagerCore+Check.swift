import StatusModel

/// Runs a check with the source or the delegate.
extension ManagerCore {
    func fetch(_ id: StageMachine.CheckID) {
        pendingCheck.running = nil
        guard let source = setup.source else { return add(.delegateCheck(id)) }
        pendingCheck.running = source.fetchStatus { [weak self] result in self?.end(id, with: result) }
    }

    /// Takes the end of a check, on any thread.
    func end(_ id: StageMachine.CheckID, with result: Result<StatusReply, StatusError>) {
        arrive { [weak self] in self?.take(result, of: id) }
    }

    private func take(_ result: Result<StatusReply, StatusError>, of id: StageMachine.CheckID) {
        guard !pendingCheck.isAbandoned(id) else { return }
        switch believed(result) {
        case .success(let reply):
            send(.replied(id, reply.received(on: clock.date)))
            discover(reply.metadata?.streamURL)
        case .failure(let error):
            send(.failed(id, error.received(on: clock.date)))
            if machine.lastReply?.clockLag != nil { discover(machine.lastReply?.metadata?.streamURL) }
        }
    }

    /// With a verifier, rejects a reply that has no verified signature.
    private func believed(_ result: Result<StatusReply, StatusError>) -> Result<StatusReply, StatusError> {
        guard reader.verifier != nil, case .success(let reply) = result, reply.metadata?.proof == nil else { return result }
        return .failure(StatusError(.untrusted(.unsigned), metadata: reply.metadata))
    }
}

/// The check that the source carries out. The result of an abandoned check is dropped.
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
