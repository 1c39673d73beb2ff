import NIOCore

/// A reply whose variants are rendered on first use. It is used on one event loop only.
final class StampedReply {
    let reply: PrerenderedReply
    private let date: String
    private var variants = [ByteBuffer?](repeating: nil, count: 9)

    init(_ reply: PrerenderedReply, date: String) {
        self.reply = reply
        self.date = date
    }

    func bytes(_ part: PrerenderedReply.Part, _ persistence: PrerenderedReply.Persistence) -> ByteBuffer {
        let index = part.rawValue * 3 + persistence.rawValue
        if let bytes = variants[index] { return bytes }
        let bytes = reply.render(part, persistence, date: date)
        variants[index] = bytes
        return bytes
    }
}
