#if Server
import BellerophonBase
import Foundation

extension Store {
    /// Publishes a status.
    /// - Parameters:
    ///   - author: the author in the journal.
    ///   - request: the caller's key for this request; a repeated request is performed only once.
    ///   - createsApp: false refuses an app without any publish, except the default app, and a channel without any publish, except
    ///     `main`, so that a mistyped name does not leave the intended app or channel running.
    ///   - breaksGlass: publishes a kill that takes two persons by one: see ``ApprovalRule``.
    ///   - seen: the ID of the scope's newest row that the author has seen, 0 for none: see ``newestRow(of:)``. With another
    ///     newest row, what would let more programs run than that row does is refused. Nil does not check.
    /// - Returns: the journal's row, which is durable. A task that is cancelled before the row is committed publishes nothing.
    /// - Throws: ``StoreError``, of kind `needsApproval` if a second person is needed, and of kind `overtaken` if another status
    ///   was published since the author looked.
    package func publish(
        _ publication: Publication, by author: Author, request: RequestKey? = nil, createsApp: Bool = true,
        breaksGlass: Bool = false, follows seen: Int64? = nil
    ) async throws(StoreError) -> JournalEntry {
        try publication.validate()
        if breaksGlass { try publication.checkBreakingGlass() }
        return try await database.write { [self] database in
            let journal = JournalTable(database: database)
            try endDue(of: publication.scope, in: journal)
            // The time is that of the change, and not of the request, which may have waited.
            var draft = draft(publication, author: author, request: request, at: now)
            if let request, let row = try journal.row(of: request.text) { return try row.confirmed(as: draft) }
            if !createsApp { try journal.checkKnown(publication.scope) }
            if seen != nil {
                try publication.check(follows: seen, newest: try journal.newestRow(of: publication.scope), end: draft.endsAt)
            }
            try checkEnd(of: draft, in: journal)
            if try ApprovalRule.stored(in: database).covers(publication.scope) {
                guard breaksGlass else { throw ApprovalRule.refusal(of: publication) }
                draft.isBreakGlass = true
            }
            return try journal.append(draft)
        }
    }

    /// The status that publishing would produce; nothing is changed.
    /// - Parameter createsApp: see ``publish(_:by:request:createsApp:)``.
    package func preview(_ publication: Publication, createsApp: Bool = true) throws(StoreError) -> PublishedStatus {
        try publication.validate()
        if !createsApp { try database.read { try JournalTable(database: $0).checkKnown(publication.scope) } }
        let draft = draft(publication, author: .server, request: nil, at: now)
        return PublishedStatus(
            scope: publication.scope, serial: 0, publishedAt: draft.at, body: Data(publication.document.utf8),
            endsAt: draft.endsAt, entry: nil
        )
    }

    /// A consistent copy of everything that is published now.
    package func snapshot() throws(StoreError) -> Snapshot {
        // In a shared store, a timed kill is over when the journal says so. What this server has not heard of may have
        // prolonged it.
        let now = isShared ? .distantPast : endTime
        // What the copy does not have is read first: rows that it takes meanwhile are then in one of the two.
        let contact = sharedContact
        let pending = database.shared?.pending
        return try database.readServed { database in
            let journal = JournalTable(database: database)
            let (serial, newest) = (try journal.serial(), try journal.newestByScope())
            return Snapshot(
                serial: serial, newest: pending?.merged(with: newest, upTo: serial) ?? newest,
                resources: try ResourceTable(database: database).newest(without: contact?.missing ?? []),
                tokens: try TokenTable(database: database).active(), at: now, generation: contact?.generation ?? 0
            )
        }
    }

    /// The effective status; nil if nothing was published for the app.
    package func status(_ scope: Scope) throws(StoreError) -> PublishedStatus? {
        try snapshot().status(for: scope)
    }

    /// The ID of the newest row of a scope; 0 if nothing was published for it. Its author has seen it who publishes after it.
    package func newestRow(of scope: Scope) throws(StoreError) -> Int64 {
        try database.read { try JournalTable(database: $0).newest(of: scope) ?? 0 }
    }

    /// Rows of the journal, newest first, or oldest first after a row.
    package func journal(_ filter: JournalFilter = JournalFilter()) throws(StoreError) -> [JournalEntry] {
        var search = JournalSearch(filter)
        while !search.isComplete { try step(&search) }
        return search.rows
    }

    /// Every app, and every channel with a publish.
    package func scopes() throws(StoreError) -> Set<Scope> {
        let scopes = try database.readList { try JournalTable(database: $0).newestByScope().keys }
        return Set(scopes).union(scopes.map(\.wholeApp)).union([.main])
    }

    /// When the next timed kill or update ends; in the past while the journal has no row of that end.
    package func nextEnd() throws(StoreError) -> Date? {
        try database.read { database in
            try JournalTable(database: database).newestByScope().values.compactMap(\.endsAt).min()
        }
    }

    /// Ends the timed kills and updates whose time is over, and restores their apps and channels.
    ///
    /// A change of a status does so for its scope. Call this to have the rows of all ends, such as before the journal is read.
    /// - Returns: the added rows. Several processes may call this concurrently.
    package func endDue() async throws(StoreError) -> [JournalEntry] {
        guard let next = try nextEnd(), next <= endTime else { return [] }
        return try await database.write { [self] database in
            let journal = JournalTable(database: database)
            return try end(Array(journal.newestByScope().values), in: journal)
        }
    }

    /// Ends a timed kill or update of a scope before it is changed, if its time is over.
    func endDue(of scope: Scope, in journal: JournalTable) throws {
        if let newest = try journal.newestRow(of: scope) { _ = try end([newest], in: journal) }
    }

    /// - Parameter rows: the newest rows of scopes.
    private func end(_ rows: [JournalEntry], in journal: JournalTable) throws -> [JournalEntry] {
        // The clock of the database was read anew for this change.
        let (reached, now) = (endTime, now)
        let due = rows.filter { $0.endsAt.map { $0 <= reached } ?? false }.sorted { $0.id < $1.id }
        return try due.map { try journal.append(JournalTable.Draft(endOf: $0, at: now)) }
    }

    func draft(_ publication: Publication, author: Author, request: RequestKey?, at now: Date) -> JournalTable.Draft {
        JournalTable.Draft(
            at: now, author: author, action: publication.action.rawValue, scope: publication.scope,
            reason: StoreText.note(publication.reason), document: publication.document,
            endsAt: publication.endsAfter.map { Date(milliseconds: now.milliseconds + $0.milliseconds) }, request: request?.text
        )
    }
}

extension JournalTable {
    /// - Throws: ``StoreError`` of kind `notFound` for an app or a channel without any publish.
    func checkKnown(_ scope: Scope) throws {
        guard try scope.app == Scope.defaultApp || hasApp(scope.app) else {
            let known = Set(try newestByScope().keys.map(\.app)).union([Scope.defaultApp])
            throw Self.unknown("an app \(JSONText.quoted(scope.app))", known, "a new app")
        }
        guard try !scope.isMain && newest(of: scope) == nil else { return }
        let known = Set(try newestByScope().keys.filter { $0.app == scope.app }.map(\.channel)).union([Scope.mainChannel])
        throw Self.unknown("a channel \(JSONText.quoted(scope.channel)) of \(scope.app)", known, "a new channel")
    }

    private static func unknown(_ what: String, _ known: Set<String>, _ new: String) -> StoreError {
        StoreError(
            .notFound, "nothing was ever published for \(what); nothing was published now",
            hint:
                "known are \(known.sorted().prefix(10).joined(separator: ", ")); \(new) has to be asked for: --new, or ?new=true"
        )
    }
}

extension JournalEntry {
    /// The row of an earlier request with the same key, if the content is the same.
    func confirmed(as draft: JournalTable.Draft) throws -> JournalEntry {
        guard scope == draft.scope, action == draft.action, document == draft.document, reason == draft.reason,
            proposal == draft.proposal,
            lifetime == draft.endsAt?.milliseconds.advanced(by: -Int(draft.at.milliseconds))
        else {
            throw RequestKey.reused(draft.request ?? "", row: id)
        }
        return self
    }

    /// The milliseconds for which a timed kill or update is effective.
    private var lifetime: Int64? { endsAt?.milliseconds.advanced(by: -Int(at.milliseconds)) }
}

extension JournalTable.Draft {
    /// A row that restores a timed kill or update.
    init(endOf entry: JournalEntry, at now: Date) {
        let scope = entry.scope ?? .main
        self.init(
            at: now, author: .server, action: StatusAction.restore.rawValue, scope: scope,
            reason: "the time of #\(entry.id) is over", document: Publication(scope: scope, action: .restore).document,
            ends: entry.id
        )
    }
}
#endif
