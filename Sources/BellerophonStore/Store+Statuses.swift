#if Server
public import Foundation

extension Store {
    /// Publishes a status.
    /// - Parameter who: for the journal.
    /// - Returns: the journal's row; it is on the disk.
    public func publish(_ publication: Publication, by who: String) async throws(StoreError) -> JournalEntry {
        try publication.validate()
        let draft = draft(publication, who: StoreText.who(who), at: now)
        return try await database.write { try JournalTable(database: $0).append(draft) }
    }

    /// What publishing would put on the wire; nothing is changed.
    public func preview(_ publication: Publication) throws(StoreError) -> PublishedStatus {
        try publication.validate()
        let draft = draft(publication, who: "", at: now)
        return PublishedStatus(
            scope: publication.scope, serial: 0, publishedAt: draft.at, body: Data(publication.document.utf8),
            endsAt: draft.endsAt, entry: nil
        )
    }

    /// Everything that is published, at one moment: now.
    public func snapshot() throws(StoreError) -> Snapshot {
        let now = now
        return try database.read { database in
            let journal = JournalTable(database: database)
            return Snapshot(
                serial: try journal.serial(), newest: try journal.newestByScope(),
                resources: try ResourceTable(database: database).newest(), at: now
            )
        }
    }

    /// The effective status; nil where nothing was published for that app yet.
    public func status(_ scope: Scope) throws(StoreError) -> PublishedStatus? {
        try snapshot().status(for: scope)
    }

    /// Rows of the journal, newest first.
    public func journal(_ filter: JournalFilter = JournalFilter()) throws(StoreError) -> [JournalEntry] {
        try database.read { try JournalTable(database: $0).rows(matching: filter) }
    }

    /// When the next timed kill or update ends, or ended where the journal has no row of that yet.
    public func nextEnd() throws(StoreError) -> Date? {
        try database.read { database in
            try JournalTable(database: database).newestByScope().values.compactMap(\.endsAt).min()
        }
    }

    /// Restores what a timed kill or update stopped and whose time is over.
    /// - Returns: the rows that were added; several processes may call this at once.
    public func endDue() async throws(StoreError) -> [JournalEntry] {
        let now = now
        guard let next = try nextEnd(), next <= now else { return [] }
        return try await database.write { database in
            let journal = JournalTable(database: database)
            let due = try journal.newestByScope().values
                .filter { $0.endsAt.map { $0 <= now } ?? false }
                .sorted { $0.id < $1.id }
            return try due.map { try journal.append(JournalTable.Draft(endOf: $0, at: now)) }
        }
    }

    private func draft(_ publication: Publication, who: String, at now: Date) -> JournalTable.Draft {
        JournalTable.Draft(
            at: now, who: who, action: publication.action.rawValue, scope: publication.scope,
            reason: StoreText.note(publication.reason), document: publication.document,
            endsAt: publication.endsAfter.map { Date(milliseconds: now.milliseconds + $0.milliseconds) }
        )
    }
}

extension JournalTable.Draft {
    /// What restores a timed kill or update.
    init(endOf entry: JournalEntry, at now: Date) {
        let scope = entry.scope ?? .main
        self.init(
            at: now, who: "bellerophon-server", action: StatusAction.restore.rawValue, scope: scope,
            reason: "the time of #\(entry.id) is over", document: Publication(scope: scope, action: .restore).document,
            ends: entry.id
        )
    }
}
#endif
