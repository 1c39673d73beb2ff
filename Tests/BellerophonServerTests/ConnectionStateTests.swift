#if Server
@testable import BellerophonServer
import NIOCore
import NIOHTTP1
import Testing

private typealias Sample = ConnectionSample
private typealias Row = ConnectionRow

/// Every event in every state of a connection. Events happen a second after the state was reached.
@Suite struct ConnectionStateTests {
    private let now = Sample.start + .seconds(1)

    private func after(_ seconds: Int64) -> NIODeadline { now + .seconds(seconds) }

    // MARK: Reading requests

    @Test func aStateBeginsWithItsHandshakeOrIdle() {
        #expect(Sample.handshaking.state.phase == .handshaking(until: Sample.start + .seconds(10)))
        #expect(Sample.fresh.state.phase == .idle(until: Sample.start + .seconds(60), isFirst: true))
        #expect(Sample.holding.state.held.count == 2)
    }

    @Test func theHandshakeIsCompleted() {
        expectEveryState(
            { $0.handshakeCompleted(at: now) == () },
            Row(true, in: .handshaking) { $0.phase = .idle(until: after(60), isFirst: true) },
            Row(
                true, in: .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue, .pausedBody, .failedBody,
                .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    @Test func bytesCome() {
        expectEveryState(
            { $0.bytesCame(5, at: now) == () },
            Row(true, in: .fresh, .idle, .holding) { $0.phase = .readingHead(bytes: 5, until: after(10)) },
            Row(true, in: .readingHead) { $0.phase = .readingHead(bytes: 15, until: Sample.start + .seconds(10)) },
            Row(
                true, in: .handshaking, .readingBody, .awaitingContinue, .pausedBody, .failedBody, .replyingEarly, .replying,
                .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    @Test(arguments: [(90, ConnectionAction.nothing), (91, .refuse(.headTooLarge))])
    func bytesOfAHeadWereRead(more: Int, action: ConnectionAction) {
        var state = Sample.readingHead.state
        state.bytesCame(more, at: now)
        #expect(state.bytesWereRead() == action)
    }

    @Test func bytesWereRead() {
        // 10 bytes of at most 100 have arrived.
        expectEveryState(
            { $0.bytesWereRead() },
            Row(
                .nothing, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue,
                .pausedBody, .failedBody, .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    @Test func aHeadComes() {
        let part = HTTPServerRequestPart.head(Sample.head)
        expectEveryState(
            { $0.partCame(part, at: now) },
            Row(.begin(Sample.head), in: .fresh, .idle, .readingHead) { $0.phase = .idle(until: after(60), isFirst: false) },
            Row(.nothing, in: .holding, .replying, .replyingLast) { $0.held.append(part) },
            Row(
                .nothing, in: .handshaking, .readingBody, .awaitingContinue, .pausedBody, .failedBody, .replyingEarly,
                .streaming, .finishing, .lingering, .closed))
    }

    @Test func aPieceOfABodyComes() {
        let part = HTTPServerRequestPart.body(Sample.bytes)
        expectEveryState(
            { $0.partCame(part, at: now) },
            Row(.passBody(Sample.bytes), in: .readingBody, .awaitingContinue) { $0.phase = .readingBody(body(4), .init()) },
            Row(.passBody(Sample.bytes), in: .pausedBody) { $0.phase = .readingBody(body(4, isHeld: true), .init()) },
            Row(.passBody(Sample.bytes), in: .replyingEarly) { $0.phase = .readingBody(body(4), .init(isLast: true)) },
            Row(.nothing, in: .failedBody) { $0.phase = .readingBody(body(4, isFailed: true), .init(isLast: true)) },
            Row(.nothing, in: .holding, .replying, .replyingLast) { $0.held.append(part) },
            Row(.nothing, in: .handshaking, .fresh, .idle, .readingHead, .streaming, .finishing, .lingering, .closed))
    }

    @Test func aPieceBeyondTheLimitComes() {
        let part = HTTPServerRequestPart.body(ByteBuffer(repeating: 0, count: 101))
        let failed = ConnectionState.Phase.readingBody(body(101, isFailed: true), .init(isLast: true))
        expectEveryState(
            { $0.partCame(part, at: now) },
            Row(.failBody(.tooLarge(100)), in: .readingBody, .awaitingContinue, .pausedBody, .replyingEarly) {
                $0.phase = failed
            },
            Row(.nothing, in: .failedBody) { $0.phase = failed },
            Row(.nothing, in: .holding, .replying, .replyingLast) { $0.held.append(part) },
            Row(.nothing, in: .handshaking, .fresh, .idle, .readingHead, .streaming, .finishing, .lingering, .closed))
    }

    @Test func theEndOfARequestComes() {
        let part = HTTPServerRequestPart.end(nil)
        expectEveryState(
            { $0.partCame(part, at: now) },
            Row(.completeBody, in: .readingBody, .pausedBody) { $0.phase = .replying(.init()) },
            Row(.completeBody, in: .awaitingContinue) { $0.phase = .replying(.init(owesContinue: true)) },
            Row(.completeBody, in: .replyingEarly) { $0.phase = .replying(.init(isLast: true)) },
            Row(.nothing, in: .failedBody) { $0.phase = .replying(.init(isLast: true)) },
            Row(.nothing, in: .holding, .replying, .replyingLast) { $0.held.append(part) },
            Row(.nothing, in: .handshaking, .fresh, .idle, .readingHead, .streaming, .finishing, .lingering, .closed))
    }

    @Test func aHeldPartIsTaken() {
        expectEveryState(
            { $0.takeHeldPart(isWritable: true, at: now) },
            Row(.nothing, in: .holding) { _ = $0.held.removeFirst() },
            Row(
                nil, in: .handshaking, .fresh, .idle, .readingHead, .readingBody, .awaitingContinue, .pausedBody, .failedBody,
                .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, .closed))
        expectEveryState(
            { $0.takeHeldPart(isWritable: false, at: now) },
            Row(
                nil, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue, .pausedBody,
                .failedBody, .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    // MARK: The router

    @Test func aStreamOpens() {
        expectEveryState(
            { $0.streamOpened() == () },
            Row(true, in: .fresh, .idle, .readingHead) { $0.phase = .streaming },
            Row(true, in: .holding) {
                $0.phase = .streaming
                $0.held.removeAll()
            },
            Row(
                true, in: .handshaking, .readingBody, .awaitingContinue, .pausedBody, .failedBody, .replyingEarly, .replying,
                .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    @Test func aRequestGoesToTheRouter() {
        expectEveryState(
            { $0.requestWasRouted(Sample.body, expectsContinue: true) == () },
            Row(true, in: .fresh, .idle, .holding, .readingHead) {
                $0.phase = .readingBody(Sample.body, .init(owesContinue: true))
            },
            Row(
                true, in: .handshaking, .readingBody, .awaitingContinue, .pausedBody, .failedBody, .replyingEarly, .replying,
                .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    @Test func aRequestWithoutABodyIsCompleteAtOnce() {
        var state = Sample.idle.state
        state.requestWasRouted(nil, expectsContinue: true)
        #expect(state.phase == .replying(.init()), "there is no body to continue with")
    }

    @Test func theRouterBeginsToReadTheBody() {
        expectEveryState(
            { $0.bodyIsRead() },
            Row(true, in: .awaitingContinue) { $0.phase = .readingBody(Sample.body, .init()) },
            Row(
                false, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .pausedBody, .failedBody,
                .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    @Test func theRouterConsumesTheBodyTooSlowly() {
        expectEveryState(
            { $0.bodyIsHeld() == () },
            Row(true, in: .readingBody) { $0.phase = .readingBody(body(isHeld: true), .init()) },
            Row(true, in: .awaitingContinue) { $0.phase = .readingBody(body(isHeld: true), .init(owesContinue: true)) },
            Row(true, in: .replyingEarly) { $0.phase = .readingBody(body(isHeld: true), .init(isLast: true)) },
            Row(
                true, in: .handshaking, .fresh, .idle, .holding, .readingHead, .pausedBody, .failedBody, .replying,
                .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    @Test func theRouterWantsMoreOfTheBody() {
        expectEveryState(
            { $0.bodyIsWanted() == () },
            Row(true, in: .pausedBody) { $0.phase = .readingBody(Sample.body, .init()) },
            Row(
                true, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue, .failedBody,
                .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, .closed))
    }

    @Test func theReplyBegins() {
        let early = ConnectionState.Phase.readingBody(Sample.body, .init(isLast: true))
        expectEveryState(
            { $0.replyBegins(isDraining: false) },
            Row(true, in: .readingBody, .awaitingContinue) { $0.phase = early },
            Row(true, in: .pausedBody) { $0.phase = .readingBody(body(isHeld: true), .init(isLast: true)) },
            Row(false, in: .replying),
            Row(
                true, in: .handshaking, .fresh, .idle, .holding, .readingHead, .failedBody, .replyingEarly, .replyingLast,
                .streaming, .finishing, .lingering, .closed))
        expectEveryState(
            { $0.replyBegins(isDraining: true) },
            Row(true, in: .readingBody, .awaitingContinue) { $0.phase = early },
            Row(true, in: .pausedBody) { $0.phase = .readingBody(body(isHeld: true), .init(isLast: true)) },
            Row(true, in: .replying) { $0.phase = .replying(.init(isLast: true)) },
            Row(
                true, in: .handshaking, .fresh, .idle, .holding, .readingHead, .failedBody, .replyingEarly, .replyingLast,
                .streaming, .finishing, .lingering, .closed))
    }

    @Test(arguments: [false, true])
    func theReplyEnds(isLast: Bool) {
        let others: [Row<ConnectionAction>] = [
            Row(.closeOnceWritten(.output), in: .readingBody, .awaitingContinue, .pausedBody, .failedBody, .replyingEarly) {
                $0.phase = .lingering(until: after(2))
            },
            Row(.closeOnceWritten(.all), in: .replyingLast) { $0.phase = .finishing(until: after(30)) },
            Row(
                .nothing, in: .handshaking, .fresh, .idle, .holding, .readingHead, .streaming, .finishing, .lingering, .closed),
        ]
        let replying: Row<ConnectionAction> =
            isLast
            ? Row(.closeOnceWritten(.all), in: .replying) { $0.phase = .finishing(until: after(30)) }
            : Row(.takeHeldParts, in: .replying) { $0.phase = .idle(until: after(60), isFirst: false) }
        expectEveryState({ $0.replyEnded(isLast: isLast, at: now) }, others + [replying])
    }

    private func body(_ received: Int64 = 0, isHeld: Bool = false, isFailed: Bool = false) -> ConnectionState.BodyProgress {
        .init(until: Sample.body.until, limit: 100, received: received, isHeld: isHeld, isFailed: isFailed)
    }
}
#endif
