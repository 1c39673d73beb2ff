#if Server
import Foundation

/// A consistent copy of everything that is published.
package struct Snapshot: Sendable {
    /// The ID of the journal's newest row of any kind.
    package let serial: Int64
    /// The effective status of every scope with a publish, and of every app.
    package let statuses: [Scope: PublishedStatus]
    /// The newest version of each resource.
    package let resources: [String: ResourceVersion]
    /// When the next timed kill or update in ``statuses`` ends.
    package let nextEnd: Date?
    /// The tokens that are not revoked, by the SHA-256 of each token: see ``Store/tokenHash(_:)``.
    package let tokens: [String: KnownToken]
    /// Differs from that of another snapshot with the same ``serial`` if the two may differ: see ``SharedContact``.
    package let generation: Int64

    /// - Parameters:
    ///   - newest: the newest row of each scope.
    ///   - now: a timed status that has ended by then is shown as restored, even if the journal has no row of it yet. A
    ///     kill thus ends in time on a full disk.
    init(
        serial: Int64, newest: [Scope: JournalEntry], resources: [ResourceVersion], tokens: [String: KnownToken] = [:],
        at now: Date, generation: Int64 = 0
    ) {
        self.generation = generation
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

    /// The effective status; nil if nothing was published for the app.
    ///
    /// A channel without a publish has its app's status.
    package func status(for scope: Scope) -> PublishedStatus? {
        if let status = statuses[scope] { return status }
        guard let app = statuses[scope.wholeApp] else { return nil }
        return PublishedStatus(scope, own: nil, app: app.entry)
    }
}

extension JournalEntry {
    /// The row itself, or its restored form if its time is over.
    func effective(at now: Date) -> JournalEntry {
        guard let endsAt, endsAt <= now else { return self }
        let end = JournalTable.Draft(endOf: self, at: endsAt)
        // Later than the row's own date, which may be ahead of the clock.
        let published = max(endsAt.milliseconds, (published ?? at).milliseconds + 1)
        return JournalEntry(
            id: id, at: endsAt, who: end.author.name, action: end.action, app: app, channel: channel, resource: nil,
            version: nil, fromVersion: nil, token: nil, reason: end.reason, document: end.document, endsAt: nil, ends: id,
            published: Date(milliseconds: published), author: end.author, request: nil, proposal: nil, proposedBy: nil,
            subject: nil, breakGlass: nil, digest: nil
        )
    }
}

extension PublishedStatus {
    /// The channel's own status if it blocks, otherwise its app's.
    /// - Parameters:
    ///   - own: the newest row of the channel.
    ///   - app: the newest row of the app.
    package init(_ scope: Scope, own: JournalEntry?, app: JournalEntry?) {
        let isOwn = own.map(\.isBlocking) ?? false
        guard let shown = isOwn ? own : app ?? own, let document = shown.document else {
            self.init(initial: scope)
            return
        }
        // A restored channel shows its app's status from then on.
        let change = isOwn || (own?.id ?? 0) < shown.id ? shown : own ?? shown
        // The shown status may have ended later: every change of content gets a later date.
        self.init(
            scope: scope, serial: change.id, publishedAt: max(change.published ?? change.at, shown.published ?? shown.at),
            body: Data(document.utf8),
            endsAt: shown.endsAt, entry: shown
        )
    }
}
#endif
