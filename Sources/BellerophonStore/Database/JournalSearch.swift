import Foundation

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
    /// Whether ``rows`` has everything that the filter asks for.
    private(set) package var isComplete = false
    /// The IDs that no step has looked at, without those of rows that are newer than the search; nil before the first step.
    private var rest: Range<Int64>?

    package init(_ filter: JournalFilter) {
        self.filter = filter
    }

    /// Looks at the next rows. All steps together have the rows that the journal had at the first one.
    mutating func step(in journal: JournalTable) throws {
        guard !isComplete else { return }
        var rest = try rest ?? all(journal)
        let left = filter.limit - rows.count
        guard left > 0, let ids = try nextIDs(in: rest, journal) else {
            isComplete = true
            return
        }
        var part = filter
        (part.after, part.before, part.limit) = (ids.lowerBound - 1, ids.upperBound, left)
        rows += try journal.rows(matching: part, oldestFirst: isOldestFirst)
        rest = isOldestFirst ? ids.upperBound..<rest.upperBound : rest.lowerBound..<ids.lowerBound
        isComplete = rest.isEmpty || rows.count >= filter.limit
        self.rest = rest
    }

    private var isOldestFirst: Bool { filter.after != nil }

    /// The IDs that the filter permits, without those of later rows.
    private func all(_ journal: JournalTable) throws -> Range<Int64> {
        let end = max(min(filter.before ?? .max, try journal.serial() + 1), 1)
        let after = max(filter.after ?? 0, 0)
        return after >= end ? end..<end : after + 1..<max(end, after + 1)
    }

    /// The IDs of the next step. It begins with a row, because IDs may have large gaps.
    private func nextIDs(in rest: Range<Int64>, _ journal: JournalTable) throws -> Range<Int64>? {
        guard !rest.isEmpty else { return nil }
        if filter.isAnsweredByIndex { return rest }
        guard let id = try journal.row(nearest: rest, oldestFirst: isOldestFirst) else { return nil }
        return isOldestFirst
            ? id..<min(rest.upperBound, id.addingReportingOverflow(Self.stepSize).partialValue)
            : max(rest.lowerBound, id - Self.stepSize + 1)..<id + 1
    }
}

extension Store {
    /// Takes a step of a search.
    package func step(_ search: inout JournalSearch) throws(StoreError) {
        var next = search
        try database.readList { try next.step(in: JournalTable(database: $0)) }
        search = next
    }
}
