import BellerophonStore
import Foundation
import Logging

/// Tells hooks what has happened: every row of the journal once it is there, problems of the server, and reminders.
///
/// It reads the journal, so that a publish never waits for a hook. Each target has a ``WebhookQueue`` for each kind of events, with
/// a position in the journal that is kept: an event is delivered at least once, also if the server is restarted in between. Of
/// servers that share a store, the one that leads delivers.
package actor WebhookRunner {
    private let store: Store
    private let queues: [WebhookQueue]
    private let settings: WebhookSettings
    private let problems: @Sendable () async -> [String]
    private let name: String
    private var reminded: Set<String> = []
    private var told: [String] = []

    /// The time between two looks at the server and at what is stopped.
    private static let lookInterval = Duration.seconds(5)

    /// - Parameter problems: why the server is not ready; empty if it is.
    package init(
        _ store: Store, _ settings: WebhookSettings, _ targets: [WebhookTarget], logger: Logger,
        problems: @escaping @Sendable () async -> [String]
    ) {
        (self.store, self.settings, self.problems) = (store, settings, problems)
        let name = String(((try? store.identity()) ?? "").prefix(8))
        self.name = name
        queues = targets.flatMap { target in
            WebhookKind.allCases.map { WebhookQueue($0, of: target, store, name, attempts: settings.attempts, logger: logger) }
        }
    }

    /// The targets of the settings.
    /// - Throws: ``ServerError`` if the secret can't be read.
    package static func targets(_ settings: WebhookSettings) throws(ServerError) -> [WebhookTarget] {
        var targets: [WebhookTarget] = []
        if let command = settings.command { targets.append(.command(command, limit: settings.timeLimit)) }
        if let text = settings.url, let url = URL(string: text) {
            targets.append(.address(url, secret: try settings.secretBytes(), limit: settings.timeLimit))
        }
        return targets
    }

    /// Delivers until the task is cancelled.
    package nonisolated func run() async {
        guard !queues.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            for queue in queues { group.addTask { await queue.run() } }
            group.addTask { await self.watch() }
        }
    }

    // MARK: Problems and reminders

    private func watch() async {
        while !Task.isCancelled {
            await reportProblems(at: store.now)
            try? await Task.sleep(for: Self.lookInterval)
        }
    }

    /// Looks once for problems and for what is to be reminded of.
    func reportProblems(at now: Date) async {
        let found = await problems()
        if found.isEmpty != told.isEmpty || found.contains(where: isNews) {
            let event = WebhookEvent(found.isEmpty ? .recovery : .failure, found.isEmpty ? told : found, store: name, at: now)
            told = found
            await tellAll(event)
        }
        guard store.leads, let statuses = try? store.snapshot().statuses.values, let tokens = try? store.tokens() else { return }
        let reminders = statuses.flatMap { Reminder.due($0, settings, at: now) } + tokens.compactMap { Reminder.due($0, at: now) }
        for reminder in reminders where reminded.insert(reminder.key).inserted {
            await tellAll(WebhookEvent(.reminder, [reminder.text], store: name, at: now, row: reminder.row))
        }
        reminded = Set(reminders.map(\.key))
    }

    /// Whether a problem is none of those that were told. Its numbers may change meanwhile.
    private func isNews(_ problem: String) -> Bool {
        !told.contains { $0.filter { !$0.isNumber } == problem.filter { !$0.isNumber } }
    }

    /// Problems and reminders are not kept over a restart.
    private func tellAll(_ event: WebhookEvent) async {
        for queue in queues where queue.kind == .notices { await queue.enqueue(event) }
    }
}
