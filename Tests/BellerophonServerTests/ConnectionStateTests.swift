import NIOCore
import NIOHTTP1
import Testing

@testable import BellerophonServer

/// What a connection does, told as sequences of events.
@Suite struct ConnectionStateTests {
    private typealias Connection = ConnectionUnderTest

    private static let begin = ConnectionAction.begin(Connection.head)

    // MARK: Requests

    @Test("A request without a body is complete at once, and the connection stays for the next one")
    func requestWithoutABody() {
        var test = Connection()
        #expect(test.reads() == true)
        test.state.bytesCame(40, at: test.now)
        #expect(test.state.bytesWereRead() == .nothing)
        #expect(test.receive(.head(Connection.head)) == Self.begin)
        test.route(expectsContinue: true)
        #expect(test.state.bodyIsRead() == false, "there is no body to continue with")
        #expect(test.receive(.end(nil)) == .nothing)
        #expect(test.wait(.hours(1)) == .nothing, "an endpoint has its own limit")
        #expect(test.state.replyBegins(isDraining: false) == false)
        #expect(test.finishReply() == .consumeHeldParts)
        #expect(test.takeHeld() == .nothing && test.takeHeld() == nil)
        #expect(test.receive(.head(Connection.head)) == Self.begin)
    }

    @Test("Requests that come during another one wait, are answered in their order, and are no reason to close")
    func pipelining() {
        var test = Connection.withRequest()
        let second = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/2")
        let third = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/3")
        for part in [.head(second), .end(nil), .head(third)] as [HTTPServerRequestPart] {
            #expect(test.receive(part) == .nothing)
        }
        #expect(test.reads() == false, "more could only wait")
        #expect(test.finishReply() == .consumeHeldParts)
        #expect(test.wait(.hours(1)) == .nothing, "the server is late, not the client")
        #expect(test.takeHeld(isWritable: false) == nil, "the client takes no more replies")
        #expect(test.becomesWritable(true) == .consumeHeldParts)
        #expect(test.takeHeld() == .nothing, "the end of the first request")
        #expect(test.takeHeld() == .begin(second))
        test.route()
        #expect(test.takeHeld() == nil, "the second one is being answered")
        #expect(test.finishReply() == .consumeHeldParts)
        #expect(test.receive(.end(nil)) == .nothing, "the end of the third request comes behind its head")
        #expect(test.takeHeld() == .nothing && test.takeHeld() == .begin(third))
        test.route()
        #expect(test.finishReply() == .consumeHeldParts)
        #expect(test.takeHeld() == .nothing && test.takeHeld() == nil)
    }

    @Test("A body is passed on as it comes, after 100 Continue if the client waits for that")
    func body() {
        var test = Connection.withBody(expectsContinue: true)
        #expect(test.state.bodyIsRead() && test.state.bodyIsRead() == false, "100 Continue is sent once")
        #expect(test.receive(.body(Connection.piece)) == .passBody(Connection.piece))
        #expect(test.receive(.end(nil)) == .completeBody)
        #expect(test.state.replyBegins(isDraining: false) == false)
        #expect(test.finishReply() == .consumeHeldParts)
        var impatient = Connection.withBody(expectsContinue: true)
        #expect(impatient.receive(.body(Connection.piece)) == .passBody(Connection.piece))
        #expect(impatient.state.bodyIsRead() == false, "the client did not wait")
        var late = Connection.withBody(expectsContinue: true)
        _ = late.state.replyBegins(isDraining: false)
        #expect(late.state.bodyIsRead() == false, "the reply has begun")
    }

    @Test("Reading pauses while the endpoint consumes the body too slowly")
    func slowEndpoint() {
        var test = Connection.withBody()
        #expect(test.reads(isWritable: false) == true, "a body is read whatever waits for the client")
        test.state.bodyIsHeld()
        #expect(test.reads() == false && test.resumes() == false)
        test.state.bodyIsWanted()
        #expect(test.resumes() && test.resumes() == false, "a read that was held is performed once")
    }

    // MARK: Refusals

    @Test("A body beyond its limit fails once; its rest is dropped, and the reply to it is the last one")
    func largeBody() {
        var test = Connection.withBody()
        let all = ByteBuffer(repeating: 0, count: 100)
        #expect(test.receive(.body(all)) == .passBody(all))
        #expect(test.receive(.body(ByteBuffer(repeating: 0, count: 1))) == .failBody(.tooLarge(100)))
        test.state.bodyIsHeld()
        #expect(test.reads() == true, "what is dropped does not wait for the endpoint")
        #expect(test.receive(.body(Connection.piece)) == .nothing)
        #expect(test.wait(.seconds(20)) == .nothing)
        #expect(test.receive(.end(nil)) == .nothing)
        #expect(test.state.replyBegins(isDraining: false) == true)
        #expect(test.finishReply() == .closeOnceWritten(.all))
    }

    @Test("A reply that does not wait for the body is the last one, and what still comes is dropped for two seconds")
    func earlyReply() {
        var test = Connection.withBody()
        #expect(test.state.replyBegins(isDraining: false) == true)
        #expect(test.receive(.body(Connection.piece)) == .passBody(Connection.piece), "the endpoint may still read it")
        #expect(test.finishReply() == .closeOnceWritten(.output), "a close in both directions could lose the reply")
        #expect(test.reads() && test.receive(.body(Connection.piece)) == .nothing && test.receive(.end(nil)) == .nothing)
        #expect(test.waitExactly(.seconds(2)) == [.nothing, .close])
        var complete = Connection.withBody()
        _ = complete.state.replyBegins(isDraining: false)
        _ = complete.receive(.end(nil))
        #expect(complete.finishReply() == .closeOnceWritten(.all), "the client has sent everything")
    }

    @Test("A head is refused if it is too large, or not complete ten seconds after its first byte")
    func head() {
        var large = Connection.idle()
        large.state.bytesCame(90, at: large.now)
        large.state.bytesCame(10, at: large.now)
        #expect(large.state.bytesWereRead() == .nothing)
        large.state.bytesCame(1, at: large.now)
        #expect(large.state.bytesWereRead() == .refuse(.headTooLarge))
        var slow = Connection.idle()
        #expect(slow.wait(.seconds(59)) == .nothing)
        slow.state.bytesCame(1, at: slow.now)
        #expect(slow.wait(.seconds(9)) == .nothing)
        slow.state.bytesCame(1, at: slow.now)
        #expect(slow.waitExactly(.seconds(1)) == [.nothing, .refuse(.headTooSlow)])
    }

    @Test("A body that is not complete in time fails once")
    func slowBody() {
        for isHeld in [false, true] {
            var test = Connection.withBody()
            if isHeld { test.state.bodyIsHeld() }
            _ = test.wait(.seconds(10))
            #expect(test.receive(.body(Connection.piece)) == .passBody(Connection.piece))
            #expect(test.waitExactly(.seconds(10)) == [.nothing, .failBody(.bodyTooSlow)])
            #expect(test.reads() && test.wait(.seconds(20)) == .nothing)
            #expect(test.state.replyBegins(isDraining: false) == true)
        }
    }

    @Test("Input that is not HTTP is refused while a reply is possible, and a broken channel closes")
    func brokenInput() {
        var test = Connection()
        #expect(test.state.failed(with: HTTPParserError.invalidMethod) == .refuse(.invalidRequest))
        #expect(test.state.failed(with: HTTPParserError.headerOverflow) == .refuse(.headTooLarge))
        var upload = Connection.withBody()
        #expect(upload.state.failed(with: HTTPParserError.invalidChunkSize) == .failBody(.invalidRequest))
        #expect(upload.state.failed(with: HTTPParserError.invalidChunkSize) == .nothing)
        var request = Connection.withRequest()
        #expect(request.state.failed(with: HTTPParserError.invalidMethod) == .nothing, "the request before it gets its reply")
        #expect(request.finishReply() == .closeOnceWritten(.all))
        var stream = Connection.withStream()
        #expect(stream.state.failed(with: HTTPParserError.invalidMethod) == .close)
        for error in [HTTPParserError.invalidEOFState, ChannelError.ioOnClosedChannel] as [any Error] {
            for var test in [Connection(), .withBody(), .withRequest(), .withStream()] {
                #expect(test.state.failed(with: error) == .close)
                #expect(test.state.failed(with: error) == .nothing)
            }
        }
    }

    // MARK: The end

    @Test("A connection without a request ends after a minute, and waits half a minute for the client to take its end")
    func idleTime() {
        for var test in [Connection(), .idle()] {
            #expect(test.waitExactly(.seconds(60)) == [.nothing, .closeOnceWritten(.all)])
            #expect(test.receive(.head(Connection.head)) == .nothing, "it is too late")
            #expect(test.waitExactly(.seconds(30)) == [.nothing, .close])
            #expect(test.wait(.seconds(30)) == .nothing)
        }
    }

    @Test("A handshake has ten seconds, and nothing can be sent before its end")
    func handshake() {
        var slow = Connection(isSecure: true)
        #expect(slow.receive(.head(Connection.head)) == .nothing)
        #expect(slow.waitExactly(.seconds(10)) == [.nothing, .close])
        var refused = Connection(isSecure: true)
        #expect(refused.state.lastReplyWasWritten(dropsInput: false, at: refused.now) == .close)
        var test = Connection(isSecure: true)
        #expect(test.wait(.seconds(9)) == .nothing)
        test.state.handshakeCompleted(at: test.now)
        #expect(test.waitExactly(.seconds(60)) == [.nothing, .closeOnceWritten(.all)])
    }

    @Test("A client that closes its side still gets the reply to a complete request")
    func clientClosesItsSide() {
        var request = Connection.withRequest()
        #expect(request.state.inputClosed(at: request.now) == .nothing)
        #expect(request.finishReply() == .closeOnceWritten(.all))
        #expect(request.state.inputClosed(at: request.now) == .nothing, "the reply is still on its way")
        var idle = Connection.idle()
        #expect(idle.state.inputClosed(at: idle.now) == .closeOnceWritten(.all))
        for var test in [Connection(isSecure: true), .withBody(), .withStream()] {
            #expect(test.state.inputClosed(at: test.now) == .close)
        }
    }

    @Test("Nothing is done on a connection that is closed")
    func closed() {
        for var test in [Connection(), .withBody(), .withRequest(), .withStream()] {
            #expect(test.state.close() == .close)
            #expect(test.state.close() == .nothing)
            #expect(test.receive(.head(Connection.head)) == .nothing && test.receive(.body(Connection.piece)) == .nothing)
            #expect(test.finishReply() == .nothing && test.wait(.hours(1)) == .nothing)
            #expect(test.state.inputClosed(at: test.now) == .nothing && test.shutDown() == .nothing)
            #expect(test.state.lastReplyWasWritten(dropsInput: true, at: test.now) == .nothing)
        }
        var gone = Connection.withBody()
        gone.state.phase = .closed
        #expect(gone.state.close() == .nothing, "the client was faster")
    }

    // MARK: Streams and slow readers

    @Test("A stream gets heartbeats, what it has missed and a goodbye, and reads nothing")
    func stream() {
        var test = Connection.withStream()
        #expect(test.reads() == false && test.receive(.head(Connection.head)) == .nothing)
        #expect(test.wait(.seconds(5)) == .sendHeartbeat)
        #expect(test.becomesWritable(false, waiting: 5) == .nothing)
        #expect(test.becomesWritable(true) == .sendMissedEvents)
        #expect(test.shutDown() == .endStream(within: .seconds(7)))
        #expect(test.state.lastReplyWasWritten(dropsInput: false, at: test.now) == .closeOnceWritten(.all))
    }

    @Test("A client that takes nothing for half a minute is disconnected, and one that takes some is kept")
    func stalledClient() {
        for var test in [Connection(isSecure: true), .idle(), .withRequest()] {
            _ = test.becomesWritable(false, waiting: 5)
            #expect(test.reads(isWritable: false) == false, "more requests would only add to what waits")
            #expect(test.wait(.seconds(9), waiting: 5) == .nothing)
            #expect(test.wait(.seconds(21), waiting: 5) == .close)
        }
        var slow = Connection.withStream()
        _ = slow.becomesWritable(false, waiting: 5)
        #expect(slow.wait(.seconds(30), waiting: 4) == .sendHeartbeat)
        #expect(slow.wait(.seconds(29), waiting: 4) == .sendHeartbeat)
        #expect(slow.wait(.seconds(1), waiting: 4) == .close, "half a minute after it took the last byte")
    }

    @Test("A slow reader gets the whole of the last reply")
    func slowReaderOfTheLastReply() {
        var test = Connection.withRequest()
        #expect(test.finishReply(isLast: true) == .closeOnceWritten(.all))
        test.state.waiting = 100
        #expect(test.wait(.seconds(30), waiting: 90) == .nothing)
        #expect(test.wait(.seconds(29), waiting: 90) == .nothing)
        _ = test.becomesWritable(false, waiting: 90)
        #expect(test.wait(.seconds(29), waiting: 90) == .nothing, "it has the whole time again")
        #expect(test.becomesWritable(true) == .nothing)
        #expect(test.wait(.seconds(29)) == .nothing && test.wait(.seconds(1)) == .close)
    }

    // MARK: The shutdown of the server

    @Test("During a shutdown accepted requests are answered, and each reply is the last one of its connection")
    func shutdownDuringRequests() {
        var request = Connection.withRequest()
        #expect(request.shutDown() == .nothing)
        #expect(request.state.replyBegins(isDraining: false) == true)
        #expect(request.finishReply() == .closeOnceWritten(.all))
        var upload = Connection.withBody(expectsContinue: true)
        #expect(upload.shutDown() == .nothing)
        #expect(upload.state.bodyIsRead() && upload.receive(.body(Connection.piece)) == .passBody(Connection.piece))
        #expect(upload.receive(.end(nil)) == .completeBody && upload.state.replyBegins(isDraining: false))
        var later = Connection.withRequest()
        #expect(later.state.replyBegins(isDraining: true) == true, "it began before the shutdown")
        var held = Connection.withRequest()
        _ = held.receive(.head(Connection.head))
        _ = held.finishReply()
        #expect(held.shutDown() == .nothing, "what was read is answered")
        #expect(held.takeHeld() == .nothing && held.takeHeld() == Self.begin)
    }

    @Test("During a shutdown a connection has two seconds for a request that is on its way")
    func shutdownBetweenRequests() {
        var idle = Connection.idle()
        #expect(idle.shutDown() == .closeOnceWritten(.output), "the client asks on another connection")
        let kept: [(Connection, ConnectionAction)] = [
            (Connection(), .closeOnceWritten(.all)), (.idle(), .closeOnceWritten(.all)), (Connection(isSecure: true), .close),
        ]
        for (connection, end) in kept {
            var test = connection
            #expect(test.shutDown(keepsIdle: true) == .nothing)
            #expect(test.wait(.seconds(1)) == .nothing && test.shutDown(keepsIdle: true) == .nothing)
            #expect(test.waitExactly(.seconds(1)) == [.nothing, end], "a second word of it gives nobody more time")
        }
        var begun = Connection.idle()
        begun.state.bytesCame(1, at: begun.now)
        #expect(begun.shutDown() == .nothing)
        #expect(begun.receive(.head(Connection.head)) == Self.begin)
    }

    @Test("Once another process takes over, a connection has no further request, and what it transfers goes on")
    func endOfRequests() {
        var (idle, busy) = (Connection.idle(), Connection.withRequest())
        #expect(idle.state.mayGetRequest && idle.endRequests() == .closeOnceWritten(.output))
        #expect(!busy.state.mayGetRequest && busy.endRequests() == .nothing)
        var begun = Connection.idle()
        begun.state.bytesCame(1, at: begun.now)
        #expect(begun.state.mayGetRequest && begun.endRequests() == .refuse(.headTooSlow), "the client may send it again")
        var secure = Connection(isSecure: true)
        #expect(secure.state.mayGetRequest && secure.endRequests() == .close)
    }

    @Test("The bytes that wait for the client are measured only at the end of a connection")
    func measuring() {
        for var test in [Connection(), .idle(), .withBody(), .withRequest(), .withStream(), Connection(isSecure: true)] {
            var wasMeasured = false
            _ = test.state.tick(at: test.now) {
                wasMeasured = true
                return 0
            }
            #expect(!wasMeasured)
        }
    }
}
