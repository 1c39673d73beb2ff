/// Keeps the last known status between two runs of an app.
public protocol StatusStore: Sendable {
    /// The record of an earlier run; nil where there is none.
    /// - Throws: where there is one and it cannot be read.
    func load() throws -> StatusRecord?

    /// Replaces the record, whole or not at all. One that is newer, written by another process, may stay.
    func save(_ record: StatusRecord) throws
}
