import BellerophonStore
import Foundation
import Logging

/// Tells one target of the events of one kind.
///
/// For events of the journal it has a position, below which every event was delivered or put aside. Events after it may arrive
/// again after a restart, or from the next server that leads, with the same ``WebhookEvent/id``.
actor WebhookQueue {
    nonisolated let kind: WebhookKind
    private let target: WebhookTarget
    private let store: Store
    private let name: String
    private let attempts: Int
    private let logger: Logger
    private var schedule: WebhookSchedule
    /// The last row that was read; nil before the first, and while another server leads.
    private var position: Int64?
    private var savedMark: Int64 = 0
    /// Whether an event was delivered or put aside since the mark was saved.
    private var hasProgress = false
    private var running: [String: Task<Void, Never>] = [:]

    /// The time between two looks at the journal.
    private static let interval = Duration.milliseconds(250)
    /// Rows that are read together.
    private static let page = 100
    /// Rows of other kinds after which the position is saved too.
    private static let stride: Int64 = 1000

    /// - Parameters:
    ///   - name: the first digits of the store's identity.
    ///   - attempts: to deliver an event.
    init(_ kind: WebhookKind, of target: WebhookTarget, _ store: Store, _ name: String, attempts: Int, logger: Logger) {
        (self.kind, self.target, self.store, self.name, self.attempts) = (kind, target, store, name, attempts)
        self.logger = logger
        schedule = WebhookSchedule(attempts: attempts, slots: kind.slots)
    }

    /// Delivers until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await poll()
            try? await Task.sleep(for: Self.interval)
        }
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
        await saveMark()
    }

    /// Tells of an event that is in no journal.
    func enqueue(_ event: WebhookEvent) {
        putAside(schedule.add(event))
        dispatch()
    }

    private func poll() async {
        if kind != .notices {
            guard store.leads else {
                // Another server goes on from the mark.
                if position != nil { (position, schedule) = (nil, WebhookSchedule(attempts: attempts, slots: kind.slots)) }
                return
            }
            // The store logs a failure, and the rows are there later.
            try? await readRows()
        }
        dispatch()
        await saveMark()
    }

    // MARK: Rows of the journal

    private func readRows() async throws {
        if position == nil { position = try await start() }
        while schedule.untried < Self.page, let last = position {
            let rows = try store.journal(JournalFilter(after: last, limit: Self.page))
            for row in rows {
                let event = WebhookEvent(row, store: name)
                if WebhookKind(event.event) == kind { putAside(schedule.add(event)) }
            }
            position = rows.last?.id ?? last
            guard rows.count == Self.page else { return }
        }
    }

    /// The row after which the target is told. A target that is new is not told of what was before.
    private func start() async throws -> Int64 {
        if let known = try await store.mark(mark) {
            savedMark = known
        } else {
            savedMark = try store.journal(JournalFilter(limit: 1)).first?.id ?? 0
            try await store.setMark(mark, savedMark)
        }
        return savedMark
    }

    /// The name of the kept position.
    private var mark: String { "\(target.name) \(kind.rawValue)" }

    private func saveMark() async {
        guard let position else { return }
        let mark = schedule.firstRow.map { min($0 - 1, position) } ?? position
        guard mark > savedMark, hasProgress || mark - savedMark >= Self.stride else { return }
        hasProgress = false
        do {
            try await store.setMark(self.mark, mark)
            savedMark = mark
        } catch {
            // The next look tries again.
            hasProgress = true
        }
    }

    // MARK: Attempts

    private func dispatch() {
        guard !Task.isCancelled else { return }
        for event in schedule.next(at: .now) {
            running[event.id] = Task { [target] in
                let problem = await target.deliver(event)
                end(event, problem: problem)
            }
        }
    }

    private func end(_ event: WebhookEvent, problem: WebhookProblem?) {
        running[event.id] = nil
        // An attempt that was interrupted is none.
        if problem != nil, Task.isCancelled { return }
        hasProgress = hasProgress || problem == nil
        let asides = schedule.ended(event, problem: problem, at: .now)
        if let problem, asides.isEmpty {
            logger.warning(
                "an event could not be delivered to a hook; trying again",
                metadata: ["hook": "\(target.name)", "event": "\(event.id)", "problem": "\(problem)"])
        }
        putAside(asides)
        dispatch()
    }

    private func putAside(_ asides: [WebhookSchedule.Aside]) {
        for aside in asides {
            hasProgress = true
            logger.error(
                "an event could not be delivered to a hook; see bellerophon-server hooks",
                metadata: ["hook": "\(target.name)", "event": "\(aside.event.id)", "problem": "\(aside.problem)"])
            do {
                try UndeliveredEvents(store.folder).add(
                    .init(target: target.name, at: Date(), problem: aside.problem, event: aside.event))
            } catch {
                logger.error(
                    "the undelivered event is not kept", metadata: ["event": "\(aside.event.id)", "problem": "\(error)"])
            }
        }
    }
}
