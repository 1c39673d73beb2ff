#if Server
import BellerophonServer
import BellerophonStore
import Foundation
import HTTPTransport
import Logging

/// Tells hooks what has happened: every row of the journal once it is there, problems of the server, and reminders.
///
/// It reads the journal, so that a publish never waits for a hook. Each target has its own position in the journal, which is
/// kept: an event is delivered at least once, also if the server is restarted in between. Of servers that share a store, the
/// one that leads delivers.
actor HookRunner {
    private let store: Store
    private let targets: [any HookTarget]
    private let settings: HookSettings
    private let undelivered: UndeliveredEvents
    private let problems: @Sendable () async -> [String]
    private let logger: Logger
    private let name: String
    private var reminded: Set<String> = []
    private var told: [String] = []

    /// The time between two looks at the journal.
    private static let interval = Duration.milliseconds(250)
    /// The time between two looks at the server and at what is stopped.
    private static let lookInterval = Duration.seconds(5)

    /// - Parameter problems: why the server is not ready; empty if it is.
    init(
        _ store: Store, _ settings: HookSettings, _ targets: [any HookTarget], logger: Logger,
        problems: @escaping @Sendable () async -> [String]
    ) {
        (self.store, self.settings, self.targets) = (store, settings, targets)
        (self.logger, self.problems) = (logger, problems)
        undelivered = UndeliveredEvents(store.folder)
        name = String(((try? store.identity()) ?? "").prefix(8))
    }

    /// The targets of the settings.
    /// - Throws: ``ServerError`` if the secret can't be read.
    static func targets(_ settings: HookSettings) throws(ServerError) -> [any HookTarget] {
        var targets: [any HookTarget] = []
        if let command = settings.command { targets.append(CommandHook(command: command, limit: settings.timeLimit)) }
        if let text = settings.url, let url = URL(string: text) {
            let secret = try settings.secretBytes()
            targets.append(WebHook(url: url, secret: secret, limit: settings.timeLimit, client: HTTPClient()))
        }
        return targets
    }

    /// Delivers until the task is cancelled.
    nonisolated func run() async {
        guard !targets.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            for target in targets { group.addTask { await self.follow(target) } }
            group.addTask { await self.watch() }
        }
    }

    // MARK: Rows of the journal

    private nonisolated func follow(_ target: any HookTarget) async {
        var position: Int64?
        while !Task.isCancelled {
            if store.leads {
                do {
                    let start = if let position { position } else { try await self.start(of: target) }
                    position = try await deliver(after: start, to: target)
                } catch {
                    // The store says so in the log, and the rows are there later.
                    position = nil
                }
            } else {
                // Another server goes on from where it has read.
                position = nil
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// The last row that a target was told of. A target that is new is not told of what was before.
    private nonisolated func start(of target: any HookTarget) async throws -> Int64 {
        if let mark = try store.mark(target.name) { return mark }
        let newest = try store.journal(JournalFilter(limit: 1)).first?.id ?? 0
        try await store.setMark(target.name, newest)
        return newest
    }

    /// - Returns: the last row that the target was told of, or that was given up.
    private nonisolated func deliver(after position: Int64, to target: any HookTarget) async throws -> Int64 {
        var position = position
        for row in try store.journal(JournalFilter(after: position, limit: 100)) {
            guard await deliver(HookEvent(row, store: name), to: target), store.leads else { return position }
            position = row.id
            try await store.setMark(target.name, position)
        }
        return position
    }

    /// Tries until the target was told or there were enough attempts.
    /// - Returns: false if the task was cancelled in between.
    private nonisolated func deliver(_ event: HookEvent, to target: any HookTarget) async -> Bool {
        var pause = Duration.seconds(1)
        for attempt in 1...settings.attempts {
            guard let problem = await target.deliver(event) else {
                if attempt > 1 {
                    logger.notice("a hook was told after all", metadata: ["hook": "\(target.name)", "event": "\(event.id)"])
                }
                return true
            }
            if Task.isCancelled { return false }
            let isLast = attempt == settings.attempts
            if attempt == 1 || isLast {
                logger.log(
                    level: isLast ? .error : .warning,
                    isLast ? "a hook could not be told; see bellerophon-server hooks" : "a hook could not be told; trying again",
                    metadata: ["hook": "\(target.name)", "event": "\(event.id)", "problem": "\(problem)"])
            }
            if isLast {
                do {
                    try undelivered.add(.init(target: target.name, at: Date(), problem: problem, event: event))
                } catch {
                    logger.error("the undelivered event is not kept", metadata: ["event": "\(event.id)", "problem": "\(error)"])
                }
                return true
            }
            try? await Task.sleep(for: pause)
            if Task.isCancelled { return false }
            pause = min(pause * 2, .seconds(60))
        }
        return true
    }

    // MARK: Problems and reminders

    private func watch() async {
        while !Task.isCancelled {
            await look(at: store.now)
            try? await Task.sleep(for: Self.lookInterval)
        }
    }

    /// Looks once for problems and for what is to be reminded of.
    func look(at now: Date) async {
        let found = await problems()
        if found.isEmpty != told.isEmpty || found.contains(where: isNews) {
            let event = HookEvent(found.isEmpty ? .recovery : .failure, found.isEmpty ? told : found, store: name, at: now)
            told = found
            tellAll(event)
        }
        guard store.leads, let statuses = try? store.snapshot().statuses.values, let tokens = try? store.tokens() else { return }
        var due: Set<String> = []
        let reminders = statuses.flatMap { Reminder.due($0, settings, at: now) } + tokens.compactMap { Reminder.due($0, at: now) }
        for reminder in reminders {
            due.insert(reminder.key)
            guard reminded.insert(reminder.key).inserted else { continue }
            tellAll(HookEvent(.reminder, [reminder.text], store: name, at: now, row: reminder.row))
        }
        reminded.formIntersection(due)
    }

    /// Whether a problem is none of those that were told. Its numbers may change meanwhile.
    private func isNews(_ problem: String) -> Bool {
        !told.contains { $0.filter { !$0.isNumber } == problem.filter { !$0.isNumber } }
    }

    /// Problems and reminders wait for no other event, and are not kept over a restart.
    private func tellAll(_ event: HookEvent) {
        for target in targets { Task { _ = await deliver(event, to: target) } }
    }
}

/// A reminder of a status that stops an app, or of a token that expires.
struct Reminder: Equatable, Sendable {
    /// The row and the reason; the same while the reminder holds.
    let key: String
    let text: String
    /// The row of the status.
    var row: JournalEntry?

    /// The reminders that hold for a status now.
    static func due(_ status: PublishedStatus, _ settings: HookSettings, at now: Date) -> [Reminder] {
        // A channel that has its app's status is told of with the app.
        guard status.isBlocking, let row = status.entry, row.scope == status.scope else { return [] }
        let scope = status.scope.description
        if let end = status.endsAt, let before = settings.remindBefore {
            let (left, notice) = (end.timeIntervalSince(now), Double(before.components.seconds))
            // Who has just published a short one needs no reminder.
            guard left > 0, left <= notice, end.timeIntervalSince(row.at) > notice else { return [] }
            let text = "\(scope): the \(row.action) ends in \(DurationText.text(.seconds(left)))"
            return [Reminder(key: "\(row.id) ends", text: text, row: row)]
        }
        guard status.endsAt == nil, let after = settings.remindAfter else { return [] }
        let age = now.timeIntervalSince(row.at)
        let times = Int(age / Double(after.components.seconds))
        guard times >= 1 else { return [] }
        let text = "\(scope): the \(row.action) has stood for \(DurationText.text(.seconds(age)))"
        return [Reminder(key: "\(row.id) stands \(times)", text: text, row: row)]
    }

    /// How long before its end there is a reminder of a token, in seconds: a day and a week.
    private static let tokenNotices: [Double] = [86_400, 604_800]

    static func due(_ token: TokenRecord, at now: Date) -> Reminder? {
        guard token.revokedAt == nil, let end = token.expiresAt else { return nil }
        let left = end.timeIntervalSince(now)
        // Who has just made a short one needs no reminder.
        guard left > 0, let notice = tokenNotices.first(where: { left <= $0 }),
            end.timeIntervalSince(token.createdAt) > notice
        else { return nil }
        return Reminder(
            key: "token \(token.name) \(Int(notice))",
            text: "the token \(token.name) expires in \(DurationText.text(.seconds(left)))")
    }
}
#endif
