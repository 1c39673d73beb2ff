import BellerophonStore
import Foundation

/// A reminder of a status that stops an app, or of a token that expires.
struct Reminder: Equatable, Sendable {
    /// The row and the reason; the same while the reminder holds.
    let key: String
    let text: String
    /// The row of the status.
    var row: JournalEntry?

    /// The reminders that hold for a status now.
    static func due(_ status: PublishedStatus, _ settings: WebhookSettings, at now: Date) -> [Reminder] {
        // A channel that has its app's status is told of with the app.
        guard let row = status.entry, row.scope == status.scope else { return [] }
        let phases = (row.plan?.phases ?? []).compactMap { phase -> Reminder? in
            let set = row.plan?.rulesSet ?? row.at
            guard let left = left(until: phase.at, from: set, notice: settings.remindBefore, now) else { return nil }
            return Reminder(
                key: "\(status.scope) \(phase.rule) \(phase.kind.rawValue) \(phase.at.timeIntervalSince1970)",
                text: "\(status.scope): the rule \(phase.rule) \(phase.kind.words) in \(left)", row: row)
        }
        return phases + (status.isBlocking ? [block(status, row, settings, at: now)].compactMap { $0 } : [])
    }

    /// Before the end of a status that stops an app, or again and again if it has none.
    private static func block(
        _ status: PublishedStatus, _ row: JournalEntry, _ settings: WebhookSettings, at now: Date
    ) -> Reminder? {
        let (scope, base) = (status.scope.description, row.base)
        let (id, at, action) = (base.row ?? row.id, base.at ?? row.at, base.action.rawValue)
        if let end = status.endsAt {
            guard let left = left(until: end, from: at, notice: settings.remindBefore, now) else { return nil }
            return Reminder(key: "\(id) ends", text: "\(scope): the \(action) ends in \(left)", row: row)
        }
        let age = Duration.seconds(now.timeIntervalSince(at))
        guard let after = settings.remindAfter, age >= after else { return nil }
        let text = "\(scope): the \(action) has stood for \(DurationText.text(age))"
        return Reminder(key: "\(id) stands \(Int(age / after))", text: text, row: row)
    }

    /// How long before its end there is a reminder of a token: a day and a week.
    private static let tokenNotices = [Duration.seconds(86_400), .seconds(604_800)]

    static func due(_ token: TokenRecord, at now: Date) -> Reminder? {
        guard token.revokedAt == nil, let end = token.expiresAt,
            let notice = tokenNotices.first(where: { .seconds(end.timeIntervalSince(now)) <= $0 }),
            let left = left(until: end, from: token.createdAt, notice: notice, now)
        else { return nil }
        return Reminder(
            key: "token \(token.name) \(notice.components.seconds)", text: "the token \(token.name) expires in \(left)")
    }

    /// The time until an end, if it is within the notice. Who has just set an end within it needs no reminder.
    private static func left(until end: Date, from start: Date, notice: Duration?, _ now: Date) -> String? {
        let left = Duration.seconds(end.timeIntervalSince(now))
        guard let notice, left > .zero, left <= notice, .seconds(end.timeIntervalSince(start)) > notice else { return nil }
        return DurationText.text(left)
    }
}
