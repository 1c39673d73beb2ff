import Bellerophon
import Foundation

/// What the user saw during one session, as records. A value without any I/O.
///
/// It keeps what is shown now and since when, so that every record states how long the previous view was shown.
package struct Journal: Equatable, Sendable {
    /// The maximum number of records. The oldest are dropped, except the start, so that a dashboard can run for months.
    package static let recordLimit = 5000

    package private(set) var records: [JournalRecord] = []
    private var stage = Stage.unknown
    private var stageSince: MonotonicInstant
    private var sight = JournalRecord.Sight(view: .dashboard)
    private var sightSince: MonotonicInstant

    /// Begins with a record of the program's start.
    package init(_ session: JournalRecord.Session, at now: MonotonicInstant, date: Date) {
        (stageSince, sightSince) = (now, now)
        records = [JournalRecord(date: date, event: .start(session), sees: sight)]
    }

    /// Records a change of stage.
    /// - Parameters:
    ///   - message: of the document behind the new stage.
    ///   - arrival: how the change arrived and how soon it was painted.
    ///   - now: when the stage changed.
    ///   - paintedAt: when the change was painted; nil if another change replaced it before any paint.
    ///   - date: when the stage changed, by the wall clock.
    /// - Returns: the new record.
    package mutating func add(
        _ transition: Transition, message: String?, arrival: JournalRecord.Arrival = .init(), at now: MonotonicInstant,
        paintedAt: MonotonicInstant?, date: Date
    ) -> JournalRecord {
        var record = JournalRecord(
            date: date, event: .transition(transition), stage: stage, lasted: stageSince.duration(to: now), arrival: arrival
        )
        (stage, stageSince) = (transition.to, now)
        guard let paintedAt else { return keep(record) }
        (record.saw, record.sawFor) = (sight, sightSince.duration(to: paintedAt))
        return turn(to: JournalRecord.Sight(stage, message: message), record, at: paintedAt)
    }

    /// Records a new message on the current view, after it was painted.
    package mutating func add(message: String?, at now: MonotonicInstant, date: Date) -> JournalRecord {
        turn(to: JournalRecord.Sight(stage, message: message), closing(.message, at: now, date: date), at: now)
    }

    /// Records the end of the program.
    /// - Parameter how: a word such as `quit` or `SIGTERM`.
    package mutating func end(_ how: String, at now: MonotonicInstant, date: Date) -> JournalRecord {
        keep(closing(.end(how), at: now, date: date))
    }

    /// The session so far as JSON lines; the last line states how long the current stage has lasted.
    package func exported(at now: MonotonicInstant, date: Date) -> String {
        (records + [closing(.export, at: now, date: date)]).map { $0.json + "\n" }.joined()
    }

    /// A record of the stage and the view up to now.
    private func closing(_ event: JournalRecord.Event, at now: MonotonicInstant, date: Date) -> JournalRecord {
        JournalRecord(
            date: date, event: event, stage: stage, lasted: stageSince.duration(to: now), saw: sight,
            sawFor: sightSince.duration(to: now)
        )
    }

    private mutating func turn(
        to next: JournalRecord.Sight, _ record: JournalRecord, at now: MonotonicInstant
    ) -> JournalRecord {
        var record = record
        record.sees = next
        (sight, sightSince) = (next, now)
        return keep(record)
    }

    private mutating func keep(_ record: JournalRecord) -> JournalRecord {
        records.append(record)
        if records.count > Self.recordLimit { records.removeSubrange(1...(records.count - Self.recordLimit)) }
        return record
    }
}
