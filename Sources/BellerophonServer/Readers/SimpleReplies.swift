import NIOCore

/// The replies to simple requests, from the bytes of the requests and a read model. It is used on one thread only.
struct SimpleReplies {
    var cache: ReplyCache
    var counts = RequestCounts()

    /// The replies to the simple requests with which the input begins.
    /// - Returns: the replies, and the number of bytes of their requests.
    mutating func answer(_ input: UnsafeRawBufferPointer) -> (output: ByteBuffer, used: Int) {
        func text(_ range: Range<Int>) -> String {
            String(decoding: UnsafeRawBufferPointer(rebasing: input[range]), as: UTF8.self)
        }
        var (output, used) = (ByteBuffer(), 0)
        while used < input.count, let request = SimpleRequest(input, at: used), let stamped = cache.reply(text(request.path)) {
            let (reply, code) = stamped.bytes(
                isHead: request.isHead,
                unless: { etag in
                    guard let condition = request.condition else { return false }
                    // Most conditions are the tag alone, which needs no string of its own.
                    var etag = etag
                    let isSame = etag.withUTF8 { $0.elementsEqual(input[condition]) }
                    return isSame || EntityTags.match([text(condition)], etag)
                }, .implied)
            counts.add(stamped.route, code)
            if used == 0 { output = reply } else { output.writeImmutableBuffer(reply) }
            used = request.end
        }
        return (output, used)
    }
}
