#if Server
import Foundation
import NIOCore

extension ConnectionHandler {
    /// A client that closes the connection after one request never moves.
    static let requestsBeforeMove = 2
    /// A connection that has returned sends other requests too, and would move back and forth.
    static let requestsBeforeSecondMove = 512

    /// Replies to the simple requests with which the input begins, without the parser. All other input is for the parser, so
    /// that one definition of HTTP decides about it.
    /// - Returns: the number of bytes that were read.
    func answerDirectly(_ input: ByteBuffer) -> Int {
        guard parser.isAtStart, state.takesSimpleRequests, !endsAfterReply, loop.settings.answersDirectly else { return 0 }
        return input.withUnsafeReadableBytes { bytes in
            var used = 0
            while used < bytes.count, let request = SimpleRequest(bytes, at: used),
                let entry = loop.entry(UnsafeRawBufferPointer(rebasing: bytes[request.path])), permitsRequest()
            {
                answer(request, entry, bytes)
                used = request.end
            }
            return used
        }
    }

    /// Counts a request of the client. A refused request does not count; the parser takes it, and it is refused there.
    private func permitsRequest() -> Bool {
        guard let address else { return true }
        return loop.limiters.rates.take(address, rate: limits.requestsPerAddress, at: .now()) == nil
    }

    private func answer(_ request: SimpleRequest, _ entry: ReplyTable.Entry, _ input: UnsafeRawBufferPointer) {
        arrived = .now()
        let (bytes, code) = entry.answer(request, in: input)
        state.simpleRequestCame(at: loop.now)
        requestsUntilMove -= 1
        write(bytes)
        note(
            entry.reply.reply.route, code, bytes: bytes.readableBytes, since: arrived,
            method: request.isHead ? "HEAD" : "GET", path: String(decoding: input[request.path], as: UTF8.self))
    }

    /// Moves the connection to the loop's ``ReaderLane`` if nothing but its next request is missing.
    func move(_ context: ChannelHandlerContext) {
        requestsUntilMove = Self.requestsBeforeMove
        guard let readers = loop.readers, !loop.isDraining, parser.isAtStart, bufferedBytes == 0, job == nil,
            let until = state.idleDeadline, let slot, let socket = Self.copy(of: context.channel)
        else { return }
        hasMoved = true
        readers.lane.keep(socket, KeptConnection(until: until, address: address, slot: slot, home: readers.home))
        // Closes this channel's descriptor; the connection has another one.
        close()
    }

    /// Another descriptor of a channel's socket; nil if there is none.
    private static func copy(of channel: any Channel) -> CInt? {
        let copy = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            fcntl($0, F_DUPFD_CLOEXEC, 0)
        }
        guard let copy, copy >= 0 else { return nil }
        return copy
    }
}
#endif
