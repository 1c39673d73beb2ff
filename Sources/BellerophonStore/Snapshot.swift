#if Server
import Foundation

/// Everything that is published at one moment.
public struct Snapshot: Sendable {
    /// The id of the journal's newest row, of whatever kind.
    public let serial: Int64
    /// The effective status of every scope that something was published for, and of every app.
    public let statuses: [Scope: PublishedStatus]
    /// The newest version of each resource.
    public let resources: [String: ResourceVersion]

    /// - Parameter newest: the newest row of each scope.
    init(serial: Int64, newest: [Scope: JournalEntry], resources: [ResourceVersion]) {
        self.serial = serial
        var statuses: [Scope: PublishedStatus] = [:]
        for scope in Set(newest.keys).union(newest.keys.map(\.wholeApp)).union([.main]) {
            statuses[scope] = PublishedStatus(scope, own: newest[scope], app: newest[scope.wholeApp])
        }
        self.statuses = statuses
        self.resources = Dictionary(resources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The effective status; nil where nothing was published for that app yet.
    ///
    /// A channel that nobody published for shows its app's.
    public func status(for scope: Scope) -> PublishedStatus? {
        if let status = statuses[scope] { return status }
        guard let app = statuses[scope.wholeApp] else { return nil }
        return PublishedStatus(scope, own: nil, app: app.entry)
    }
}

extension PublishedStatus {
    /// The channel's own status if that blocks, else its app's.
    /// - Parameters:
    ///   - own: the newest row of the channel.
    ///   - app: the newest row of the app.
    public init(_ scope: Scope, own: JournalEntry?, app: JournalEntry?) {
        let isOwn = own.map(\.isBlocking) ?? false
        guard let shown = isOwn ? own : app ?? own, let document = shown.document else {
            self.init(initial: scope)
            return
        }
        // A channel that was restored shows its app's status from then on.
        let change = isOwn || (own?.id ?? 0) < shown.id ? shown : own ?? shown
        self.init(
            scope: scope, serial: change.id, publishedAt: change.at, body: Data(document.utf8),
            endsAt: shown.endsAt, entry: shown
        )
    }
}
#endif
