import BellerophonBase
import Foundation
import StatusModel

/// Restores the status of the last run or the bundled status, and saves new statuses.
extension ManagerCore {
    /// Restores the kept or the bundled status. With neither, `UnknownPolicy` applies.
    func restore() {
        let lastRun = fromLastRun()
        keptStatus = lastRun
        let bundled = fromBundle()
        // A bundled status with a higher serial than all accepted ones came with a newer version of the app.
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
            guard let record = try keeper.restore() else { return nil }
            if let remark = record.remark { keeper.reportProblem(remark) }
            do {
                let kept = try record.kept(for: setup.app.version, reader: reader, at: clock.date)
                if reader.verifier != nil, let serial = record.serial { send(.serialKnown(serial, record.signedReply(reader))) }
                stageSince = min(record.since, clock.date)
                seenNotices = record.seenNotices ?? []
                return kept
            } catch {
                keeper.isRefused = true
                throw error
            }
        } catch {
            keeper.reportProblem("the last known status cannot be used: \(StatusError.text(of: error))")
            return nil
        }
    }

    private func fromBundle() -> RestoredStatus? {
        guard let data = setup.bundledStatus else { return nil }
        switch reader.decode(data, ExchangeMetadata(), at: nil) {
        case .success(let reply): return RestoredStatus(document: reply.document, isBundled: true, proof: reply.metadata?.proof)
        case .failure(let error):
            keeper.reportProblem("the status that ships with the app cannot be used: \(error)")
            return nil
        }
    }

    func record(of document: StatusDocument) -> StatusRecord {
        var record = StatusRecord(
            document, in: machine, since: stageSince, at: clock.now, date: clock.date, requiresSignature: reader.verifier != nil)
        let seen = seenNotices.kept(for: document.ruleIDs)
        record.seenNotices = seen.isEmpty ? nil : seen
        return record
    }
}

extension StatusRecord {
    /// Creates the record of the status of a machine, with everything that orders statuses and decides about rules.
    /// - Parameters:
    ///   - since: when the stage began; nil for now.
    ///   - now: the present time of the clock of the machine.
    ///   - date: the wall clock.
    ///   - requiresSignature: whether only signed statuses count.
    package init(
        _ document: StatusDocument, in machine: StageMachine, since: Date?, at now: MonotonicInstant, date: Date,
        requiresSignature: Bool
    ) {
        // When the server confirmed the status last, by the wall clock.
        let age = machine.confirmedAt.map { $0.duration(to: now) } ?? .zero
        var record = StatusRecord(
            document, since: since ?? date, appVersion: machine.app.version,
            confirmedAt: age > .zero ? date.addingTimeInterval(-age.inSeconds) : date,
            publishedAt: machine.proof == nil ? machine.order.newest?.publishedAt : nil, proof: machine.proof
        )
        if let newest = machine.order.newest, record.publishedAt != nil {
            record.previousDate = newest.previous
            record.isUndated = newest.isReplaced ? true : nil
        }
        record.overruled = machine.order.overruled
        record.localDate = machine.order.localDate(at: now)
        record.note(timeOf: machine, at: now)
        record.setCover((machine.verdict?.restrictions.first?.by).flatMap { document.plan?.rule($0) })
        // An allowance to go on without an update is not kept: the next run must know again that the update can't be had.
        record.coversApp = machine.stage.isBlocked || machine.verdict?.deferred.isEmpty == false
        record.serial = machine.order.newestSigned?.serial
        if requiresSignature, machine.proof == nil {
            record.isGiven = true
            record.signed = machine.order.newestSigned?.signed.map { String(decoding: $0, as: UTF8.self) }
        }
        self = record
    }
}
