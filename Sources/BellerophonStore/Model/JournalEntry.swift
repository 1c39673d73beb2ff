#if Server
import Foundation

/// One change, as the journal keeps it for good: when, who, what and why.
package struct JournalEntry: Codable, Equatable, Sendable {
    /// Grows with every change.
    package let id: Int64
    /// The wall clock's time when the row was written.
    package let at: Date
    /// How readers see the author: see ``Author/name``.
    package let who: String
    /// `kill`, `update`, `restore`, `resource`, `rollback`, `resource-delete`, `resource-prune`, `token-create` or
    /// `token-revoke`.
    package let action: String
    /// Of a status.
    package let app: String?
    package let channel: String?
    /// Of a resource.
    package let resource: String?
    package let version: Int64?
    /// The version whose bytes a rollback published again.
    package let fromVersion: Int64?
    /// The name of a token.
    package let token: String?
    package let reason: String?
    /// The exact status document.
    package let document: String?
    package let endsAt: Date?
    /// The timed row that this one ends.
    package let ends: Int64?
    /// The date of a status by which clients order statuses. It is later than every earlier status's, and the same as
    /// ``at`` unless a clock was set back; nil for other rows.
    package let published: Date?
    /// Who it was in detail; nil for rows that an older version wrote.
    package let author: Author?
    /// What a caller named its request, so that sending it twice changes nothing twice.
    package let request: String?
    /// The SHA-256 of this row and of the digest of the row before it: see ``JournalChain``. Nil for rows that an older
    /// version wrote.
    package let digest: String?

    /// Whom a status was for.
    package var scope: Scope? {
        guard let app, let channel else { return nil }
        return Scope(checkedApp: app, channel: channel)
    }

    /// How far the order's date is ahead of the clock, in seconds: above zero after a status was published while a clock was
    /// ahead.
    package var datedAhead: TimeInterval { published.map { max(0, $0.timeIntervalSince(at)) } ?? 0 }

    /// What was done to a status; nil for other rows.
    package var statusAction: StatusAction? { document == nil ? nil : StatusAction(rawValue: action) }
}

/// Which rows of the journal are wanted.
package struct JournalFilter: Equatable, Sendable {
    package var app: String?
    package var channel: String?
    package var resource: String?
    /// Rows older than this one.
    package var before: Int64?
    /// 1 to 1000.
    package var limit: Int

    package static let limits = 1...1000

    package init(
        app: String? = nil, channel: String? = nil, resource: String? = nil, before: Int64? = nil, limit: Int = 100
    ) {
        self.app = app
        self.channel = channel
        self.resource = resource
        self.before = before
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    }
}
#endif
