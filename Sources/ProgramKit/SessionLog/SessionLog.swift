import Bellerophon
import Foundation

/// What the user saw during one session, as records. A value without any I/O.
///
/// It keeps what is shown now and since when, so that every record states how long the previous view was shown.
package struct SessionLog: Equatable, Sendable {
    /// The maximum number of records. The oldest are dropped, except the start, so that a dashboard can run for months.
    package static let recordLimit = 5000

    package private(set) var records: [SessionLogRecord] = []
    private let service: String?
    private var stage = Stage.unknown
    private var message: String?
    /// Whether the service's view can be seen. Only one of several services is open.
    private var isOpen: Bool
    /// The stop on this machine; nil without one.
    private var localStop: LocalStop?
    private var stageSince: MonotonicInstant
    private var sight = SessionLogRecord.Sight(view: .dashboard)
    private var sightSince: MonotonicInstant

    /// Begins with a record of the program's start.
    /// - Parameter isOpen: whether the service's view can be seen.
    package init(_ session: SessionLogRecord.Session, isOpen: Bool = true, at now: MonotonicInstant, date: Date) {
        (stageSince, sightSince) = (now, now)
        (service, self.isOpen) = (session.service, isOpen)
        records = [SessionLogRecord(service: service, date: date, event: .start(session), sees: sight)]
    }

    /// Records a change of stage.
    /// - Parameters:
    ///   - message: of the status behind the new stage.
    ///   - why: what restricts the app, if that depends on more than a flag.
    ///   - arrival: how the change arrived and how soon it was painted.
    ///   - now: when the stage changed.
    ///   - paintedAt: when the change was painted; nil if another change replaced it before any paint.
    ///   - date: when the stage changed, by the wall clock.
    /// - Returns: the new record.
    package mutating func add(
        _ transition: Transition, message: String?, why: SessionLogRecord.Why? = nil, arrival: SessionLogRecord.Arrival = .init(),
        at now: MonotonicInstant, paintedAt: MonotonicInstant?, date: Date
    ) -> SessionLogRecord {
        var record = SessionLogRecord(
            service: service, date: date, event: .transition(transition), stage: stage, lasted: stageSince.duration(to: now),
            arrival: arrival, why: why)
        (stage, stageSince, self.message) = (transition.to, now, message)
        guard let paintedAt else { return append(record) }
        (record.saw, record.sawFor) = (sight, sightSince.duration(to: paintedAt))
        return turn(to: visible, record, at: paintedAt)
    }

    /// Records that the service was opened or closed, if what the person sees of it changes.
    package mutating func add(isOpen: Bool, at now: MonotonicInstant, date: Date) -> SessionLogRecord? {
        self.isOpen = isOpen
        return visible == sight ? nil : turn(to: visible, closing(.view, at: now, date: date), at: now)
    }

    /// What the person can see of the service.
    private var visible: SessionLogRecord.Sight {
        guard isOpen else { return .init(view: .dashboard) }
        switch stage {
        case .killed: return .init(view: .killView, message: message)
        case .updateRequired: return .init(view: .updateView, message: message)
        case .unknown, .active: return localStop.map { .init(view: .stopView, message: $0.reason) } ?? .init(view: .dashboard)
        }
    }

    /// Records the end of the program, a stop on this machine or its release, or what has happened to the processes of a guarded
    /// program.
    package mutating func add(_ event: SessionLogRecord.Event, at now: MonotonicInstant, date: Date) -> SessionLogRecord {
        let record = closing(event, at: now, date: date)
        switch event {
        case .localStop(let stop): localStop = stop
        case .localRelease: localStop = nil
        default: return append(record)
        }
        return turn(to: visible, record, at: now)
    }

    /// Records a new message on the current view, after it was painted.
    package mutating func add(message: String?, at now: MonotonicInstant, date: Date) -> SessionLogRecord {
        self.message = message
        return turn(to: visible, closing(.message, at: now, date: date), at: now)
    }

    /// The session so far as JSON lines; the last line states how long the current stage has lasted.
    package func exported(at now: MonotonicInstant, date: Date) -> String {
        (records + [closing(.export, at: now, date: date)]).map { $0.json + "\n" }.joined()
    }

    /// A record of the stage and the view up to now.
    private func closing(_ event: SessionLogRecord.Event, at now: MonotonicInstant, date: Date) -> SessionLogRecord {
        SessionLogRecord(
            service: service, date: date, event: event, stage: stage, lasted: stageSince.duration(to: now), saw: sight,
            sawFor: sightSince.duration(to: now))
    }

    private mutating func turn(
        to next: SessionLogRecord.Sight, _ record: SessionLogRecord, at now: MonotonicInstant
    ) -> SessionLogRecord {
        var record = record
        record.sees = next
        (sight, sightSince) = (next, now)
        return append(record)
    }

    private mutating func append(_ record: SessionLogRecord) -> SessionLogRecord {
        records.append(record)
        if records.count > Self.recordLimit { records.removeSubrange(1...(records.count - Self.recordLimit)) }
        return record
    }
}
