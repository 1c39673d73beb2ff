#if Postgres
import Foundation

/// A connection that is opened when it is needed, and again after it was lost. One caller at a time uses it.
///
/// It is unchecked because a `Mutex` can't lend an object that is not sendable to a closure that waits for the network.
final class PostgresSession: @unchecked Sendable {
    private let address: String
    private let patience: Duration
    private let isListening: Bool
    private let lock = NSLock()
    /// Protected by the lock.
    private var connection: PostgresConnection?
    /// Protected by the lock. Whether the reply to a question for confirmation is outstanding.
    private var isConfirming = false

    /// - Parameter isListening: whether the session is used every few seconds, so that PostgreSQL may end an idle one.
    init(_ address: String, _ patience: Duration, isListening: Bool = false) {
        self.address = address
        self.patience = patience
        self.isListening = isListening
    }

    /// Reads; a connection that was lost since the last use is opened again, once.
    func use<Result>(_ work: (PostgresConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        let wasOpen = connection != nil
        do {
            return try work(try open())
        } catch {
            dropIfLost(error)
            guard wasOpen, connection == nil, error.kind == .unavailable else { throw error }
        }
        do {
            return try work(try open())
        } catch {
            dropIfLost(error)
            throw error
        }
    }

    /// Changes something. A connection that was lost since the last use is noticed before anything is changed.
    /// - Parameters:
    ///   - begin: begins a transaction, and changes nothing.
    ///   - work: gets the rows of the last command in `begin`.
    func changing(_ begin: String, _ work: (PostgresConnection, [[String?]]) throws -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        do {
            let wasOpen = connection != nil
            let known: [[String?]]
            do throws(StoreError) {
                known = try self.begin(begin)
            } catch {
                guard wasOpen, connection == nil else { throw error }
                known = try self.begin(begin)
            }
            try work(try open(), known)
        } catch {
            if connection?.isOpen == false || (error as? StoreError)?.kind == .unknown { connection = nil }
            if let error = error as? StoreError { dropIfLost(error) }
            throw error
        }
    }

    private func begin(_ command: String) throws(StoreError) -> [[String?]] {
        do throws(StoreError) {
            return try open().execute(command)
        } catch {
            dropIfLost(error)
            if connection?.isOpen == false { connection = nil }
            _ = try? connection?.execute("ROLLBACK")
            throw error
        }
    }

    // MARK: Confirmation

    /// The time for which a confirmation is waited for at once. It goes on to be waited for by the next call.
    static let confirmationLimit = Duration.seconds(2)

    /// See ``SharedJournal/confirm()``.
    /// - Parameter command: commits.
    func confirm(_ command: String) throws(StoreError) {
        do throws(StoreError) {
            try commit(command) { _ in }
        } catch {
            throw Self.unconfirmed(error)
        }
    }

    /// See ``SharedJournal/tryChange()``.
    /// - Parameters:
    ///   - command: commits.
    ///   - work: what is tried before.
    func tryCommit(_ command: String, after work: (PostgresConnection) throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try commit(command, after: work)
        } catch {
            throw error.kind == .unconfirmed ? Self.unconfirmed(error) : error
        }
    }

    private static func unconfirmed(_ error: StoreError) -> StoreError {
        StoreError(
            .unconfirmed, "it is not known whether a standby has the newest rows of the shared journal: \(error.message)",
            hint: "is a standby away? See the guide: docs/cluster.md")
    }

    /// A session of PostgreSQL that waits for a standby does not notice that its client has gone. Of each ``PostgresSession`` there is
    /// therefore one at most, whose reply is waited for as often as necessary.
    private func commit(_ command: String, after work: (PostgresConnection) throws(StoreError) -> Void) throws(StoreError) {
        lock.lock()
        defer { lock.unlock() }
        let wasIdle = connection != nil && !isConfirming
        do throws(StoreError) {
            try commitOnce(command, after: work)
        } catch {
            // The session may have ended since it was used last.
            guard wasIdle, connection == nil else { throw error }
            try commitOnce(command, after: work)
        }
    }

    private func commitOnce(_ command: String, after work: (PostgresConnection) throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            // The reply to an earlier command says nothing of what came after it.
            if isConfirming { try finishConfirmation(.now + Self.confirmationLimit) }
            let connection = try open()
            try work(connection)
            try connection.send(command)
            isConfirming = true
            try finishConfirmation(.now + Self.confirmationLimit)
        } catch {
            if error.kind != .unconfirmed { isConfirming = false }
            if connection?.isOpen == false || error.kind == .unavailable { (connection, isConfirming) = (nil, false) }
            throw error
        }
    }

    private func finishConfirmation(_ end: ContinuousClock.Instant) throws(StoreError) {
        let connection = try open()
        guard try connection.receive(max(.milliseconds(1), end - .now)) != nil else {
            throw StoreError(.unconfirmed, "it does not answer")
        }
        isConfirming = false
        if connection.warned { throw StoreError(.unconfirmed, "the wait for it was cancelled") }
    }

    private func open() throws(StoreError) -> PostgresConnection {
        if let connection { return connection }
        let new = try PostgresConnection(address, limit: patience)
        try PostgresSchema.requireFormat(new)
        // What is acknowledged survives a crash of the machine, and is on the standby where one is configured.
        try new.execute(
            """
            SELECT CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
                THEN set_config('synchronous_commit', 'on', false) END
            """)
        for (name, value) in limits {
            // PostgreSQL has the newest of these settings since version 14.
            try new.execute(
                "SELECT set_config($1, $2, false) WHERE current_setting($1, true) IS NOT NULL", [.text(name), .text(value)])
        }
        connection = new
        return new
    }

    /// Settings with which PostgreSQL ends the session of a machine that is gone and of a process that hangs, so that neither
    /// keeps a lock. In seconds and milliseconds, as PostgreSQL has them.
    private var limits: [(name: String, value: String)] {
        [
            ("tcp_keepalives_idle", "2"), ("tcp_keepalives_interval", "1"), ("tcp_keepalives_count", "3"),
            ("tcp_user_timeout", "5000"), ("idle_in_transaction_session_timeout", "10000"),
        ] + (isListening ? [("idle_session_timeout", "10000")] : [])
    }

    private func dropIfLost(_ error: StoreError) {
        // After a timeout the reply would be taken for that of the next command.
        if error.kind == .unavailable || error.kind == .unknown { connection = nil }
    }
}
#endif
