import NIOCore

/// The replies to simple requests, from the bytes of the requests and a read model. It is used on one thread only.
struct SimpleReplies {
    var cache: ReplyCache
    var counts = RequestCounts()

    init(_ readModel: ReadModel) {
        cache = ReplyCache(readModel)
    }

    /// The replies to the simple requests with which the input begins.
    /// - Parameter permits: counts a request of the client, which arrived at this time. No request is answered from the first one
    ///   that is not permitted.
    /// - Returns: the replies, and the number of bytes of their requests.
    mutating func answer(
        _ input: UnsafeRawBufferPointer, permits: (NIODeadline) -> Bool
    ) -> (output: ByteBuffer, used: Int) {
        func text(_ range: Range<Int>) -> String {
            String(decoding: UnsafeRawBufferPointer(rebasing: input[range]), as: UTF8.self)
        }
        let arrived = NIODeadline.now()
        var (output, used) = (ByteBuffer(), 0)
        while used < input.count, let request = SimpleRequest(input, at: used), let stamped = cache.reply(text(request.path)),
            permits(arrived)
        {
            let (reply, code) = stamped.bytes(
                isHead: request.isHead,
                unless: { etag in
                    guard let condition = request.condition else { return false }
                    // Most conditions are the tag alone, which needs no string of its own.
                    var etag = etag
                    let isSame = etag.withUTF8 { $0.elementsEqual(input[condition]) }
                    return isSame || EntityTags.match([text(condition)], etag)
                }, .implied)
            counts.add(
                stamped.route, code, bytes: reply.readableBytes, nanoseconds: (NIODeadline.now() - arrived).nanoseconds)
            if used == 0 { output = reply } else { output.writeImmutableBuffer(reply) }
            used = request.end
        }
        return (output, used)
    }
}
