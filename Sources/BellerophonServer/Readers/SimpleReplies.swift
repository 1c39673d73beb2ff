import Foundation
import NIOCore

/// The replies to simple requests, from the bytes of the requests and a read model. It is used on one thread only.
struct SimpleReplies {
    private(set) var readModel: ReadModel
    var counts = RequestCounts()
    private let table = ReplyTable()
    private var second: Int64 = 0
    private var date = ""

    init(_ readModel: ReadModel) {
        self.readModel = readModel
        updateDate(at: time(nil))
    }

    /// Replies come from this read model from now on.
    mutating func show(_ newer: ReadModel) {
        readModel = newer
        table.removeAll()
    }

    /// Replies have this date from now on, in seconds since 1970.
    mutating func updateDate(at clock: Int) {
        guard clock != second else { return }
        second = Int64(clock)
        date = HTTPDate.text(second)
        table.removeAll()
    }

    /// The replies to the simple requests with which the input begins.
    /// - Parameter permits: counts a request of the client, which arrived at this time. No request is answered from the first one
    ///   that is not permitted.
    /// - Returns: the replies, and the number of bytes of their requests.
    mutating func answer(
        _ input: UnsafeRawBufferPointer, permits: (NIODeadline) -> Bool
    ) -> (output: ByteBuffer, used: Int) {
        let arrived = NIODeadline.now()
        var (output, used) = (ByteBuffer(), 0)
        while used < input.count, let request = SimpleRequest(input, at: used),
            let entry = entry(UnsafeRawBufferPointer(rebasing: input[request.path])), permits(arrived)
        {
            let (reply, code) = entry.answer(request, in: input)
            counts.add(
                entry.reply.reply.route, code, bytes: reply.readableBytes, nanoseconds: (NIODeadline.now() - arrived).nanoseconds)
            if used == 0 { output = reply } else { output.writeImmutableBuffer(reply) }
            used = request.end
        }
        return (output, used)
    }

    private func entry(_ path: UnsafeRawBufferPointer) -> ReplyTable.Entry? {
        table.entry(for: path) { path in readModel.reply(path).map { StampedReply($0, date: date) } }
    }
}
