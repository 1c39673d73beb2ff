import Foundation
import StatusModel

/// What is known without asking anybody: from an earlier run, or because it ships with the app.
extension BellerophonManager {
    /// Whether others can read and change what the source brings; nil where no network is asked.
    public var security: TransportSecurity? { config.isSimulated ? nil : config.source?.security }

    /// Begins with what is known; with neither of both the policy for that holds.
    func restore() {
        let lastRun = fromLastRun()
        let bundled = fromBundle()
        // A status that was published later than all that counted came with a newer version of the app.
        if let bundled,
            (bundled.proof?.serial ?? .min) > (machine.order.newestSigned?.serial ?? lastRun?.proof?.serial ?? .min)
                || lastRun == nil
        {
            send(.restored(bundled))
        } else if let lastRun {
            send(.restored(lastRun))
        } else {
            send(.nothingKept)
        }
    }

    private func fromLastRun() -> RestoredStatus? {
        do {
            guard let record = try keeper.load() else { return nil }
            do {
                let kept = try record.kept(for: config.app.version, reader: reader, at: clock.date)
                if reader.verifier != nil, let serial = record.serial { send(.serialKnown(serial, record.signedReply(reader))) }
                stageSince = min(record.since, clock.date)
                return kept
            } catch {
                keeper.refuse()
                throw error
            }
        } catch {
            keeper.complain("the last known status cannot be used: \(StatusError.text(of: error))")
            return nil
        }
    }

    private func fromBundle() -> RestoredStatus? {
        guard let data = config.bundledStatus else { return nil }
        switch reader.decode(data, ExchangeMetadata(), at: nil) {
        case .success(let reply): return RestoredStatus(reply.document, origin: .bundled, proof: reply.receipt?.proof)
        case .failure(let error):
            keeper.complain("the status that ships with the app cannot be used: \(error)")
            return nil
        }
    }

    func remember(_ document: StatusDocument, isNew: Bool) {
        keeper.keep(isNew: isNew) { record(of: document) }
    }

    /// Writes at once what was put off because there were enough writes. ``suspend()`` does so too; call it before an exit.
    public func flush() { keeper.flush() }

    private func record(of document: StatusDocument) -> StatusRecord {
        var record = StatusRecord(
            document, since: stageSince ?? clock.date, appVersion: config.app.version, confirmedAt: clock.date,
            publishedAt: machine.proof == nil ? machine.order.newest?.publishedAt : nil, proof: machine.proof
        )
        if let newest = machine.order.newest, record.publishedAt != nil {
            record.previousDate = newest.previous
            record.isUndated = newest.isReplaced ? true : nil
        }
        record.overruledDate = machine.order.overruledDate
        record.serial = machine.order.newestSigned?.serial
        if reader.verifier != nil, machine.proof == nil {
            record.isGiven = true
            record.signed = machine.order.newestSigned?.signed.map { String(decoding: $0, as: UTF8.self) }
        }
        return record
    }
}
