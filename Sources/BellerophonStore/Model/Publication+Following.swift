#if Server
import BellerophonBase
import Foundation

extension Publication {
    /// Refuses a publish if the newest row of its scope is not the one that its author has seen.
    ///
    /// A request can be carried out late, after somebody else has published. A late restore would then lift a kill that its
    /// author knew nothing of. A publish that stops programs at least as much as the row that is there now is not refused, so
    /// that no kill fails because somebody else published one.
    /// - Parameters:
    ///   - seen: the ID of the row that the author has seen, apart from phases of rules; 0 if there was none; nil for an author who
    ///     does not say.
    ///   - newest: the newest row of the scope.
    ///   - end: when this publish would end.
    func check(follows seen: Int64?, newest: JournalEntry?, end: Date?) throws(StoreError) {
        guard let seen else { return }
        // Rows after the author's are phases of rules, which nobody has published.
        if let newest, (newest.personsRow...newest.id).contains(seen) { return }
        if newest == nil, seen == 0 { return }
        guard let newest else {
            throw StoreError(
                .overtaken, "\(scope) has no row \(seen); nothing was published for it yet",
                hint: "look at what is published, and publish again; nothing was published")
        }
        guard !isAtLeastAsStrict(as: newest, end: end) else { return }
        let until = newest.endsAt.map { ", until \(StoreJSON.text(of: $0))" } ?? ""
        let why = newest.reason.map { ": \($0)" } ?? ""
        throw StoreError(
            .overtaken,
            "another status of \(scope) was published meanwhile: #\(newest.id) \(newest.action) by \(newest.who) at "
                + "\(StoreJSON.text(of: newest.at))\(until)\(why)",
            hint: "look at it, and publish again if this is still wanted; nothing was published")
    }

    /// Whether no program that the row stops could run, now or later, because of this publish.
    private func isAtLeastAsStrict(as row: JournalEntry, end: Date?) -> Bool {
        guard action != .rules else { return false }
        guard row.isBlocking else { return true }
        guard action == .kill else { return false }
        guard let end else { return true }
        return row.endsAt.map { $0 <= end } ?? false
    }
}
#endif
