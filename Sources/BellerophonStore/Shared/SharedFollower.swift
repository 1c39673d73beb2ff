import Foundation

/// Keeps a server's copy of a shared journal up to date, on threads of its own: one for the rows, and one for the bytes of
/// resources, for which no row waits.
///
/// It is told of new rows, and looks for them besides, because a notification is lost with its connection. After a lost connection
/// it tries again, for ever. It also takes the lead when no other server has it.
///
/// It is unchecked because it waits with a condition, which guards what it changes; `onChange` and `onRows` are set before the start.
package final class SharedFollower: @unchecked Sendable {
    private let store: Store
    private let journal: any SharedJournal
    private let lock = NSCondition()
    /// Protected by the lock.
    private var isStopped = false
    /// Called on the follower's thread.
    package var onChange: (@Sendable (Change) -> Void)?
    /// Called on a thread of the follower after rows of other servers or bytes of resources were added, and when kills or updates
    /// among the rows can be shown.
    package var onRows: (@Sendable () -> Void)?

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
    /// The wait after a failure, in seconds.
    private static let pause = 1.0

    init(_ store: Store, _ journal: any SharedJournal) {
        self.store = store
        self.journal = journal
    }

    package func start() {
        Thread.detachNewThread { [self] in followRows() }
        Thread.detachNewThread { [self] in followContent() }
    }

    private func followRows() {
        var (problem, led): (SharedProblem?, Bool) = (nil, false)
        while !stopped() {
            do throws(StoreError) {
                try store.lead()
                try addNewRows()
                try journal.waitForRows(Self.interval)
                try addNewRows()
            } catch {
                try? addNewRows()
                wait()
            }
            let (now, leads) = (store.sharedContact?.problem, store.leads)
            if now?.reason != problem?.reason { onChange?(now.map(Change.lost) ?? .reached) }
            if leads != led { onChange?(leads ? .leads : .follows) }
            (problem, led) = (now, leads)
        }
    }

    private func addNewRows() throws(StoreError) {
        if try store.catchUpRows(seen: { onRows?() }) > 0 { onRows?() }
        try store.replaceWithdrawn()
    }

    private func followContent() {
        while !stopped() {
            let missing = store.sharedContact?.missing ?? []
            // What is not there, or does not come, is asked for again after the wait.
            if !missing.isEmpty { try? store.fetchMissing() }
            if store.sharedContact?.missing != missing { onRows?() }
            wait()
        }
    }

    /// Ends the threads after their present wait.
    package func stop() {
        lock.lock()
        isStopped = true
        lock.broadcast()
        lock.unlock()
    }

    private func stopped() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        return isStopped
    }

    private func wait() {
        lock.lock()
        if !isStopped { _ = lock.wait(until: Date(timeIntervalSinceNow: Self.pause)) }
        lock.unlock()
    }
}
