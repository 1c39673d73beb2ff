/// The counts of open connections, of all and of each address.
///
/// Beyond `limits.connections`, or the limit of its address, a connection may still take a reserved slot. Its client has two
/// seconds to show a known token, and gets one reply. So nobody without a token can keep operators out by holding connections.
final class ConnectionSlots: Sendable {
    private let ordinary = Limiter()
    private let reserved = Limiter()
    private let byAddress = KeyedCounts<AddressKey>()
    private let reservedByAddress = KeyedCounts<AddressKey>()

    /// All open connections, without those that are refused.
    var count: Int { ordinary.value + reserved.value }

    /// Takes a slot; nil if the connection is refused.
    /// - Parameter address: the client's address, if it has a limit.
    func acquire(_ address: AddressKey?, _ limits: Limits) -> ConnectionSlot? {
        let slot = ConnectionSlot(address: address, isReserved: false, slots: self)
        if Self.acquire(slot, ordinary, limits.connections, byAddress, limits.connectionsOfAnAddress) { return slot }
        let last = ConnectionSlot(address: address, isReserved: true, slots: self)
        let share = max(1, limits.reservedConnections / 4)
        return Self.acquire(last, reserved, limits.reservedConnections, reservedByAddress, share) ? last : nil
    }

    private static func acquire(
        _ slot: ConnectionSlot, _ all: Limiter, _ limit: Int, _ counts: KeyedCounts<AddressKey>, _ share: Int
    ) -> Bool {
        if let address = slot.address, !counts.acquire(address, limit: share) { return false }
        if all.acquire(limit: limit) { return true }
        if let address = slot.address { counts.release(address) }
        return false
    }

    fileprivate func release(_ slot: ConnectionSlot) {
        (slot.isReserved ? reserved : ordinary).release()
        if let address = slot.address { (slot.isReserved ? reservedByAddress : byAddress).release(address) }
    }
}

/// The slot of an open connection, which moves with it. It must be released exactly once.
struct ConnectionSlot: Sendable {
    fileprivate let address: AddressKey?
    /// The connection is only for a client with a known token.
    let isReserved: Bool
    fileprivate let slots: ConnectionSlots

    func release() { slots.release(self) }
}
