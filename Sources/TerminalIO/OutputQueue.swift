/// Bytes that wait until a descriptor takes them.
package struct OutputQueue {
    private var bytes: [UInt8] = []
    private var sent = 0

    package init() {}

    package var isEmpty: Bool { sent == bytes.count }
    package var count: Int { bytes.count - sent }

    package mutating func append(_ more: [UInt8]) {
        if isEmpty {
            bytes.removeAll(keepingCapacity: true)
            sent = 0
        }
        bytes += more
    }

    /// Takes the storage out, for a caller that appends to it in place.
    package mutating func takeStorage() -> [UInt8] {
        if sent > 0 { bytes.removeFirst(sent) }
        sent = 0
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    package mutating func put(back storage: [UInt8]) {
        bytes = storage
        sent = 0
    }

    /// Takes out the first bytes, at most as many as given.
    package mutating func removePrefix(_ limit: Int) -> ArraySlice<UInt8> {
        let piece = bytes[sent...].prefix(limit)
        sent += piece.count
        return piece
    }

    /// Sends as much as is taken. What can't be sent because the other end is gone is dropped.
    package mutating func send(_ write: (ArraySlice<UInt8>) -> WriteResult) {
        while !isEmpty {
            switch write(bytes[sent...]) {
            case .wrote(0): return
            case .wrote(let count): sent += count
            case .gone: sent = bytes.count
            }
        }
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
        sent = 0
    }
}
