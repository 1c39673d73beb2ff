import NIOCore

/// A connection that moves from the ``Readers`` to an event loop.
struct Arrival: Sendable {
    let connection: ReaderConnection
    /// Replies on this connection came from it. Later ones must not be older.
    let readModel: ReadModel
    /// Bytes that the client sent and nobody has interpreted, beginning with a request.
    var input = ByteBuffer()
    /// The end of a reply, which the client has not taken yet.
    var output = ByteBuffer()
}
