import Foundation

/// One change in the journal: when, who, what and why. Without ``digest`` it is not written yet.
package struct JournalEntry: Codable, Equatable, Sendable {
    /// Increases with every change. For a row that is not written yet it is that of the row before it, or 0.
    package internal(set) var id: Int64 = 0
    /// The clock's time when the row was written.
    package let at: Date
    /// The author's display name: see ``Author/name``.
    package let who: String
    /// `kill`, `update`, `restore`, `rules`, `phase`, `end`, `propose`, `reject`, `approval-rule`, `resource`, `rollback`,
    /// `resource-delete`, `resource-prune`, `token-create` or `token-revoke`.
    package let action: String
    /// The app of a status.
    package private(set) var app: String?
    package private(set) var channel: String?
    /// The name of a resource.
    package private(set) var resource: String?
    package private(set) var version: Int64?
    /// The version whose bytes a rollback published again.
    package private(set) var fromVersion: Int64?
    /// The name of a token.
    package private(set) var token: String?
    package private(set) var reason: String?
    /// The exact status document, published or proposed.
    package internal(set) var document: String?
    package internal(set) var endsAt: Date?
    /// The ID of the timed row that this row ends.
    package private(set) var ends: Int64?
    /// The date by which clients order statuses. It is later than that of every earlier status, and equals ``at``
    /// unless a clock was set back; nil for other rows.
    package internal(set) var published: Date?
    /// The author's details; nil if they can't be read.
    package private(set) var author: Author?
    /// The caller's key of the request, which prevents a repeated request from being performed twice.
    package private(set) var request: String?
    /// The ID of the proposal that this row carries out or rejects.
    package internal(set) var proposal: Int64?
    /// Who proposed what this row publishes.
    package internal(set) var proposedBy: String?
    /// What a proposal is about, or a rejected one was, such as `default/main kill` or `approval-rule`.
    package private(set) var subject: String?
    /// Whether one person published a kill that takes two: see ``ApprovalRule``. Nil for other rows.
    package internal(set) var breakGlass: Bool?
    /// The rules of a status, with the rest of it; nil for a status without rules, and for other rows.
    package internal(set) var plan: RowPlan?
    /// The SHA-256 of this row and of the previous row's digest: see ``JournalChain``. Nil for a row that is not written yet.
    package private(set) var digest: String?
    /// Why this version can't read what the row of a status says, which a newer version has written or which is damaged; nil if it
    /// can. Its ``document`` is served as it is, and its scope can't be changed: see ``checkRead()``.
    package var unread: String?

    /// The scope of a status.
    package var scope: Scope? {
        guard let app, let channel else { return nil }
        return Scope(checkedApp: app, channel: channel)
    }

    /// By how many seconds ``published`` is ahead of the clock. It is above zero after a status was published while a
    /// clock was ahead.
    package var datedAhead: TimeInterval { published.map { max(0, $0.timeIntervalSince(at)) } ?? 0 }

    /// The action of a status; nil for other rows.
    package var statusAction: StatusAction? { document == nil ? nil : StatusAction(rawValue: action) }

    /// The app and channel of a status, published or proposed.
    package var subjectScope: Scope? {
        if let scope { return scope }
        guard let parts = subject?.split(separator: " ").first?.split(separator: "/"), parts.count == 2 else { return nil }
        return Scope(checkedApp: String(parts[0]), channel: String(parts[1]))
    }
}

/// Selects rows of the journal.
package struct JournalFilter: Equatable, Sendable {
    /// Only rows about one of these apps; nil for all rows.
    package var apps: Set<String>?
    package var app: String?
    package var channel: String?
    package var resource: String?
    /// Only rows older than this ID.
    package var before: Int64?
    /// Only rows newer than this ID, the oldest first; nil for the newest first.
    package var after: Int64?
    /// Only rows from this time on.
    package var since: Date?
    /// 1 to 1000.
    package var limit: Int

    package static let limits = 1...1000

    package init(
        app: String? = nil, channel: String? = nil, resource: String? = nil, before: Int64? = nil, after: Int64? = nil,
        since: Date? = nil, limit: Int = 100
    ) {
        self.app = app
        self.channel = channel
        self.resource = resource
        self.before = before
        self.after = after
        self.since = since
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    }

    var isOldestFirst: Bool { after != nil }
}
