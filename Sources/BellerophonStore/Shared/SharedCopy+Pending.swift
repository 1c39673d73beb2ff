import Foundation
import GRDB

/// What a server knows of the shared journal, and its copy does not have.
extension SharedCopy {
    private static let shownProperty = "shown"

    /// Shows rows before the copy has them, and returns once they are confirmed.
    func show(_ rows: [SharedRow], after head: JournalHead, _ seen: () -> Void = {}) throws(StoreError) {
        // A server that shows one of them and misses bytes says so.
        recordMissing(rows)
        record {
            var seen = $0.pending ?? PendingStatuses(after: head)
            seen.add(rows)
            $0.pending = seen
        }
        if known.pending?.unconfirmed.isEmpty == false { seen() }
        try journal.confirm()
        record { $0.pending?.confirm() }
    }

    /// Reads what follows after the rows that were seen.
    func readOn() throws(StoreError) {
        while let pending = known.pending {
            let rows = try rows(from: pending.head.id + 1)
            guard !rows.isEmpty else { return }
            try JournalChain.verify(rows, after: pending.head)
            try show(rows, after: pending.head)
        }
    }

    /// Keeps the rows that are shown and not confirmed, and those that have to be replaced, for the next start: clients that have seen a
    /// kill that the database then lost wait for a later row. Nothing waits for that, so that a disk that hangs hides no kill.
    func keepShown(_ writer: DatabaseQueue) {
        keeping.async { [self] in
            let known = known
            let shown = (known.pending.map { Array($0.unconfirmed.values) } ?? []) + known.withdrawn
            let rows = shown.sorted { $0.id < $1.id }
            guard rows != known.kept, let text = try? String(decoding: JSONEncoder().encode(rows), as: UTF8.self),
                (try? writer.write { try $0.setProperty(Self.shownProperty, rows.isEmpty ? nil : text) }) != nil
            else { return }
            record { $0.kept = rows }
        }
    }

    /// Shows what was shown before the last start and is not in the copy, until the journal says what became of it.
    func recallShown(_ writer: DatabaseQueue) throws {
        try writer.read { database in
            guard let text = try database.property(Self.shownProperty),
                let rows = try? JSONDecoder().decode([JournalEntry].self, from: Data(text.utf8))
            else { return }
            let journal = JournalTable(database: database)
            let last = try journal.serial()
            // The copy has other rows in place of those that the journal has lost.
            let lost = try rows.filter { try $0.id <= last && journal.head(upTo: $0.id).digest != $0.digest }
            record {
                ($0.kept, $0.withdrawn) = (rows, lost)
                $0.pending = PendingStatuses(shown: rows.filter { $0.id > last })
            }
        }
    }

    /// Forgets rows that were seen, and that the journal does not have any more: a standby without them was promoted.
    func dropWithdrawn(_ writer: DatabaseQueue) throws {
        guard let pending = known.pending, pending.head.id > 0 else { return }
        if !pending.isDiverged, try journal.has(pending.head) { return }
        withdraw(pending, for: nil)
        try forgetMissing(writer)
    }

    private func withdraw(_ pending: PendingStatuses?, for next: PendingStatuses?) {
        record {
            $0.withdrawn += pending.map { Array($0.unconfirmed.values) } ?? []
            $0.pending = next
        }
    }

    /// The copy has rows that the journal does not have. Statuses of both are shown, of each scope the one that restricts more.
    func diverge(_ writer: DatabaseQueue, _ head: JournalHead) throws -> Never {
        let pending = known.pending
        if try pending.map({ try $0.isDiverged && journal.has($0.head) }) != true {
            let (common, newest) = try writer.read { database in
                let common = try lastCommonRow(database, head)
                return (common, try JournalTable(database: database).newestByScope(upTo: common.id))
            }
            withdraw(pending, for: PendingStatuses(after: common, diverged: newest))
        }
        try readOn()
        throw StoreError(
            .damaged,
            """
            this server's copy has rows up to \(head.id) that the shared journal, which ends at row \
            \(known.pending?.head.id ?? 0), does not have; of both, what restricts programs more is served
            """,
            hint:
                "was the database brought back from a backup, or a standby promoted that lacked rows? See the guide: docs/cluster.md"
        )
    }

    /// The rows of both are the same up to one of them, because each digest is of all rows before.
    private func lastCommonRow(_ database: Database, _ head: JournalHead) throws -> JournalHead {
        var (same, different) = (Int64(0), head.id)
        while different - same > 1 {
            let middle = same + (different - same) / 2
            let own = try JournalTable(database: database).head(upTo: middle)
            if try journal.has(own) { same = middle } else { different = own.id }
        }
        return try JournalTable(database: database).head(upTo: same)
    }
}
