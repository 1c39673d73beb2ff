#if Server
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
