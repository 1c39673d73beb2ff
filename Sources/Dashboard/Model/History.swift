import Bellerophon
import Foundation

/// The past events, transitions and latency samples, oldest first; each list is bounded, so that a dashboard can run
/// for months.
package struct History: Equatable, Sendable {
    package static let eventLimit = 500
    package static let transitionLimit = 200
    package static let sampleLimit = 60

    package private(set) var events: [EventRecord] = []
    package private(set) var transitions: [TransitionRecord] = []
    /// The latencies of the last checks; nil for one that failed.
    package private(set) var samples: [Duration?] = []
    private var lastID = 0

    package init() {}

    /// The last valid status or failed check.
    package var lastCheck: EventRecord? { events.last(where: \.isCheck) }

    package mutating func log(_ kind: EventRecord.Kind, date: Date, planDate: Date? = nil) {
        lastID += 1
        events.append(EventRecord(id: lastID, date: date, kind: kind, planDate: planDate), limit: Self.eventLimit)
    }

    /// Records a report of the manager.
    /// - Parameter planDate: the time by which rules begin and end; nil if it is not known.
    package mutating func add(_ report: StatusReport, date: Date, planDate: Date? = nil) {
        switch report {
        case .checkStarted(_, let cause): if cause != .timer { log(.asked(cause), date: date) }
        case .checkSucceeded(_, let reply, let verdict): add(reply, verdict, date: date, planDate)
        case .checkFailed(_, let error): add(error, date: date)
        case .checkAlreadyPending(let cause): log(.alreadyPending(cause), date: date)
        case .pushed(let reply, let verdict): log(.answer(reply, verdict), date: date, planDate: planDate)
        case .pushFailed(let error): add(error, date: date)
        case .replyDropped: log(.replyDropped, date: date)
        case .replyOutdated: log(.replyOutdated, date: date)
        case .pushOutdated: log(.pushOutdated, date: date)
        case .stream(let report): add(report, date: date)
        case .scheduled(let next): attach(next)
        case .intervalClamped(let clamp): add(clamp, date: date)
        case .stageChanged(let transition): add(transition, date: date)
        case .planChanged(let plan): log(.plan(plan), date: date, planDate: planDate)
        case .messageChanged(let message): log(.message(message), date: date)
        case .stale(let age, let policy): log(.stale(age, policy), date: date)
        case .remark(let text): log(.remark(text), date: date)
        }
    }

    private mutating func add(_ reply: StatusReply, _ verdict: Verdict, date: Date, _ planDate: Date?) {
        log(.answer(reply, verdict), date: date, planDate: planDate)
        if let latency = reply.metadata?.latency { samples.append(latency, limit: Self.sampleLimit) }
    }

    private mutating func add(_ error: StatusError, date: Date) {
        var inARow = 1
        if case .failure(_, _, let earlier)? = lastCheck?.kind { inARow = earlier + 1 }
        log(.failure(error, kept: transitions.last?.transition.to ?? .unknown, inARow: inARow), date: date)
        samples.append(nil, limit: Self.sampleLimit)
    }

    /// Logs how a connection attempt ended, but not each attempt itself.
    private mutating func add(_ report: StreamReport, date: Date) {
        switch report {
        case .connecting: break
        case .retryScheduled(let next):
            let last = events.lastIndex { if case .stream(.closed) = $0.kind { true } else { false } }
            if let last { events[last].next = next }
        case .opened, .closed, .event: log(.stream(report), date: date)
        }
    }

    private mutating func add(_ transition: Transition, date: Date) {
        log(.transition(transition), date: date)
        transitions.append(TransitionRecord(id: lastID, date: date, transition: transition), limit: Self.transitionLimit)
    }

    /// Logs a clamp only if it is new or follows a change of stage, because every poll repeats it.
    private mutating func add(_ clamp: IntervalClamp, date: Date) {
        let latest = events.last { record in
            switch record.kind {
            case .clamp, .transition: true
            default: false
            }
        }
        if latest?.kind != .clamp(clamp) { log(.clamp(clamp), date: date) }
    }

    private mutating func attach(_ next: NextCheck) {
        if let index = events.lastIndex(where: \.isCheck) { events[index].next = next }
    }
}

extension Array {
    /// Appends an element, and removes the first ones beyond a limit.
    fileprivate mutating func append(_ element: Element, limit: Int) {
        append(element)
        if count > limit { removeFirst(count - limit) }
    }
}
