import GRDB

/// A search for rows of the journal, in steps.
///
/// A filter may match nothing in a journal of millions of rows. Each step looks at a bounded number of rows, so that no reader
/// keeps others waiting for long, and none keeps an old state of the database open.
package struct JournalSearch: Sendable {
    /// The number of rows that one step looks at.
    static let stepSize: Int64 = 16_384

    private let filter: JournalFilter
    /// The rows that were found, in the order of the filter.
    private(set) package var rows: [JournalEntry] = []
    /// The IDs that no step has looked at, without those of rows that are newer than the search; nil before the first step.
    private var rest: Range<Int64>?

    package init(_ filter: JournalFilter) {
        self.filter = filter
    }

    /// Whether ``rows`` has everything that the filter asks for.
    package var isComplete: Bool { rest?.isEmpty == true || rows.count >= filter.limit }

    /// Looks at the next rows. All steps together have the rows that the journal had at the first one.
    mutating func step(in journal: JournalTable) throws {
        let rest = try rest ?? all(journal)
        // A step begins with a row, because IDs may have large gaps.
        guard !isComplete, let first = try journal.row(nearest: rest, matching: filter) else {
            self.rest = 0..<0
            return
        }
        let ids =
            filter.isOldestFirst
            ? first..<min(rest.upperBound, first + Self.stepSize) : max(rest.lowerBound, first - Self.stepSize + 1)..<first + 1
        rows += try journal.rows(matching: filter, in: ids, limit: filter.limit - rows.count)
        self.rest = filter.isOldestFirst ? ids.upperBound..<rest.upperBound : rest.lowerBound..<ids.lowerBound
    }

    /// The IDs that the filter permits, without those of later rows.
    private func all(_ journal: JournalTable) throws -> Range<Int64> {
        let (after, end) = (max(filter.after ?? 0, 0), min(filter.before ?? .max, try journal.serial() + 1))
        return after < end ? after + 1..<end : 0..<0
    }
}

extension Store {
    /// Takes a step of a search.
    package func step(_ search: inout JournalSearch) throws(StoreError) {
        try database.readList { try search.step(in: JournalTable(database: $0)) }
    }
}

extension JournalTable {
    /// The ID of the oldest or newest row of a range, and of the filter's apps; nil if there is none. An index has the rows of an app,
    /// so that nobody who asks again and again for an app without rows makes the whole journal be read.
    fileprivate func row(nearest ids: Range<Int64>, matching filter: JournalFilter) throws -> Int64? {
        let edge = filter.isOldestFirst ? "min(id)" : "max(id)"
        func search(_ part: String, _ values: [String] = []) throws -> Int64? {
            try Int64.fetchOne(
                database, sql: "SELECT \(edge) FROM journal \(part) id >= ? AND id < ?",
                arguments: StatementArguments(values) + [ids.lowerBound, ids.upperBound])
        }
        guard let apps = filter.app.map({ [$0] }) ?? filter.apps.map(Array.init) else { return try search("WHERE") }
        guard !apps.isEmpty else { return nil }
        let marks = databaseQuestionMarks(count: apps.count)
        let found = [
            try search("INDEXED BY journal_scope WHERE app IN (\(marks)) AND", apps),
            try search(
                "INDEXED BY journal_subject WHERE subject IS NOT NULL AND substr(subject, 1, instr(subject, '/') - 1) IN (\(marks)) AND",
                apps),
        ].compactMap(\.self)
        return filter.isOldestFirst ? found.min() : found.max()
    }

    /// The rows of a filter in a range of IDs, in its order. The subject of a proposal begins with `app/channel` and a space.
    fileprivate func rows(matching filter: JournalFilter, in ids: Range<Int64>, limit: Int) throws -> [JournalEntry] {
        var sql = "WHERE id >= ? AND id < ?"
        var arguments: StatementArguments = [ids.lowerBound, ids.upperBound]
        func require(_ condition: String, _ values: [any DatabaseValueConvertible]) {
            sql += " AND \(condition)"
            arguments += StatementArguments(values)
        }
        for apps in [filter.apps.map(Array.init), filter.app.map { [$0] }].compactMap(\.self) {
            let marks = databaseQuestionMarks(count: apps.count)
            require("(app IN (\(marks)) OR substr(subject, 1, instr(subject, '/') - 1) IN (\(marks)))", apps + apps)
        }
        if let channel = filter.channel { require("(channel = ? OR instr(subject, '/' || ? || ' ') > 0)", [channel, channel]) }
        if let resource = filter.resource { require("resource IS NOT NULL AND resource = ?", [resource]) }
        if let since = filter.since { require("at >= ?", [since.milliseconds]) }
        return try rows("\(sql) ORDER BY id \(filter.isOldestFirst ? "ASC" : "DESC") LIMIT \(limit)", arguments)
    }
}
