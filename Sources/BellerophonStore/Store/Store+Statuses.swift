import BellerophonBase
import Foundation
import StatusModel

extension Store {
    /// Publishes a status.
    /// - Parameters:
    ///   - author: the author in the journal. If it is a token, it needs a scope for statuses, or for rules if only rules for some
    ///     change.
    ///   - request: the caller's key for this request; a repeated request is performed only once.
    ///   - createsApp: false refuses an app without any publish, except the default app, and a channel without any publish, except
    ///     `main`, so that a mistyped name does not leave the intended app or channel running.
    ///   - breaksGlass: publishes a kill that takes two persons by one: see ``ApprovalRule``.
    ///   - seen: the ID of the scope's newest row that the author has seen, 0 for none. With another
    ///     newest row, what would let more programs run than that row does is refused. Nil does not check.
    /// - Returns: the journal's row, which is durable. A task that is cancelled before the row is committed publishes nothing.
    /// - Throws: ``StoreError``, of kind `needsApproval` if a second person is needed, of kind `overtaken` if another status was
    ///   published since the author looked, of kind `standing` if a kill or an update has to be named that it would weaken, and for a
    ///   token as ``checkedToken(of:for:in:)``.
    package func publish(
        _ publication: Publication, by author: Author, request: RequestKey? = nil, createsApp: Bool = true,
        breaksGlass: Bool = false, follows seen: Int64? = nil
    ) async throws(StoreError) -> JournalEntry {
        try publication.validate()
        if breaksGlass { try publication.checkBreakingGlass() }
        let checked = try checkedPlan(publication, request)
        // A restore does not wait longer than the kill that comes after it.
        let isUrgent = publication.action == .kill || publication.action == .restore
        return try await database.write(isUrgent: isUrgent) { [self] database in
            let journal = JournalTable(database: database)
            let token = try checkedToken(of: author, for: .rules(publication.scope), in: database)
            if let request, let row = try journal.row(of: request.text) {
                return try row.confirmed(as: publication, proposal: nil, request: request)
            }
            try writeDue(of: publication.scope, in: journal)
            if !createsApp { try journal.checkKnown(publication.scope) }
            let draft = try decision(publication, by: author, token, request: request, in: journal).publish(
                follows: seen, breaksGlass: breaksGlass, checked: checked, rule: ApprovalRule.stored(in: database))
            return try journal.append(draft)
        }
    }

    /// The status that publishing would produce; nothing is changed.
    /// - Parameters:
    ///   - author: who would publish it: see ``publish(_:by:request:createsApp:breaksGlass:follows:)``.
    ///   - createsApp: see there.
    ///   - breaksGlass: see there.
    package func preview(
        _ publication: Publication, by author: Author = .server, createsApp: Bool = true, breaksGlass: Bool = false
    ) throws(StoreError) -> PublishedStatus {
        try publication.validate()
        if breaksGlass { try publication.checkBreakingGlass() }
        var decision = try database.read { database in
            let journal = JournalTable(database: database)
            let token = try checkedToken(of: author, for: .rules(publication.scope), in: database)
            if !createsApp { try journal.checkKnown(publication.scope) }
            return try self.decision(publication, by: author, token, in: journal).effective
        }
        if breaksGlass { decision.newest = decision.newest?.ifRead }
        let draft = try decision.asked().row
        let row = draft.unwritten(after: decision.newest)
        // A channel gets its app's rules too. The rest is what is to be published, even where its app's kill is shown now.
        let body =
            decision.app.flatMap { $0.hasRules ? PlanRendering([$0, row], base: row.base).document : nil } ?? draft.document ?? ""
        return PublishedStatus(
            scope: publication.scope, serial: 0, publishedAt: draft.at, body: Data(body.utf8), endsAt: draft.endsAt, entry: nil)
    }

    /// A consistent copy of everything that is published now.
    package func snapshot() throws(StoreError) -> Snapshot {
        // In a shared store, a timed kill is over when the journal says so. What this server has not heard of may have
        // prolonged it.
        let now = isShared ? .distantPast : endTime
        // What the copy does not have is read first: rows that it takes meanwhile are then in one of the two.
        var contact = sharedContact
        let pending = database.shared?.known.pending
        return try database.readServed { [self] database in
            // Bytes are missing before the copy has a row that names them.
            contact?.missing = sharedContact?.missing ?? []
            return try withCatalog(database) { catalog in
                let newest = pending?.merged(with: catalog.newest, upTo: catalog.serial) ?? catalog.newest
                let resources = try catalog.resources(without: contact?.missing ?? [], database)
                let tokens = try catalog.tokens(database)
                return Snapshot(
                    of: &catalog, newest: newest, resources: resources, tokens: tokens, at: now, contact: contact)
            }
        }
    }

    /// The effective status; nil if nothing was published for the app.
    package func status(_ scope: Scope) throws(StoreError) -> PublishedStatus? {
        // What waits for a standby concerns any scope.
        guard database.shared?.known.pending == nil else { return try snapshot().status(for: scope) }
        let now = isShared ? .distantPast : endTime
        return try database.readServed { database in
            let journal = JournalTable(database: database)
            let own = try journal.newestRow(of: scope)?.effective(at: now)
            let app = scope.isMain ? own : try journal.newestRow(of: scope.wholeApp)?.effective(at: now)
            guard try own != nil || app != nil || scope.app == Scope.defaultApp || journal.hasApp(scope.app) else { return nil }
            return PublishedStatus(scope, own: own, app: app)
        }
    }

    /// Rows of the journal, newest first, or oldest first after a row.
    package func journal(_ filter: JournalFilter = JournalFilter()) throws(StoreError) -> [JournalEntry] {
        var search = JournalSearch(filter)
        while !search.isComplete { try step(&search) }
        return search.rows
    }

    /// When time alone changes a status next: a timed kill or update ends, or a phase of a rule begins. In the past while the journal
    /// has no row of that.
    package func nextChange() throws(StoreError) -> Date? { try nextChange(of: nil) }

    /// The same for one scope and its app; nil for any scope.
    private func nextChange(of scope: Scope?) throws(StoreError) -> Date? {
        try database.read { database in
            try withCatalog(database) { catalog in
                let rows = scope.map { [catalog.newest[$0], catalog.newest[$0.wholeApp]] } ?? Array(catalog.newest.values)
                return rows.compactMap { $0?.nextChange }.min()
            }
        }
    }

    /// Writes the rows of what time alone has changed: the ends of timed kills and updates, and the phases of rules, in their order.
    ///
    /// A change of a status does so for its scope. Call this to have all rows, such as before the journal is read.
    /// - Returns: the added rows. Several processes may call this concurrently.
    package func writeDue() async throws(StoreError) -> [JournalEntry] { try await writeDue(of: nil) }

    /// The same, unless nothing is due of a scope and its app; nil for any scope.
    package func writeDue(of scope: Scope?) async throws(StoreError) -> [JournalEntry] {
        guard let next = try nextChange(of: scope), next <= endTime else { return [] }
        return try await database.write { [self] database in
            let journal = JournalTable(database: database)
            return try writeDue(after: Array(journal.newestByScope().values), in: journal)
        }
    }

    /// Writes the rows of what time alone has changed in a scope, before it is changed.
    func writeDue(of scope: Scope, in journal: JournalTable) throws {
        if let newest = try journal.newestRow(of: scope) { _ = try writeDue(after: [newest], in: journal) }
    }

    /// - Parameter rows: the newest rows of scopes.
    private func writeDue(after rows: [JournalEntry], in journal: JournalTable) throws -> [JournalEntry] {
        // The clock of the database was read anew for this change.
        let (reached, now) = (endTime, now)
        var (newest, written) = (rows, [JournalEntry]())
        // In the order of time, over all scopes.
        func isEarlier(_ one: JournalEntry, _ other: JournalEntry) -> Bool {
            (one.nextChange ?? .distantFuture, one.id) < (other.nextChange ?? .distantFuture, other.id)
        }
        while let index = newest.indices.min(by: { isEarlier(newest[$0], newest[$1]) }),
            let draft = newest[index].due(by: reached, at: now)
        {
            newest[index] = try journal.append(draft)
            written.append(newest[index])
        }
        return written
    }

    /// Looks at the plan before a change begins, so that no kill waits for that.
    /// - Returns: the document without errors; nil if the rules of the scope have to be looked at in the change.
    func checkedPlan(_ publication: Publication, _ request: RequestKey?) throws(StoreError) -> String? {
        guard publication.action == .rules else { return nil }
        let decision = try database.read { database -> StatusDecision? in
            let journal = JournalTable(database: database)
            // A repeated request changes nothing, whatever its rules mean now.
            if let request, try journal.row(of: request.text) != nil { return nil }
            return try self.decision(publication, by: .server, in: journal).effective
        }
        // What is wrong with rules that are not there any more is said in the change.
        guard let draft = (try? decision?.draft())?.row else { return nil }
        try publication.checkPlan(draft)
        return draft.document
    }
}

extension JournalTable {
    /// - Throws: ``StoreError`` of kind `notFound` for an app or a channel without any publish.
    func checkKnown(_ scope: Scope) throws {
        guard try scope.app == Scope.defaultApp || hasApp(scope.app) else {
            let known = Set(try newestByScope().keys.map(\.app)).union([Scope.defaultApp])
            throw Self.unknown("an app \(JSONText.quoted(scope.app))", known, "a new app")
        }
        guard try !scope.isMain && newestRow(of: scope) == nil else { return }
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
    /// - Parameter proposal: the proposal that the request carries out; nil if it carries out none.
    func confirmed(as publication: Publication, proposal: Int64?, request: RequestKey) throws -> JournalEntry {
        guard scope == publication.scope, action == publication.action.rawValue,
            reason == StoreText.singleLine(publication.reason),
            self.proposal == proposal, plan?.replaces == publication.replaces, hasContent(of: publication)
        else { throw RequestKey.reused(request.text, row: id) }
        return self
    }

    private func hasContent(of publication: Publication) -> Bool {
        guard let edit = publication.rules else {
            // What people are told of the end follows from it, and from when it began.
            let backAt = (try? StatusDocument(json: Data(base.document.utf8)))?.backAt
            return base.document == publication.baseDocument(backAt: backAt)
                && endsAt == publication.endsAfter.map { Date(milliseconds: at.milliseconds + $0.milliseconds) }
        }
        return edit.put.allSatisfy { text in (try? OperatorRule(text)).map { plan?.rules.contains($0.text) == true } ?? false }
            && Set(edit.remove).isSubset(of: plan?.change?.removed ?? [])
    }
}
