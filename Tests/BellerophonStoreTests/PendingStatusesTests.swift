import BellerophonBase
import Foundation
import Testing

@testable import BellerophonStore

/// What is shown of a shared journal beside the rows that a server's copy has.
struct PendingStatusesTests {
    private let app = Scope.main
    private let channel = Scope(checkedApp: Scope.defaultApp, channel: "beta")

    private func row(_ id: Int64, _ action: StatusAction, _ scope: Scope) -> SharedRow {
        let values: [JournalColumn: String] = [
            .id: "\(id)", .at: "1000", .who: "ada", .action: action.rawValue, .app: scope.app, .channel: scope.channel,
            .document: "{}", .published: "\(id)",
        ]
        return SharedRow(values, digest: "digest \(id)")
    }

    private func newest(_ rows: [SharedRow]) -> [Scope: JournalEntry] {
        Dictionary(rows.map { JournalEntry($0) }.compactMap { entry in entry.scope.map { ($0, entry) } }) { $1 }
    }

    @Test("An unconfirmed row is shown only if it is more restrictive")
    func unconfirmedRowOnlyRestricts() {
        let copy = newest([row(1, .update, app)])
        var pending = PendingStatuses(after: JournalHead(id: 1, digest: "digest 1"))
        pending.add([row(2, .restore, app)])
        #expect(pending.merged(with: copy, upTo: 1)[app]?.id == 1)
        pending.add([row(3, .kill, app)])
        #expect(pending.merged(with: copy, upTo: 1)[app]?.id == 3)
        pending.add([row(4, .restore, app)])
        #expect(pending.merged(with: copy, upTo: 1)[app]?.id == 3, "a kill that may be published is not lifted")
        pending.confirm()
        #expect(pending.merged(with: copy, upTo: 1)[app]?.id == 4)
        #expect(pending.unconfirmed.isEmpty && pending.head.id == 4)
    }

    @Test("An unconfirmed update of a channel does not replace its app's kill")
    func unconfirmedUpdateKeepsAppKill() {
        let copy = newest([row(1, .kill, app)])
        var pending = PendingStatuses(after: JournalHead(id: 1, digest: "digest 1"))
        // Clients of a channel get its own status if it has one that blocks: an update in place of the kill.
        pending.add([row(2, .update, channel)])
        #expect(pending.merged(with: copy, upTo: 1)[channel] == nil)
        pending.confirm()
        #expect(pending.merged(with: copy, upTo: 1)[channel]?.id == 2)
    }

    @Test("Pending rows already taken by the copy do not count again")
    func copiedRowsCountOnce() {
        var pending = PendingStatuses(after: .start)
        pending.add([row(1, .kill, app)])
        pending.confirm()
        pending.add([row(2, .kill, app)])
        let copy = newest([row(3, .restore, app)])
        #expect(pending.merged(with: copy, upTo: 3)[app]?.id == 3)
    }

    @Test("When two journals diverge, the stricter status is shown")
    func stricterJournalWins() {
        // The copy has a restore that the journal does not have, and lacks a kill.
        let copy = newest([row(2, .restore, app), row(3, .kill, channel)])
        var pending = PendingStatuses(
            after: JournalHead(id: 1, digest: "digest 1"), diverged: newest([row(1, .kill, app)]))
        #expect(pending.merged(with: copy, upTo: 3)[app]?.id == 1)
        pending.add([row(2, .restore, channel)])
        pending.confirm()
        #expect(pending.merged(with: copy, upTo: 3)[channel]?.id == 3)
        pending.add([row(3, .restore, app)])
        #expect(pending.merged(with: copy, upTo: 3)[app]?.id == 1, "no standby has it")
        pending.confirm()
        #expect(pending.merged(with: copy, upTo: 3)[app]?.restriction == Restriction.none)
    }

    @Test func rowsThatWereAddedBeforeAreNotAddedAgain() {
        var pending = PendingStatuses(after: .start)
        pending.add([row(1, .kill, app), row(2, .restore, app)])
        let same = pending
        pending.add([row(1, .kill, app), row(2, .restore, app)])
        #expect(pending == same)
    }
}
