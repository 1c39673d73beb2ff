import NIOCore

/// A connection that moves from the ``Readers`` to an event loop.
struct Arrival: Sendable {
    let socket: Int32
    /// Nil for a connection beyond the limits, which is refused.
    let slot: ConnectionSlot?
    /// The client's address, if its requests have a limit.
    var address: AddressKey?
    /// When the connection closes if no further request arrives; nil before the first one.
    var idleUntil: NIODeadline?
    /// Bytes that the client sent and nobody has interpreted, beginning with a request.
    var input = ByteBuffer()
    /// The end of a reply, which the client has not taken yet.
    var output = ByteBuffer()
    /// Replies on this connection came from it. Later ones must not be older.
    let readModel: ReadModel

    init(socket: Int32, slot: ConnectionSlot?, readModel: ReadModel) {
        (self.socket, self.slot, self.readModel) = (socket, slot, readModel)
    }

    init(_ connection: ReaderConnection, readModel: ReadModel) {
        self.init(socket: connection.socket, slot: connection.slot, readModel: readModel)
        address = connection.address
        idleUntil = connection.isFirst ? nil : connection.until
    }
}
