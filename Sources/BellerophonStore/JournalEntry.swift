#if Server
public import Foundation

/// One change, as the journal keeps it for good: when, who, what and why.
public struct JournalEntry: Codable, Equatable, Sendable {
    /// Grows with every change.
    public let id: Int64
    public let at: Date
    public let who: String
    /// `kill`, `update`, `restore`, `resource`, `rollback`, `token-create` or `token-revoke`.
    public let action: String
    /// Of a status.
    public let app: String?
    public let channel: String?
    /// Of a resource.
    public let resource: String?
    public let version: Int64?
    /// The version whose bytes a rollback published again.
    public let fromVersion: Int64?
    /// The name of a token.
    public let token: String?
    public let reason: String?
    /// The exact status document.
    public let document: String?
    public let endsAt: Date?
    /// The timed row that this one ends.
    public let ends: Int64?

    /// Whom a status was for.
    public var scope: Scope? {
        guard let app, let channel else { return nil }
        return Scope(checkedApp: app, channel: channel)
    }

    /// What was done to a status; nil for other rows.
    public var statusAction: StatusAction? { document == nil ? nil : StatusAction(rawValue: action) }
}

/// Which rows of the journal are wanted.
public struct JournalFilter: Equatable, Sendable {
    public var app: String?
    public var channel: String?
    public var resource: String?
    /// Rows older than this one.
    public var before: Int64?
    /// 1 to 1000.
    public var limit: Int

    public static let limits = 1...1000

    public init(
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
