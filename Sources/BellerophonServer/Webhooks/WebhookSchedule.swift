import BellerophonStore

/// The kinds of events. Events of one kind never wait for those of another.
enum WebhookKind: String, CaseIterable, Sendable {
    /// Kills, updates, restores and changes of rules, the ends of timed ones, and the phases of rules.
    case statuses
    case proposals
    case resources
    case tokens
    /// Problems of the server and reminders, which are in no journal.
    case notices

    init(_ event: WebhookEvent.Kind) {
        self =
            switch event {
            case .publish, .end, .phase: .statuses
            case .proposal: .proposals
            case .resource: .resources
            case .token: .tokens
            case .failure, .recovery, .reminder, .test: .notices
            }
    }

    /// How many events are being told of at the same time.
    var slots: Int { self == .statuses ? 8 : 2 }
}

/// Which events of a kind a target is told of next.
///
/// Each event is told of at once, in order, and kills first. One that fails steps aside: it is tried again after a pause, and the
/// next one does not wait for that. Events of one subject, such as a channel, arrive in their order: once a later one has arrived,
/// an earlier one that still fails is put aside.
struct WebhookSchedule {
    /// An event that is not tried any more, and why.
    struct Aside: Equatable {
        let event: WebhookEvent
        let problem: String
    }

    private struct Entry {
        let event: WebhookEvent
        let subject: String
        var attempts = 0
        var problem = ""
        /// When it is tried again; nil before the first attempt.
        var due: ContinuousClock.Instant?
        /// The number of the last attempt, among those of all events.
        var turn = 0
        var isRunning = false
    }

    private var entries: [Entry] = []
    private var turns = 0
    private let attempts: Int
    private let slots: Int

    /// Of more events the oldest is put aside.
    static let capacity = 1000

    /// - Parameters:
    ///   - attempts: to tell of each event.
    ///   - slots: how many events are being told of at the same time. A quarter is for kills that were not tried yet.
    init(attempts: Int, slots: Int) { (self.attempts, self.slots) = (attempts, slots) }

    /// The number of events that were not tried yet.
    var untried: Int { entries.count { $0.attempts == 0 } }

    /// The first row of the journal whose event is neither delivered nor put aside; nil if there is none.
    var firstRow: Int64? { entries.lazy.compactMap(\.event.row?.id).min() }

    /// - Returns: what is put aside for want of room.
    mutating func add(_ event: WebhookEvent) -> [Aside] {
        entries.append(Entry(event: event, subject: event.subject))
        guard entries.count > Self.capacity, let oldest = entries.firstIndex(where: { !$0.isRunning }) else { return [] }
        return [Aside(event: entries.remove(at: oldest).event, problem: "too many events wait")]
    }

    /// The events to tell of now, which count as running until ``ended(_:problem:at:)``.
    mutating func next(at now: ContinuousClock.Instant) -> [WebhookEvent] {
        let running = entries.filter(\.isRunning)
        let busy = Set(running.map(\.subject))
        let waiting = entries.indices.filter { !busy.contains(entries[$0].subject) }
        let candidates = Dictionary(grouping: waiting) { entries[$0].subject }.values.compactMap { indices in
            indices.first { entries[$0].attempts == 0 } ?? dueEntry(indices, now)
        }
        /// Kills that were not tried yet come first, and what is tried again last.
        func rank(_ index: Int) -> Int { entries[index].attempts > 0 ? 2 : entries[index].event.isKill ? 0 : 1 }
        let ordered = candidates.sorted { (rank($0), $0) < (rank($1), $1) }
        let kills = ordered.filter { rank($0) == 0 }.prefix(max(0, slots - running.count))
        let room = max(0, slots - slots / 4 - running.count - kills.count)
        return (kills + ordered.filter { rank($0) > 0 }.prefix(room)).map { index in
            turns += 1
            entries[index].isRunning = true
            entries[index].turn = turns
            return entries[index].event
        }
    }

    /// Of the events of a subject that have failed, the one to try again now: earlier ones first, each once before the next.
    private func dueEntry(_ indices: [Int], _ now: ContinuousClock.Instant) -> Int? {
        guard let due = indices.first(where: { entries[$0].due.map { $0 <= now } ?? false }) else { return nil }
        return indices.first { $0 <= due && entries[$0].turn <= entries[due].turn }
    }

    /// Notes the outcome of an attempt.
    /// - Parameter problem: nil if the event has arrived.
    /// - Returns: what is put aside.
    mutating func ended(_ event: WebhookEvent, problem: WebhookProblem?, at now: ContinuousClock.Instant) -> [Aside] {
        guard let index = entries.firstIndex(where: { $0.isRunning && $0.event.id == event.id }) else { return [] }
        entries[index].isRunning = false
        entries[index].attempts += 1
        let count = entries[index].attempts
        guard let problem else {
            let subject = entries[index].subject
            let earlier = entries[..<index].filter { $0.subject == subject && $0.attempts > 0 }
            entries.remove(at: index)
            entries.removeAll { entry in earlier.contains { $0.event.id == entry.event.id } }
            let reason = "a later event of the same has arrived"
            return earlier.map { Aside(event: $0.event, problem: "\($0.problem); \(reason)") }
        }
        guard count < attempts else {
            return [Aside(event: entries.remove(at: index).event, problem: problem.description)]
        }
        entries[index].problem = problem.description
        entries[index].due = now + max(min(.seconds(1 << min(count - 1, 6)), .seconds(60)), problem.retryAfter ?? .zero)
        return []
    }
}

extension WebhookEvent {
    /// What the event is about. Events about the same arrive in their order.
    fileprivate var subject: String {
        switch event {
        case .failure, .recovery: ""
        case .reminder, .test: id
        default: row.map { $0.subjectScope?.description ?? $0.resource ?? $0.token ?? "" } ?? ""
        }
    }

    fileprivate var isKill: Bool { row?.statusAction == .kill }
}
