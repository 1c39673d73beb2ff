import Bellerophon
import Foundation

/// Keeps the session's journal, and appends it to a file if the user named one.
@MainActor
package final class SessionLogKeeper {
    /// Called with the file's errors; none of them ends the program.
    package var onProblem: ((String) -> Void)?
    private var journal: SessionLog
    private let file: SessionLogFile?
    private let clock: any ManagerClock
    private var hasEnded = false
    private var unpainted: Change?

    /// A change that has not been painted yet.
    private struct Change {
        /// Nil if only the message changed.
        var transition: Transition?
        /// The metadata of the reply that led to the transition.
        var metadata: ExchangeMetadata?
        var message: String?
        var why: SessionLogRecord.Why?
        let now: MonotonicInstant
        let date: Date
    }

    /// - Parameter isOpen: whether the service's view can be seen.
    package init(
        _ session: SessionLogRecord.Session, isOpen: Bool = true, file: SessionLogFile?, clock: any ManagerClock
    ) {
        self.file = file
        self.clock = clock
        journal = SessionLog(session, isOpen: isOpen, at: clock.now, date: clock.date)
    }

    /// Writes the record of the start.
    package func begin() {
        journal.records.first.map(append)
    }

    /// Takes a report of the manager before it is painted. A stage that is replaced before any paint is recorded as not
    /// painted; a message that is replaced is not recorded.
    package func take(_ report: StatusReport, machine: StageMachine) {
        switch report {
        case .stageChanged(let transition):
            recordChange(paintedAt: nil)
            let isReply = if case .status = transition.cause { true } else { false }
            unpainted = Change(
                transition: transition, metadata: isReply ? machine.lastReply?.metadata : nil, message: machine.facts[.message],
                why: SessionLogRecord.Why(machine.plan), now: clock.now, date: clock.date
            )
        case .messageChanged(let message):
            if unpainted == nil { unpainted = Change(now: clock.now, date: clock.date) }
            unpainted?.message = message
        default: break
        }
    }

    /// Records that one of several services was opened or closed.
    package func take(isOpen: Bool) {
        journal.add(isOpen: isOpen, at: clock.now, date: clock.date).map(append)
    }

    /// Records a stop on this machine or its release, or what has happened to the processes of a guarded program.
    package func record(_ event: SessionLogRecord.Event) {
        // A stage that covers nothing needs no paint of its own.
        if case .localStop = event, unpainted?.transition?.to.isBlocked == false { recordChange(paintedAt: nil) }
        append(journal.add(event, at: clock.now, date: clock.date))
    }

    /// Records the change that was just painted.
    /// - Returns: how a new stage arrived and how soon it was painted; nil if the stage did not change.
    @discardableResult
    package func painted(at instant: ContinuousClock.Instant) -> SessionLogRecord.Arrival? { recordChange(paintedAt: instant) }

    /// Records the change that waits for a paint.
    /// - Parameter instant: when it was painted; nil if another change replaces it. A message is not recorded then.
    @discardableResult
    private func recordChange(paintedAt instant: ContinuousClock.Instant?) -> SessionLogRecord.Arrival? {
        guard let change = unpainted else { return nil }
        unpainted = nil
        guard let transition = change.transition else {
            if instant != nil { append(journal.add(message: change.message, at: clock.now, date: change.date)) }
            return nil
        }
        let metadata = change.metadata
        var arrival = SessionLogRecord.Arrival(transport: metadata.map { $0.isPushed ? .stream : .poll })
        if let instant {
            arrival.paintLatency = metadata?.lastByteAt.map { max(.zero, $0.duration(to: instant)) }
            arrival.publishLatency = PublishLatency.between(metadata?.publishedAt, and: clock.date)
        }
        append(
            journal.add(
                transition, message: change.message, why: change.why, arrival: arrival, at: change.now,
                paintedAt: instant.map { _ in clock.now }, date: change.date))
        return arrival
    }

    /// Writes the record of the end, once.
    package func end(_ how: String) {
        guard !hasEnded else { return }
        hasEnded = true
        recordChange(paintedAt: nil)
        append(journal.add(.end(how), at: clock.now, date: clock.date))
    }

    /// Saves the session's journal to a new file.
    /// - Returns: the message for the user.
    package func export() throws(OutputFileError) -> String {
        let text = journal.exported(at: clock.now, date: clock.date)
        return "journal saved: \(try ExportedFile.save(text, .journal, date: clock.date))"
    }

    private func append(_ record: SessionLogRecord) {
        do {
            try file?.append(record)
        } catch {
            onProblem?("journal: \(error)")
        }
    }
}
