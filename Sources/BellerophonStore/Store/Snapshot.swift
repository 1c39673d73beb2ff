#if Server
import Foundation

/// Everything that is published at one moment.
package struct Snapshot: Sendable {
    /// The id of the journal's newest row, of whatever kind.
    package let serial: Int64
    /// The effective status of every scope that something was published for, and of every app.
    package let statuses: [Scope: PublishedStatus]
    /// The newest version of each resource.
    package let resources: [String: ResourceVersion]
    /// When the next timed kill or update ends that these have.
    package let nextEnd: Date?
    /// The names of the tokens that are not revoked, by the SHA-256 of each token: see ``Store/tokenHash(_:)``.
    package let tokens: [String: String]

    /// - Parameters:
    ///   - newest: the newest row of each scope.
    ///   - now: what ended by then is shown as restored, whether or not the journal has the row of that: a kill ends
    ///     in time even where the disk is full.
    init(
        serial: Int64, newest: [Scope: JournalEntry], resources: [ResourceVersion], tokens: [String: String] = [:], at now: Date
    ) {
        self.tokens = tokens
        let newest = newest.mapValues { $0.effective(at: now) }
        self.serial = serial
        nextEnd = newest.values.compactMap(\.endsAt).min()
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
    package func status(for scope: Scope) -> PublishedStatus? {
        if let status = statuses[scope] { return status }
        guard let app = statuses[scope.wholeApp] else { return nil }
        return PublishedStatus(scope, own: nil, app: app.entry)
    }
}

extension JournalEntry {
    /// The row itself, or once its time is over what restores it.
    func effective(at now: Date) -> JournalEntry {
        guard let endsAt, endsAt <= now else { return self }
        let end = JournalTable.Draft(endOf: self, at: endsAt)
        // After the row's own date, also where that is later than the clock was.
        let published = max(endsAt.milliseconds, (published ?? at).milliseconds + 1)
        return JournalEntry(
            id: id, at: endsAt, who: end.author.name, action: end.action, app: app, channel: channel, resource: nil,
            version: nil, fromVersion: nil, token: nil, reason: end.reason, document: end.document, endsAt: nil, ends: id,
            published: Date(milliseconds: published), author: end.author, request: nil, digest: nil
        )
    }
}

extension PublishedStatus {
    /// The channel's own status if that blocks, else its app's.
    /// - Parameters:
    ///   - own: the newest row of the channel.
    ///   - app: the newest row of the app.
    package init(_ scope: Scope, own: JournalEntry?, app: JournalEntry?) {
        let isOwn = own.map(\.isBlocking) ?? false
        guard let shown = isOwn ? own : app ?? own, let document = shown.document else {
            self.init(initial: scope)
            return
        }
        // A channel that was restored shows its app's status from then on.
        let change = isOwn || (own?.id ?? 0) < shown.id ? shown : own ?? shown
        // What is shown may have ended after that: every change of content has a later date.
        self.init(
            scope: scope, serial: change.id, publishedAt: max(change.published ?? change.at, shown.published ?? shown.at),
            body: Data(document.utf8),
            endsAt: shown.endsAt, entry: shown
        )
    }
}
#endif
