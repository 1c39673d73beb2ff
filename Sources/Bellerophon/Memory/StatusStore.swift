/// Stores the last known status between two runs of an app.
public protocol StatusStore: Sendable {
    /// Reads the record of an earlier run; nil if there is none.
    /// - Throws: if a record exists and cannot be read.
    func load() throws -> StatusRecord?

    /// Replaces the record atomically. A newer record from another process may be kept.
    /// - Throws: if the record cannot be written.
    func save(_ record: StatusRecord) throws
}
