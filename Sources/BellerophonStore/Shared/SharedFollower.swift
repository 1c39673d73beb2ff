import Foundation
import Synchronization

/// Keeps a server's copy of a shared journal up to date, on threads of its own: one for the rows, and one for the bytes of
/// resources, for which no row waits.
///
/// It is told of new rows, and looks for them besides, because a notification is lost with its connection. After a lost connection
/// it tries again, for ever. It also takes the lead when no other server has it.
package final class SharedFollower: Sendable {
    private let store: Store
    private let shared: SharedCopy
    private let isStopped = Atomic(false)

    package enum Change: Equatable, Sendable {
        /// The journal can't be used, or the copy can't take its rows.
        case lost(SharedProblem)
        case reached
        case leads
        /// Another server may lead now.
        case follows
    }

    /// The time between two looks without a notification. Another server leads this long after the leader's end.
    private static let interval = Duration.seconds(2)
    /// The wait after a failure, in seconds. A wait for a condition or a semaphore would end by the clock of the machine, which may be
    /// set back meanwhile.
    private static let pause: UInt32 = 1

    init(_ store: Store, _ shared: SharedCopy) { (self.store, self.shared) = (store, shared) }

    /// - Parameters:
    ///   - onChange: called on the follower's thread.
    ///   - onRows: called on a thread of the follower after rows of other servers or bytes of resources were added, and when kills
    ///     or updates among the rows can be shown.
    package func start(
        onChange: @escaping @Sendable (Change) -> Void = { _ in }, onRows: @escaping @Sendable () -> Void = {}
    ) {
        Thread.detachNewThread { [self] in followRows(onChange, onRows) }
        Thread.detachNewThread { [self] in followContent(onRows) }
    }

    private func followRows(_ onChange: (Change) -> Void, _ onRows: () -> Void) {
        var (problem, led): (SharedProblem?, Bool) = (nil, false)
        while !isStopped.load(ordering: .relaxed) {
            do throws(StoreError) {
                try shared.lead()
                try addNewRows(onRows)
                try shared.journal.waitForRows(Self.interval)
                try addNewRows(onRows)
            } catch {
                try? addNewRows(onRows)
                sleep(Self.pause)
            }
            let contact = shared.known.contact
            let (now, leads) = (contact.problem, contact.lead.leads)
            if now?.reason != problem?.reason { onChange(now.map(Change.lost) ?? .reached) }
            if leads != led { onChange(leads ? .leads : .follows) }
            (problem, led) = (now, leads)
        }
    }

    private func addNewRows(_ onRows: () -> Void) throws(StoreError) {
        if try store.database.catchUp(seen: onRows) > 0 { onRows() }
        try store.replaceWithdrawn()
    }

    private func followContent(_ onRows: () -> Void) {
        while !isStopped.load(ordering: .relaxed) {
            let missing = shared.known.contact.missing
            // What is not there, or does not come, is asked for again after the wait.
            if !missing.isEmpty { try? shared.fetchMissing() }
            if shared.known.contact.missing != missing { onRows() }
            sleep(Self.pause)
        }
    }

    /// Ends the threads after their present wait.
    package func stop() { isStopped.store(true, ordering: .relaxed) }
}
