import Foundation

/// A consistent copy of everything that is published.
package struct Snapshot: Sendable {
    /// The ID of the journal's newest row of any kind.
    package let serial: Int64
    /// The effective status of every scope with a publish, and of every app.
    package let statuses: [Scope: PublishedStatus]
    /// The newest rows of scopes that this version can't read: see ``JournalEntry/unread``.
    package let unread: [JournalEntry]
    /// The newest version of each resource.
    package let resources: [String: ResourceVersion]
    /// When time alone changes one of ``statuses`` next: a timed kill or update ends, or a phase of a rule begins.
    package let nextChange: Date?
    /// The tokens that are not revoked, by the SHA-256 of each token: see ``Store/tokenHash(_:)``.
    package let tokens: [String: TokenRecord]
    /// What was known of the shared journal; nil if the store is this machine's alone. The bytes of ``resources`` are not among those
    /// that it says are missing.
    package internal(set) var contact: SharedContact?

    /// - Parameters:
    ///   - newest: the newest row of each scope.
    ///   - resources: the newest version of each resource.
    ///   - now: what time has changed by then is shown, even if the journal has no row of it yet. A kill thus ends, and a window
    ///     begins, in time on a full disk.
    init(
        of catalog: inout Catalog, newest: [Scope: JournalEntry], resources: [ResourceVersion], tokens: [String: TokenRecord],
        at now: Date, contact: SharedContact?
    ) {
        self.contact = contact
        (serial, self.tokens) = (catalog.serial, tokens)
        var shown = newest
        for (scope, row) in newest where row.nextChange.map({ $0 <= now }) ?? false { shown[scope] = row.effective(at: now) }
        let newest = shown
        nextChange = newest.values.compactMap(\.nextChange).min()
        unread = newest.values.filter { $0.unread != nil }.sorted { $0.id < $1.id }
        statuses = catalog.statuses(newest)
        self.resources = Dictionary(resources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Differs from that of another snapshot with the same ``serial`` if the two may differ: see ``SharedContact``.
    package var generation: Int64 { contact?.generation ?? 0 }

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
    /// The row itself, or what time has made of it.
    func effective(at now: Date) -> JournalEntry {
        var row = self
        while let next = row.due(by: now, at: nil) { row = next.unwritten(after: row) }
        return row
    }

    /// The row as it is shown before the journal has it.
    func unwritten(after row: JournalEntry?) -> JournalEntry {
        var entry = self
        entry.id = row?.id ?? 0
        // Later than the former row's date, which may be ahead of the clock.
        let published = max(at.milliseconds, row.map { ($0.published ?? $0.at).milliseconds + 1 } ?? 0)
        entry.published = Date(milliseconds: published)
        return entry
    }
}

extension PublishedStatus {
    /// A kill of the channel or of its app, otherwise the channel's own update, otherwise its app's status.
    /// - Parameters:
    ///   - own: the newest row of the channel.
    ///   - app: the newest row of the app.
    package convenience init(_ scope: Scope, own: JournalEntry?, app: JournalEntry?) {
        let rows = [own, app].compactMap(\.self)
        let stop = rows.first { $0.base.action == .kill } ?? rows.first(where: \.isBlocking)
        guard let shown = stop ?? rows.last, var document = shown.document else {
            self.init(initial: scope)
            return
        }
        // Each row of the app or the channel counts, so that neither the number nor the date ever goes back.
        let change = rows.max { $0.id < $1.id } ?? shown
        // A channel has its app's rules and its own. Those of the shown row are in its document.
        if scope != scope.wholeApp, shown.scope == scope ? app?.hasRules ?? false : own?.hasRules ?? false {
            document = PlanRendering([app, own].compactMap(\.self), base: shown.base).document
        }
        // The shown status may have ended later: every change of content gets a later date.
        self.init(
            scope: scope, serial: change.id, publishedAt: max(change.published ?? change.at, shown.published ?? shown.at),
            body: Data(document.utf8),
            endsAt: shown.endsAt, nextChange: [own?.nextChange, app?.nextChange].compactMap(\.self).min(), entry: shown,
            newest: own)
    }
}
