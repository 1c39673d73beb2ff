import BellerophonBase
import Foundation
import StatusModel

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
    func requireSeen(follows seen: Int64?, newest: JournalEntry?, end: Date?) throws(StoreError) {
        guard let seen else { return }
        // Rows after the author's are phases of rules, which nobody has published.
        if let newest, (newest.personsRow...newest.id).contains(seen) { return }
        if newest == nil, seen == 0 { return }
        guard let newest else {
            throw StoreError(
                .overtaken, "\(scope) has no row \(seen); nothing was published for it yet",
                hint: "look at what is published, and publish again; nothing was published")
        }
        // Both leave at least what stands; see checkReplacement.
        if action == .kill || action == .update, weakened(in: newest, until: end) == nil { return }
        if action == .restore, !newest.isBlocking { return }
        let until = newest.ownEnd.map { ", until \(StoreJSON.text(of: $0))" } ?? ""
        let why = newest.reason.map { ": \($0)" } ?? ""
        throw StoreError(
            .overtaken,
            "another status of \(scope) was published meanwhile: #\(newest.id) \(newest.action) by \(newest.who) at "
                + "\(StoreJSON.text(of: newest.at))\(until)\(why)",
            hint: "look at it, and publish again if this is still wanted; nothing was published")
    }

    /// Refuses a kill or an update that would weaken what stands without naming it, and one that names what does not stand.
    ///
    /// Its author may not know what stands: a kill of two hours would lift one without an end.
    /// - Parameters:
    ///   - newest: the newest row of the scope.
    ///   - end: when this publish would end.
    func checkReplacement(in newest: JournalEntry?, until end: Date?) throws(StoreError) {
        let standing = newest?.kept.standing ?? []
        // A kill without an end stops everybody, so that it fails for nothing that stands or does not.
        if let replaces, action == .update || end != nil {
            guard let named = standing.first(where: { $0.row == replaces }) else {
                let now = standing.first.map { "there is \($0.summary)" } ?? "nothing stops it now"
                throw StoreError(
                    .standing, "#\(replaces) does not stand any more as a kill or an update of \(scope): \(now)",
                    hint: "look at it, and publish again if this is still wanted; nothing was published")
            }
            guard action == .update || named.action == .kill else {
                throw .invalid(
                    "a kill leaves an update as it is, and #\(replaces) is one",
                    hint: "leave out what it replaces: the update is shown again once the kill has ended; nothing was published")
            }
        }
        guard let weakened = weakened(in: newest, until: end), let loss = loss(of: weakened, until: end), let row = weakened.row,
            row != replaces
        else { return }
        throw StoreError(
            .standing, "\(scope) is stopped by \(weakened.summary); this \(action.rawValue) would \(loss)",
            hint: "to replace it all the same, name it: --replace \(row), or replaces=\(row) over HTTP; nothing was published")
    }

    /// The kill or the update that stops more programs, or longer, than they would be stopped after this publish; nil if there is
    /// none, and for a restore and rules, whose authors can mean nothing else.
    ///
    /// Whoever names a kill has seen the update under it too: the kill's row has both.
    /// - Parameters:
    ///   - newest: the newest row of the scope.
    ///   - end: when this publish would end.
    package func weakened(in newest: JournalEntry?, until end: Date?) -> RowPlan.Base? {
        guard action == .kill || action == .update, let shown = newest?.kept.standing.first else { return nil }
        // A kill leaves an update as it is.
        if action == .kill, shown.action == .update { return nil }
        return loss(of: shown, until: end) == nil ? nil : shown
    }

    /// What this publish would do to the kill or the update in whose place it would be; nil if nothing that its author has to know.
    private func loss(of shown: RowPlan.Base, until end: Date?) -> String? {
        if shown.action != action { return "lift it" }
        if let end, shown.endsAt.map({ end < $0 }) ?? true { return "end earlier" }
        guard action == .update else { return nil }
        let document = try? StatusDocument(json: Data(shown.document.utf8))
        let (former, own) = (document?.requiredVersion, StoreText.singleLine(facts[.requiredVersion]))
        if former == own { return nil }
        guard let former = former.flatMap({ AppVersion($0) }), let own = own.flatMap({ AppVersion($0) }) else {
            return "require another version, and the two can't be compared"
        }
        return own < former ? "require less" : nil
    }
}

extension RowPlan.Base {
    /// A kill or an update of ``JournalEntry/kept``, in words: `#5 kill by ada at 2026-11-21T14:02:11.123Z: disk swap`.
    package var summary: String {
        let start = at.map { " at \(StoreJSON.text(of: $0))" } ?? ""
        let proposer = proposedBy.map { ", proposed by \($0)" } ?? ""
        let until = endsAt.map { ", until \(StoreJSON.text(of: $0))" } ?? ""
        return "#\(row ?? 0) \(action.rawValue) by \(who ?? "")\(proposer)\(start)\(until)\(reason.map { ": \($0)" } ?? "")"
    }
}
