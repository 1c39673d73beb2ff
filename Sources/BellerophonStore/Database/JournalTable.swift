import BellerophonBase
import Foundation
import GRDB
import StatusModel

/// Access to the table of journal rows.
struct JournalTable {
    let database: Database

    /// Writes a row. It must run in the transaction in which the change was decided.
    ///
    /// A status is dated after every earlier one, even if the clock was set back, because clients apply the most
    /// recently dated status. The clock's time is kept in `at`.
    /// - Parameter body: what the row of something else than a status says.
    func append(_ entry: JournalEntry, _ body: RowBody? = nil) throws -> JournalEntry {
        let last = try Int64.fetchOne(database, sql: "SELECT max(published) FROM journal WHERE published IS NOT NULL") ?? 0
        let published = entry.app == nil ? nil : max(entry.at.milliseconds, last + 1)
        // What SQLite knows of the table: no number is used again, also of a row that is not there any more.
        let number = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'journal'") ?? 0
        let head = try head()
        let values = try JournalColumn.allCases.map { column in
            column == .id ? "\(max(number, head.id) + 1)" : try entry.text(column, published: published, body)
        }
        let row = SharedRow(values: values, digest: try JournalChain.digest(values: values, after: head.digest))
        try add(row)
        return JournalEntry(row)
    }

    /// Adds a row that this server or another one has decided.
    func add(_ row: SharedRow) throws {
        let names = JournalColumn.allCases.map(\.name) + ["digest"]
        let values = zip(JournalColumn.allCases, row.values).map { $0.value($1) } + [row.digest.databaseValue]
        try database.execute(
            sql: "INSERT INTO journal (\(names.joined(separator: ", "))) VALUES (\(databaseQuestionMarks(count: names.count)))",
            arguments: StatementArguments(values))
        try apply(row.row)
    }

    /// The newest row of each scope. The cost grows with the number of scopes, not of rows.
    /// - Parameter last: the newest row that is looked at.
    func newestByScope(upTo last: Int64 = .max) throws -> [Scope: JournalEntry] {
        // Steps from scope to scope through the index. SQLite itself would scan the whole index, or, for a comparison
        // of app and channel together, all rows of an app.
        let newest = """
            WITH RECURSIVE scope(app, channel) AS (
                SELECT '', ''
                UNION ALL
                SELECT next.app, next.channel FROM scope JOIN journal AS next ON next.id = coalesce(
                    (SELECT id FROM journal WHERE app IS NOT NULL AND app = scope.app AND channel > scope.channel
                        ORDER BY channel LIMIT 1),
                    (SELECT id FROM journal WHERE app IS NOT NULL AND app > scope.app ORDER BY app, channel LIMIT 1)
                )
            )
            SELECT (
                SELECT max(id) FROM journal
                WHERE app IS NOT NULL AND app = scope.app AND channel = scope.channel AND id <= ?
            ) FROM scope
            """
        let rows = try rows("WHERE id IN (\(newest))", [last])
        return Dictionary(rows.compactMap { row in row.scope.map { ($0, row) } }) { $1 }
    }

    /// The newest status of a scope; nil if there is none.
    func newestRow(of scope: Scope) throws -> JournalEntry? {
        try rows("WHERE app IS NOT NULL AND app = ? AND channel = ? ORDER BY id DESC LIMIT 1", [scope.app, scope.channel]).first
    }

    /// Whether anything was published for an app.
    func hasApp(_ app: String) throws -> Bool { try !rows("WHERE app IS NOT NULL AND app = ? LIMIT 1", [app]).isEmpty }

    /// The row of an earlier request with this key.
    func row(of request: String) throws -> JournalEntry? {
        try rows("WHERE request IS NOT NULL AND request = ?", [request]).first
    }

    /// The highest version that a resource ever had, including deleted ones.
    func lastVersion(of resource: String) throws -> Int64? {
        try rows(
            "WHERE resource IS NOT NULL AND resource = ? AND version IS NOT NULL ORDER BY id DESC LIMIT 1", [resource]
        ).first?.version
    }

    /// The ID of the newest row; 0 without rows.
    func serial() throws -> Int64 { try head().id }

    /// The newest row up to one.
    func head(upTo id: Int64 = .max) throws -> JournalHead {
        let sql = "SELECT id, digest FROM journal WHERE id <= ? ORDER BY id DESC LIMIT 1"
        return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [id]).map {
            JournalHead(id: $0["id"], digest: $0["digest"] ?? "")
        } ?? .start
    }

    /// Whether the journal has a row.
    func has(_ head: JournalHead) throws -> Bool {
        guard head.id > 0 else { return true }
        let statement = try database.cachedStatement(sql: "SELECT coalesce(digest, '') FROM journal WHERE id = ?")
        return try String.fetchOne(statement, arguments: [head.id]) == head.digest
    }

    /// The rows after a row, for other servers.
    func shared(after id: Int64) throws -> [SharedRow] {
        try Row.fetchAll(database, sql: "SELECT * FROM journal WHERE id > ? ORDER BY id", arguments: [id]).map { SharedRow($0) }
    }

    /// When the newest row was written; nil without rows.
    func newestDate() throws -> Date? { try rows("ORDER BY id DESC LIMIT 1").first?.at }

    func rows(_ clause: String, _ arguments: StatementArguments = []) throws -> [JournalEntry] {
        try Row.fetchAll(database, sql: "SELECT * FROM journal \(clause)", arguments: arguments).map { JournalEntry($0) }
    }
}

extension JournalEntry {
    /// Sets what the scope has after a publication.
    /// - Parameters:
    ///   - author: the author of the row.
    ///   - newest: the newest row of the scope.
    ///   - app: the newest row of the app; nil for the scope of the app itself.
    /// - Returns: whether the status may change what every app of its scope gets.
    mutating func set(
        _ plan: RowPlan, of publication: Publication, by author: Author, after newest: JournalEntry?, beside app: JournalEntry?
    ) -> Bool {
        var plan = plan
        let known = [newest, app].compactMap { $0?.plan?.highestVersion(for: author) }.max()
        let isForEverybody = publication.isForEverybody(after: newest, as: plan, highest: known, at: at)
        if isForEverybody { plan.name(publication.versions, by: author) }
        set(plan)
        return isForEverybody
    }

    /// Sets what the scope has from this row on.
    mutating func set(_ plan: RowPlan) {
        (document, endsAt) = (plan.document, plan.base.endsAt)
        self.plan = plan.saysMore ? plan : nil
    }

    /// The value of a column as text; nil for none.
    /// - Parameter published: the date of a status, in milliseconds.
    fileprivate func text(_ column: JournalColumn, published: Int64?, _ body: RowBody?) throws(StoreError) -> String? {
        switch column {
        case .id: nil
        case .at: String(at.milliseconds)
        case .who: who
        case .action: action
        case .app: app
        case .channel: channel
        case .resource: resource
        case .version: version.map { String($0) }
        case .fromVersion: fromVersion.map { String($0) }
        case .token: token
        case .reason: reason
        case .document: document
        case .endsAt: (endsAt?.milliseconds).map { String($0) }
        case .ends: ends.map { String($0) }
        case .published: published.map { String($0) }
        case .author: try author.map(StoreJSON.string)
        case .request: request
        case .proposal: proposal.map { String($0) }
        case .proposedBy: proposedBy
        case .subject: subject
        case .breakGlass: breakGlass == true ? "1" : nil
        case .body: if let plan { try StoreJSON.string(plan) } else { try body.map(StoreJSON.string) }
        }
    }

    init(_ row: Row) {
        func date(_ column: JournalColumn) -> Date? { (row[column] as Int64?).map { Date(milliseconds: $0) } }
        var (plan, unread): (RowPlan?, String?)
        do throws(StoreError) {
            plan = row[JournalColumn.app] == nil ? nil : try (row[JournalColumn.body] as String?).map(RowPlan.init(stored:))
            unread = Self.unread(row, plan)
        } catch {
            unread = "its rules can't be read: \(error.message)"
        }
        self.init(
            id: row[JournalColumn.id], at: Date(milliseconds: row[JournalColumn.at]), who: row[JournalColumn.who],
            action: row[JournalColumn.action], app: row[JournalColumn.app], channel: row[JournalColumn.channel],
            resource: row[JournalColumn.resource], version: row[JournalColumn.version],
            fromVersion: row[JournalColumn.fromVersion], token: row[JournalColumn.token], reason: row[JournalColumn.reason],
            document: row[JournalColumn.document], endsAt: date(.endsAt), ends: row[JournalColumn.ends],
            published: date(.published), author: row.author,
            request: row[JournalColumn.request], proposal: row[JournalColumn.proposal],
            proposedBy: row[JournalColumn.proposedBy], subject: row[JournalColumn.subject],
            breakGlass: (row[JournalColumn.breakGlass] as Int64?).map { $0 != 0 },
            plan: plan, digest: row["digest"], unread: unread
        )
    }

    /// Why this version does not know what the row of a status means; nil if it does, and for other rows.
    private static func unread(_ row: Row, _ plan: RowPlan?) -> String? {
        guard row[JournalColumn.app] as String? != nil else { return nil }
        let action: String = row[JournalColumn.action]
        if action == StatusAction.rules.rawValue || action == phaseAction { return plan == nil ? "its rules are missing" : nil }
        if action == endAction {
            // Without a plan nothing stands any more, and its document says so.
            let document = (row[JournalColumn.document] as String?).flatMap { try? StatusDocument(json: Data($0.utf8)) }
            let isFree = document.map { !$0.isInactive && !$0.requiresUpdate && $0.plan == nil } ?? false
            return plan == nil && !isFree ? "what stands after it is missing" : nil
        }
        return StatusAction(rawValue: action) == nil ? "the action \(JSONText.quoted(action)) is not known" : nil
    }
}

extension Row {
    /// The author of a row of the journal; nil if it can't be read.
    var author: Author? {
        (self[JournalColumn.author] as String?).flatMap { try? StoreJSON.value(Author.self, from: Data($0.utf8)) }
    }
}

extension RowPlan {
    /// - Throws: ``StoreError`` of kind `newerStore` if it, or one of its rules, can't be read completely: a row that is made from
    ///   it would lose the rest.
    init(stored text: String) throws(StoreError) {
        // Every change of any scope reads the plans of all scopes.
        self = try Self.known.value(text) { () throws(StoreError) in
            guard let plan = try? StoreJSON.value(RowPlan.self, from: Data(text.utf8)), try StoreJSON.string(plan) == text else {
                throw StoreError(.newerStore, "they are of a newer version, or damaged")
            }
            do throws(StoreError) {
                for rule in plan.rules { _ = try OperatorRule(stored: rule) }
            } catch {
                throw StoreError(.newerStore, error.message)
            }
            return plan
        }
    }

    /// Plans that were read, by their text.
    private static let known = BoundedMemo<String, RowPlan>(limit: 4096)
}

extension Date {
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Since 1970, rounded.
    package var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
