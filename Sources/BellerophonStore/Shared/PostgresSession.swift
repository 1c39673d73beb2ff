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
        return try retrying(work)
    }

    /// Changes something. A connection that was lost since the last use is noticed before anything is changed.
    /// - Parameters:
    ///   - begin: begins a transaction, and changes nothing.
    ///   - work: gets the rows of the last command in `begin`.
    func changing(_ begin: String, _ work: (PostgresConnection, [[String?]]) throws -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        let known: [[String?]]
        do throws(StoreError) {
            known = try retrying { connection throws(StoreError) in try connection.execute(begin) }
        } catch {
            _ = try? connection?.execute("ROLLBACK")
            throw error
        }
        try droppingLost { try work(try open(), known) }
    }

    /// Does again, with another connection, what failed because the connection was lost after its last use.
    private func retrying<Result>(_ work: (PostgresConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let wasIdle = connection != nil && !isConfirming
        func attempt() throws(StoreError) -> Result {
            try droppingLost { () throws(StoreError) in try work(try open()) }
        }
        do throws(StoreError) {
            return try attempt()
        } catch {
            guard wasIdle, connection == nil else { throw error }
            return try attempt()
        }
    }

    private func droppingLost<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        do throws(Failure) {
            return try work()
        } catch {
            let kind = (error as? StoreError)?.kind
            // After a timeout the reply would be taken for that of the next command.
            if connection?.isOpen == false || kind == .unavailable || kind == .unknown {
                (connection, isConfirming) = (nil, false)
            }
            throw error
        }
    }

    // MARK: Confirmation

    /// The time for which a confirmation is waited for at once. It goes on to be waited for by the next call.
    static let confirmationLimit = Duration.seconds(2)

    static func unconfirmed(_ reason: String) -> StoreError {
        StoreError(
            .unconfirmed, "it is not known whether a standby has the newest rows of the shared journal: \(reason)",
            hint: "is a standby away? See the guide: docs/cluster.md")
    }

    /// Commits something, and waits until it is confirmed.
    ///
    /// A session of PostgreSQL that waits for a standby does not notice that its client has gone. Of each ``PostgresSession`` there is
    /// therefore one at most, whose reply is waited for as often as necessary.
    /// - Parameters:
    ///   - command: commits.
    ///   - work: what is done before.
    /// - Throws: ``StoreError`` of kind `unconfirmed` if the commit is not confirmed in time.
    func commit(_ command: String, after work: (PostgresConnection) throws(StoreError) -> Void = { _ in }) throws(StoreError) {
        try use { connection throws(StoreError) in
            // The reply to an earlier command says nothing of what came after it.
            if isConfirming { try finishConfirmation(connection) }
            try work(connection)
            try connection.send(command)
            try finishConfirmation(connection)
        }
    }

    private func finishConfirmation(_ connection: PostgresConnection) throws(StoreError) {
        isConfirming = false
        isConfirming = try connection.receive(Self.confirmationLimit) == nil
        if isConfirming { throw Self.unconfirmed("it does not answer") }
        if connection.warned { throw Self.unconfirmed("the wait for it was cancelled") }
    }

    private func open() throws(StoreError) -> PostgresConnection {
        if let connection { return connection }
        let new = try PostgresConnection(address, limit: patience)
        try PostgresSchema.requireFormat(new)
        // What is acknowledged survives a crash of the machine, and is on the standby where one is configured. PostgreSQL ends the
        // session of a machine that is gone and of a process that hangs, so that neither keeps a lock; it has the newest of these
        // settings, in seconds and milliseconds, since version 14.
        try new.execute(
            """
            SELECT CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
                THEN set_config('synchronous_commit', 'on', false) END;
            SELECT set_config(name, value, false) FROM (VALUES
                ('tcp_keepalives_idle', '2'), ('tcp_keepalives_interval', '1'), ('tcp_keepalives_count', '3'),
                ('tcp_user_timeout', '5000'), ('idle_in_transaction_session_timeout', '10000')
                \(isListening ? ", ('idle_session_timeout', '10000')" : "")
            ) AS wanted (name, value) WHERE current_setting(name, true) IS NOT NULL
            """)
        connection = new
        return new
    }
}
#endif
