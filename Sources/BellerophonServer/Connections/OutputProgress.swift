import NIOCore

/// Whether a client takes the bytes that were written for it.
struct OutputProgress: Equatable {
    /// Since when the channel has been unwritable; updated while the client takes bytes. Nil if the channel is writable.
    private(set) var stalledSince: NIODeadline?
    /// The bytes that waited for the client at the last measurement.
    private var waiting = 0

    mutating func writabilityChanged(_ isWritable: Bool, waiting: Int, at now: NIODeadline) {
        stalledSince = isWritable ? nil : now
        self.waiting = waiting
    }

    /// Sets the number of waiting bytes with which the next measurement is compared.
    mutating func measured(_ waiting: Int) {
        self.waiting = waiting
    }

    /// Whether fewer bytes wait than at the last measurement: a client that took some is slow, not gone.
    mutating func hasTakenBytes(_ waiting: Int) -> Bool {
        defer { self.waiting = waiting }
        return waiting < self.waiting
    }

    /// Whether the channel has been unwritable for the limit and the client took nothing meanwhile.
    /// - Parameter waiting: measures the bytes that wait for the client.
    mutating func hasStalled(for limit: TimeAmount, at now: NIODeadline, waiting: () -> Int) -> Bool {
        guard let since = stalledSince else { return false }
        if hasTakenBytes(waiting()) {
            stalledSince = now
            return false
        }
        return now - since >= limit
    }
}
