import Foundation

/// What is known without asking anybody: from an earlier run, or because it ships with the app.
extension BellerophonManager {
    /// Whether others can read and change what the source brings; nil where no network is asked.
    public var security: TransportSecurity? { config.source?.security }

    /// Begins with what is known; with neither of both the policy for that holds.
    func restore() {
        let lastRun = fromLastRun()
        let bundled = fromBundle()
        // A status that was published later than the kept one came with a newer version of the app.
        if let bundled, (bundled.proof?.serial ?? .min) > (lastRun?.proof?.serial ?? .min) || lastRun == nil {
            send(.restored(bundled))
        } else if let lastRun {
            send(.restored(lastRun))
        } else {
            send(.nothingKept)
        }
    }

    private func fromLastRun() -> KeptStatus? {
        do {
            guard let record = try config.store?.load() else { return nil }
            let kept = try record.kept(for: config.app.version, reader: reader, at: clock.date)
            stageSince = min(record.since, clock.date)
            return kept
        } catch {
            onReport?(.remark("the last known status is of no use: \(StatusError.text(of: error))"))
            return nil
        }
    }

    private func fromBundle() -> KeptStatus? {
        guard let data = config.bundledStatus else { return nil }
        switch reader.decode(data, StatusReceipt(), at: nil) {
        case .success(let reply): return KeptStatus(reply.document, origin: .bundled, proof: reply.receipt?.proof)
        case .failure(let error):
            onReport?(.remark("the status that ships with the app is of no use: \(error)"))
            return nil
        }
    }

    func remember(_ document: StatusDocument) {
        let record = StatusRecord(
            document, since: stageSince ?? clock.date, appVersion: config.app.version, confirmedAt: clock.date,
            publishedAt: machine.proof == nil ? machine.newest?.publishedAt : nil, proof: machine.proof
        )
        do {
            try config.store?.save(record)
        } catch {
            onReport?(.remark("the status could not be saved: \(StatusError.text(of: error))"))
        }
    }
}
