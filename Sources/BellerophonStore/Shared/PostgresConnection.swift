#if Postgres
import BellerophonBase
import CPostgres
import Foundation

/// A connection to PostgreSQL. It is confined to one thread at a time by its owner.
final class PostgresConnection {
    private let handle: OpaquePointer
    /// The longest time for each command.
    let limit: Duration
    /// Whether this session has the lock of the server that leads.
    var leads = false

    /// A parameter of a command.
    enum Parameter {
        case text(String?)
        case bytes(Data)
    }

    /// - Parameters:
    ///   - address: a connection URI or string of libpq.
    ///   - limit: the longest time for each command; a server that does not answer for a third of it, and at least for two
    ///     seconds, is given up when connecting.
    init(_ address: String, limit: Duration) throws(StoreError) {
        self.limit = limit
        guard let handle = cpostgres_connect(address, Int32(clamping: max(2, limit.components.seconds / 3))) else {
            throw StoreError(.unavailable, "no memory for a connection to PostgreSQL")
        }
        guard cpostgres_is_open(handle) else {
            let reason = AddressText.message(Self.line(cpostgres_error(handle)), about: address)
            cpostgres_close(handle)
            throw StoreError(
                .unavailable, "PostgreSQL can't be reached: \(reason)",
                hint: "nothing was changed; what is published is still served")
        }
        self.handle = handle
    }

    deinit {
        cpostgres_close(handle)
    }

    var isOpen: Bool { cpostgres_is_open(handle) }

    /// Whether the last command brought a warning. A commit whose wait for a standby was cancelled succeeds with one.
    var warned: Bool { cpostgres_warned(handle) }

    /// Executes one command.
    /// - Parameter limit: the longest time for this command, if it is another one.
    /// - Returns: the values of each row.
    @discardableResult
    func execute(
        _ command: String, _ parameters: [Parameter] = [], within limit: Duration? = nil
    ) throws(StoreError) -> [[String?]] {
        try perform(command, parameters, isBinary: false, limit ?? self.limit).map { row in
            row.map { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
    }

    /// Fetches one value; nil if there is none.
    func value(_ command: String, _ parameters: [Parameter] = []) throws(StoreError) -> String? {
        try execute(command, parameters).first?.first ?? nil
    }

    /// Fetches one value as bytes; nil if there is none.
    func bytes(_ command: String, _ parameters: [Parameter]) throws(StoreError) -> Data? {
        try perform(command, parameters, isBinary: true, limit).first?.first ?? nil
    }

    private func perform(
        _ command: String, _ parameters: [Parameter], isBinary: Bool, _ limit: Duration
    ) throws(StoreError) -> [[Data?]] {
        let end = ContinuousClock.now + limit
        try send(command, parameters, isBinary: isBinary, limit)
        guard let rows = try receive(max(.milliseconds(1), end - .now)) else {
            // The reply would be taken for that of the next command.
            throw Self.lost("no reply within \(limit)")
        }
        return rows
    }

    /// Sends a command whose reply ``receive(_:)`` waits for.
    func send(_ command: String) throws(StoreError) { try send(command, [], isBinary: false, limit) }

    private func send(
        _ command: String, _ parameters: [Parameter], isBinary: Bool, _ limit: Duration
    ) throws(StoreError) {
        // With a byte after each value, which ends a text, and makes the pointer of an empty value valid.
        let values = parameters.map { Self.data($0).map { NSData(data: $0 + [0]) } }
        let lengths = values.map { Int32(($0?.length ?? 1) - 1) }
        let formats = parameters.map { if case .bytes = $0 { Int32(1) } else { Int32(0) } }
        let ended = withExtendedLifetime(values) {
            cpostgres_send(
                handle, command, Int32(parameters.count), values.map { $0?.bytes.assumingMemoryBound(to: CChar.self) }, lengths,
                formats, isBinary, Self.milliseconds(limit))
        }
        switch Int(ended) {
        case CPOSTGRES_REPLIED: return
        case CPOSTGRES_LATE: throw Self.lost("it could not be sent within \(limit)")
        default: throw Self.lost(Self.line(cpostgres_error(handle)))
        }
    }

    /// Waits for the reply to the command that was sent.
    /// - Returns: the values of each row; nil if the time is over, and this must be called again.
    func receive(_ time: Duration) throws(StoreError) -> [[Data?]]? {
        var result: OpaquePointer?
        let ended = Int(cpostgres_receive(handle, Self.milliseconds(time), &result))
        if ended == CPOSTGRES_LATE { return nil }
        guard ended == CPOSTGRES_REPLIED, let result else { throw Self.lost(Self.line(cpostgres_error(handle))) }
        defer { cpostgres_clear(result) }
        guard cpostgres_succeeded(result) else {
            throw PostgresConnection.error(String(cString: cpostgres_state(result)), Self.line(cpostgres_message(result)))
        }
        return (0..<cpostgres_rows(result)).map { row in
            (0..<cpostgres_columns(result)).map { column in
                var length: Int32 = 0
                return cpostgres_value(result, row, column, &length).map { Data(bytes: $0, count: Int(length)) }
            }
        }
    }

    private static func lost(_ reason: String) -> StoreError {
        StoreError(.unavailable, "the connection to PostgreSQL is lost: \(reason)", hint: "try again")
    }

    /// Waits for a notification.
    /// - Throws: if the connection is lost.
    func wait(_ time: Duration) throws(StoreError) {
        guard Int(cpostgres_wait(handle, Self.milliseconds(time), -1)) != CPOSTGRES_LOST else {
            throw Self.lost(Self.line(cpostgres_error(handle)))
        }
    }

    // MARK: Values

    private static func data(_ parameter: Parameter) -> Data? {
        switch parameter {
        case .text(let text): text.map { Data($0.utf8) }
        case .bytes(let data): data
        }
    }

    private static func milliseconds(_ time: Duration) -> Int32 { Int32(clamping: max(1, time.milliseconds)) }

    /// One line of a message of libpq.
    private static func line(_ text: UnsafePointer<CChar>) -> String {
        String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    /// - Parameter state: five characters of the SQL standard (PostgreSQL documentation, appendix A).
    private static func error(_ state: String, _ message: String) -> StoreError {
        switch state.prefix(2) {
        // Connection, insufficient resources, operator intervention, system error, read-only standby.
        case "08", "53", "57", "58", "25":
            StoreError(.unavailable, "PostgreSQL can't do this now: \(message)", hint: "try again; nothing was changed")
        case "55", "40":
            StoreError(
                .busy, "another server publishes, or waits for a standby that does not answer: \(message)",
                hint: "try again; nothing was changed")
        case "28": StoreError(.notPermitted, "PostgreSQL refuses this user: \(message)", hint: "check the address of the store")
        case "42", "3F":
            StoreError(
                .notAStore, "the database has no store, or another one: \(message)",
                hint: "`bellerophon-server store migrate` makes one")
        default: StoreError(.failed, "PostgreSQL failed: \(message) (\(state))")
        }
    }
}
#endif
