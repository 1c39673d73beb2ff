/// Bytes that wait until a descriptor takes them.
struct OutputQueue {
    private var bytes: [UInt8] = []
    private var sent = 0

    var isEmpty: Bool { sent == bytes.count }
    var count: Int { bytes.count - sent }

    mutating func append(_ more: [UInt8]) {
        if isEmpty { bytes.removeAll(keepingCapacity: true) }
        bytes += more
    }

    /// Takes the storage out, for a caller that appends to it in place.
    mutating func takeStorage() -> [UInt8] {
        if sent > 0 { bytes.removeFirst(sent) }
        sent = 0
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    mutating func put(back storage: [UInt8]) {
        bytes = storage
        sent = 0
    }

    /// Sends as much as is taken. What can't be sent because the other end is gone is dropped.
    mutating func send(_ write: (ArraySlice<UInt8>) -> WriteResult) {
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
