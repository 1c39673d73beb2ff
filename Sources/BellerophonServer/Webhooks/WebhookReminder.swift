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
        return phases(row, status.scope, settings, at: now) + ends(status, row, settings, at: now)
    }

    /// Before a rule is announced, begins or ends.
    private static func phases(
        _ row: JournalEntry, _ scope: Scope, _ settings: WebhookSettings, at now: Date
    ) -> [Reminder] {
        guard let before = settings.remindBefore.map({ Double($0.components.seconds) }) else { return [] }
        return (row.plan?.phases ?? []).compactMap { phase in
            let left = phase.at.timeIntervalSince(now)
            // Who has just published it needs no reminder.
            guard left > 0, left <= before, phase.at.timeIntervalSince(row.plan?.rulesSet ?? row.at) > before else { return nil }
            return Reminder(
                key: "\(scope) \(phase.rule) \(phase.kind.rawValue) \(phase.at.timeIntervalSince1970)",
                text: "\(scope): the rule \(phase.rule) \(phase.kind.words) in \(DurationText.text(.seconds(left)))", row: row)
        }
    }

    private static func ends(
        _ status: PublishedStatus, _ row: JournalEntry, _ settings: WebhookSettings, at now: Date
    ) -> [Reminder] {
        guard status.isBlocking else { return [] }
        let (scope, base) = (status.scope.description, row.base)
        let (id, at, action) = (base.row ?? row.id, base.at ?? row.at, base.action.rawValue)
        if let end = status.endsAt, let before = settings.remindBefore {
            let (left, notice) = (end.timeIntervalSince(now), Double(before.components.seconds))
            // Who has just published a short one needs no reminder.
            guard left > 0, left <= notice, end.timeIntervalSince(at) > notice else { return [] }
            let text = "\(scope): the \(action) ends in \(DurationText.text(.seconds(left)))"
            return [Reminder(key: "\(id) ends", text: text, row: row)]
        }
        guard status.endsAt == nil, let after = settings.remindAfter else { return [] }
        let age = now.timeIntervalSince(at)
        let times = Int(age / Double(after.components.seconds))
        guard times >= 1 else { return [] }
        let text = "\(scope): the \(action) has stood for \(DurationText.text(.seconds(age)))"
        return [Reminder(key: "\(id) stands \(times)", text: text, row: row)]
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
