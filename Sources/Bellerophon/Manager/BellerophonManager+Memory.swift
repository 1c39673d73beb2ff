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
            (bundled.proof?.serial ?? .min) > (machine.newestSigned?.serial ?? lastRun?.proof?.serial ?? .min) || lastRun == nil
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
            guard let record = try config.store?.load() else { return nil }
            do {
                let kept = try record.kept(for: config.app.version, reader: reader, at: clock.date)
                if reader.verifier != nil, let serial = record.serial { send(.serialKnown(serial, record.signedReply(reader))) }
                stageSince = min(record.since, clock.date)
                return kept
            } catch {
                // What is not believed has no say in what replaces it, either.
                memory.isRefused = true
                throw error
            }
        } catch {
            complain("the last known status is of no use: \(StatusError.text(of: error))")
            return nil
        }
    }

    /// Says what is wrong with the memory, on the view too: it may be what covers the app.
    private func complain(_ problem: String) {
        memory.problem = problem
        onReport?(.remark(problem))
    }

    private func fromBundle() -> RestoredStatus? {
        guard let data = config.bundledStatus else { return nil }
        switch reader.decode(data, ExchangeMetadata(), at: nil) {
        case .success(let reply): return RestoredStatus(reply.document, origin: .bundled, proof: reply.receipt?.proof)
        case .failure(let error):
            complain("the status that ships with the app is of no use: \(error)")
            return nil
        }
    }

    /// Lets a status be kept when the turn is over.
    func remember(_ document: StatusDocument) {
        guard config.store != nil else { return }
        memory.waiting = record(of: document)
    }

    /// Keeps the last status of a turn, after the window has been updated: a write takes as long as the disk takes. A few
    /// are kept in a second, since a stream may bring thousands. The last one is never left out.
    func keepWhatIsRemembered() {
        guard memory.waiting != nil else { return }
        if memory.window == nil {
            memory.writes = 0
            memory.window = clock.schedule(after: .seconds(1)) { [weak self] in
                self?.memory.window = nil
                self?.flush()
            }
        }
        guard memory.writes < StatusMemory.writesPerSecond else { return }
        memory.writes += 1
        flush()
    }

    /// Writes at once what was put off because there were enough writes. ``suspend()`` does so too; call it before an exit.
    public func flush() {
        guard var record = memory.waiting else { return }
        memory.waiting = nil
        record.replacesAnything = memory.isRefused
        do {
            try config.store?.save(record)
            memory.isRefused = false
            memory.problem = nil
        } catch {
            complain("the status could not be saved: \(StatusError.text(of: error))")
        }
    }

    private func record(of document: StatusDocument) -> StatusRecord {
        var record = StatusRecord(
            document, since: stageSince ?? clock.date, appVersion: config.app.version, confirmedAt: clock.date,
            publishedAt: machine.proof == nil ? machine.newest?.publishedAt : nil, proof: machine.proof
        )
        if let newest = machine.newest, record.publishedAt != nil {
            record.previousDate = newest.previous
            record.isUndated = newest.isReplaced ? true : nil
        }
        record.overruledDate = machine.overruledDate
        record.serial = machine.newestSigned?.serial
        if reader.verifier != nil, machine.proof == nil {
            record.isGiven = true
            record.signed = machine.newestSigned?.signed.map { String(decoding: $0, as: UTF8.self) }
        }
        return record
    }
}

/// What a manager knows of its store.
@MainActor
final class StatusMemory {
    static let writesPerSecond = 4
    /// To be written when the turn is over, or the second in which there were enough writes.
    var waiting: StatusRecord?
    var window: ScheduledCall?
    var writes = 0
    /// Whether the record of the last run is not believed.
    var isRefused = false
    /// What is wrong, until a write went well.
    var problem: String?
}
