import NIOCore

/// The prerendered replies of one event loop by the bytes of their paths, for requests whose head is not parsed. It is used on
/// one thread only.
final class ReplyTable {
    /// A reply with what has been asked for it.
    final class Entry {
        let path: [UInt8]
        let reply: StampedReply
        private let etag: [UInt8]
        /// A condition that does not match: after a change, all clients send the same one.
        private var mismatch: [UInt8] = []

        init(_ path: [UInt8], _ reply: StampedReply) {
            self.path = path
            self.reply = reply
            etag = Array((reply.reply.etag ?? "").utf8)
        }

        /// The reply to a request for this path, and its status code.
        /// - Parameter input: the bytes to whose positions the request refers.
        func answer(_ request: SimpleRequest, in input: UnsafeRawBufferPointer) -> (bytes: ByteBuffer, code: Int) {
            if let condition = request.condition, !etag.isEmpty, matches(UnsafeRawBufferPointer(rebasing: input[condition])) {
                return (reply.bytes(.notModified, .implied), 304)
            }
            return (reply.bytes(request.isHead ? .head : .whole, .implied), 200)
        }

        private func matches(_ condition: UnsafeRawBufferPointer) -> Bool {
            if isSame(condition, etag) { return true }
            if !mismatch.isEmpty, isSame(condition, mismatch) { return false }
            let isMatch = EntityTags([String(decoding: condition, as: UTF8.self)]).matches(reply.reply.etag ?? "")
            if !isMatch { mismatch = Array(condition) }
            return isMatch
        }
    }

    /// A path's entry replaces another one with the same index.
    private var entries = [Entry?](repeating: nil, count: 256)
    private var isEmpty = true

    /// - Parameter make: makes the reply if the table does not have it; nil if there is none.
    func entry(for path: UnsafeRawBufferPointer, make: (String) -> StampedReply?) -> Entry? {
        let index = Self.index(path)
        if let entry = entries[index], isSame(path, entry.path) { return entry }
        guard let reply = make(String(decoding: path, as: UTF8.self)) else { return nil }
        let entry = Entry(Array(path), reply)
        entries[index] = entry
        isEmpty = false
        return entry
    }

    /// Removes all replies, because their content or the date has changed.
    func removeAll() {
        guard !isEmpty else { return }
        for index in entries.indices { entries[index] = nil }
        isEmpty = true
    }

    /// FNV-1a.
    private static func index(_ path: UnsafeRawBufferPointer) -> Int {
        var hash: UInt32 = 0x811c_9dc5
        for byte in path { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int((hash ^ hash >> 16) & 0xff)
    }
}

private func isSame(_ bytes: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
    guard bytes.count == other.count else { return false }
    for index in 0..<bytes.count where bytes[index] != other[index] { return false }
    return true
}
