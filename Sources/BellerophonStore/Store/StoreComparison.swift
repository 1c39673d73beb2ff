import GRDB

/// What several copies of a journal have in common, such as those of servers whose database was brought back from a backup.
package struct StoreComparison: Sendable {
    /// The newest row that all have; nil if they have none in common.
    package let common: JournalHead?
    /// What each of them has after it, the oldest row first.
    package let after: [[JournalEntry]]

    /// - Parameter stores: at least one.
    package init(_ stores: [Store]) throws(StoreError) {
        var (same, different) = (Int64(0), Int64(1))
        for store in stores { different = max(different, try store.head(upTo: .max).id + 1) }
        // The rows are the same up to one of them.
        while different - same > 1 {
            let middle = same + (different - same) / 2
            let heads = try stores.map { store throws(StoreError) in try store.head(upTo: middle) }
            if heads.allSatisfy({ $0 == heads[0] }) { same = middle } else { different = middle }
        }
        let last = try stores[0].head(upTo: same)
        common = last.id > 0 ? last : nil
        after = try stores.map { store throws(StoreError) in
            try store.database.readList { try JournalTable(database: $0).rows("WHERE id > ? ORDER BY id", [last.id]) }
        }
    }
}

extension Store {
    /// The newest row up to one.
    fileprivate func head(upTo id: Int64) throws(StoreError) -> JournalHead {
        try database.read { try JournalTable(database: $0).head(upTo: id) }
    }
}
