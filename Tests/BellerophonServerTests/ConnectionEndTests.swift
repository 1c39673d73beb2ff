#if Server
@testable import BellerophonServer
import NIOCore
import NIOHTTP1
import Testing

private typealias Sample = ConnectionSample
private typealias Row = ConnectionRow

/// The events that end a connection or pause it, in every state. They happen a second after the state was reached.
@Suite struct ConnectionEndTests {
    private let now = Sample.start + .seconds(1)
    private let closed: (inout ConnectionState) -> Void = { $0.phase = .closed }

    private func after(_ seconds: Int64) -> NIODeadline { now + .seconds(seconds) }

    private func lasts(_ body: ConnectionState.BodyProgress = Sample.body) -> (inout ConnectionState) -> Void {
        { $0.phase = .readingBody(body, .init(isLast: true)) }
    }

    private var failed: ConnectionState.BodyProgress {
        var body = Sample.body
        body.isFailed = true
        return body
    }

    private var paused: ConnectionState.BodyProgress {
        var body = Sample.body
        body.isHeld = true
        return body
    }

    // MARK: The client and the channel

    @Test func theClientClosesItsSide() {
        expectEveryState(
            { $0.inputClosed(at: now) },
            Row(.closeOnceWritten(.all), in: .fresh, .idle, .holding, .readingHead) { $0.phase = .finishing(until: after(30)) },
            Row(
                .close, in: .handshaking, .readingBody, .awaitingContinue, .pausedBody, .failedBody, .replyingEarly, .streaming,
                .lingering, change: closed),
            Row(.nothing, in: .replying) { $0.phase = .replying(.init(isLast: true)) },
            Row(.nothing, in: .replyingLast, .finishing, .closed))
    }

    @Test(arguments: [(HTTPParserError.invalidMethod, HTTPError.invalidRequest), (.headerOverflow, .headTooLarge)])
    func theParserFails(error: HTTPParserError, refusal: HTTPError) {
        expectEveryState(
            { $0.failed(with: error) },
            Row(.refuse(refusal), in: .fresh, .idle, .holding, .readingHead),
            Row(.failBody(.invalidRequest), in: .readingBody, .pausedBody, .replyingEarly, change: lasts(failed)),
            Row(.failBody(.invalidRequest), in: .awaitingContinue) {
                $0.phase = .readingBody(failed, .init(isLast: true, owesContinue: true))
            },
            Row(.nothing, in: .replying) { $0.phase = .replying(.init(isLast: true)) },
            Row(.close, in: .handshaking, .streaming, .finishing, .lingering, change: closed),
            Row(.nothing, in: .failedBody, .replyingLast, .closed))
    }

    @Test(arguments: [HTTPParserError.invalidEOFState, ChannelError.ioOnClosedChannel] as [any Error])
    func theChannelFails(error: any Error) {
        expectEveryState(
            { $0.failed(with: error) },
            Row(
                .close, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue, .pausedBody,
                .failedBody, .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, change: closed),
            Row(.nothing, in: .closed))
    }

    @Test func theChannelIsClosed() {
        expectEveryState(
            { $0.channelClosed() == () },
            Row(
                true, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue, .pausedBody,
                .failedBody, .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, .closed,
                change: closed))
    }

    @Test func theServerClosesTheConnection() {
        expectEveryState(
            { $0.close() },
            Row(
                .close, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue, .pausedBody,
                .failedBody, .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, change: closed),
            Row(.nothing, in: .closed))
    }

    @Test(arguments: [false, true])
    func theLastReplyWasWritten(dropsInput: Bool) {
        expectEveryState(
            { $0.lastReplyWasWritten(dropsInput: dropsInput, at: now) },
            Row(.close, in: .handshaking, change: closed),
            Row(
                .closeOnceWritten(dropsInput ? .output : .all), in: .fresh, .idle, .holding, .readingHead, .readingBody,
                .awaitingContinue, .pausedBody, .failedBody, .replyingEarly, .replying, .replyingLast, .streaming
            ) { $0.phase = dropsInput ? .lingering(until: after(2)) : .finishing(until: after(30)) },
            Row(.nothing, in: .finishing, .lingering, .closed))
    }

    @Test(arguments: [false, true])
    func theServerPreparesToShutDown(keepsIdle: Bool) {
        let idle: Row<ConnectionAction> =
            keepsIdle
            ? Row(.nothing, in: .idle) { $0.phase = .idle(until: after(2), isFirst: false) }
            : Row(.closeOnceWritten(.output), in: .idle) { $0.phase = .lingering(until: after(2)) }
        expectEveryState(
            { $0.drain(returningWithin: .seconds(7), keepsIdle: keepsIdle, at: now) },
            idle,
            // What was read is answered.
            Row(.nothing, in: .holding) { $0.phase = .idle(until: after(2), isFirst: false) },
            Row(.nothing, in: .handshaking) { $0.phase = .handshaking(until: after(2)) },
            Row(.nothing, in: .fresh) { $0.phase = .idle(until: after(2), isFirst: true) },
            Row(.nothing, in: .readingBody, change: lasts()),
            Row(.nothing, in: .awaitingContinue) {
                $0.phase = .readingBody(Sample.body, .init(isLast: true, owesContinue: true))
            },
            Row(.nothing, in: .pausedBody, change: lasts(paused)),
            Row(.nothing, in: .replying) { $0.phase = .replying(.init(isLast: true)) },
            Row(.sayGoodbye(within: .seconds(7)), in: .streaming),
            Row(.nothing, in: .readingHead, .failedBody, .replyingEarly, .replyingLast, .finishing, .lingering, .closed))
    }

    @Test func aShutdownGivesNobodyMoreTime() {
        for sample in [Sample.handshaking, .fresh, .idle] {
            var state = sample.state
            _ = state.drain(returningWithin: .seconds(1), keepsIdle: true, at: now)
            let phase = state.phase
            _ = state.drain(returningWithin: .seconds(1), keepsIdle: true, at: after(1))
            #expect(state.phase == phase)
        }
    }

    // MARK: Back-pressure

    @Test(arguments: [false, true])
    func theChannelReads(isWritable: Bool) {
        for sample in Sample.allCases {
            var state = sample.state
            let reads = state.readWasRequested(isWritable: isWritable)
            switch sample {
            case .handshaking, .fresh, .idle, .holding, .readingHead: #expect(reads == isWritable, "\(sample)")
            case .readingBody, .awaitingContinue, .failedBody, .replyingEarly: #expect(reads, "\(sample)")
            case .pausedBody, .replying, .replyingLast, .streaming: #expect(!reads, "\(sample)")
            case .finishing, .lingering, .closed: #expect(reads, "\(sample)")
            }
            #expect(state.resumesReading(isWritable: isWritable) == false, "\(sample): a read that is not wanted stays held")
        }
    }

    @Test func aHeldReadIsResumedOnce() {
        for sample in [Sample.handshaking, .fresh, .idle, .holding, .readingHead] {
            var state = sample.state
            #expect(state.resumesReading(isWritable: true) == false, "\(sample): no read is held")
            _ = state.readWasRequested(isWritable: false)
            #expect(state.resumesReading(isWritable: true) == true, "\(sample)")
            #expect(state.resumesReading(isWritable: true) == false, "\(sample)")
        }
        for sample in [Sample.pausedBody, .replying, .streaming] {
            var state = sample.state
            _ = state.readWasRequested(isWritable: true)
            _ = state.lastReplyWasWritten(dropsInput: true, at: now)
            #expect(state.resumesReading(isWritable: false) == true, "\(sample): what still arrives is dropped")
        }
    }

    @Test func theChannelIsNoLongerWritable() {
        expectEveryState(
            { $0.writabilityChanged(false, waiting: 5, at: now) },
            Row(
                .nothing, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue, .pausedBody,
                .failedBody, .replyingEarly, .replying, .replyingLast, .streaming, .finishing, .lingering, .closed
            ) { $0.output.writabilityChanged(false, waiting: 5, at: now) })
    }

    @Test func theChannelIsWritableAgain() {
        expectEveryState(
            { $0.writabilityChanged(true, waiting: 0, at: now) },
            Row(.takeHeldParts, in: .holding),
            Row(.sendMissedEvents, in: .streaming),
            Row(.nothing, in: .finishing) { $0.phase = .finishing(until: after(30)) },
            Row(
                .nothing, in: .handshaking, .fresh, .idle, .readingHead, .readingBody, .awaitingContinue, .pausedBody,
                .failedBody, .replyingEarly, .replying, .replyingLast, .lingering, .closed))
    }

    // MARK: The clock

    @Test func nothingTimesOutBeforeItsDeadline() {
        expectEveryState(
            { $0.tick(at: now) { 0 } },
            Row(.sendHeartbeat, in: .streaming),
            Row(
                .nothing, in: .handshaking, .fresh, .idle, .holding, .readingHead, .readingBody, .awaitingContinue, .pausedBody,
                .failedBody, .replyingEarly, .replying, .replyingLast, .finishing, .lingering, .closed))
    }

    @Test func everyDeadlineHasPassed() {
        let late = after(100)
        expectEveryState(
            { $0.tick(at: late) { 0 } },
            Row(.close, in: .handshaking, .finishing, .lingering, change: closed),
            Row(.closeOnceWritten(.all), in: .fresh, .idle) { $0.phase = .finishing(until: late + .seconds(30)) },
            Row(.refuse(.headTooSlow), in: .readingHead),
            Row(.failBody(.bodyTooSlow), in: .readingBody, .pausedBody, .replyingEarly, change: lasts(failed)),
            Row(.failBody(.bodyTooSlow), in: .awaitingContinue) {
                $0.phase = .readingBody(failed, .init(isLast: true, owesContinue: true))
            },
            Row(.sendHeartbeat, in: .streaming),
            // Requests that were held back are not the client's delay.
            Row(.nothing, in: .holding, .failedBody, .replying, .replyingLast, .closed))
    }

    @Test func deadlinesAreExact() {
        let deadlines: [(Sample, Int64)] = [
            (.handshaking, 10), (.fresh, 60), (.idle, 60), (.readingHead, 10), (.readingBody, 20), (.finishing, 30),
            (.lingering, 2),
        ]
        for (sample, seconds) in deadlines {
            var state = sample.state
            let deadline = Sample.start + .seconds(seconds)
            #expect(state.tick(at: deadline - .nanoseconds(1)) { 0 } == .nothing, "\(sample)")
            #expect(state.tick(at: deadline) { 0 } != .nothing, "\(sample)")
        }
    }

    @Test("A client that accepts no bytes for 30 seconds is disconnected in every state")
    func stalledClientIsClosed() {
        for sample in Sample.allCases {
            var state = sample.state
            _ = state.writabilityChanged(false, waiting: 5, at: Sample.start)
            let action = state.tick(at: Sample.start + .seconds(30)) { 5 }
            #expect(action == (sample == .closed ? .nothing : .close), "\(sample)")
            #expect(state.phase == .closed)
        }
    }

    @Test func aClientThatTakesSomeIsKept() {
        var state = Sample.streaming.state
        _ = state.writabilityChanged(false, waiting: 5, at: Sample.start)
        #expect(state.tick(at: Sample.start + .seconds(30)) { 4 } == .sendHeartbeat)
        #expect(state.tick(at: Sample.start + .seconds(59)) { 4 } == .sendHeartbeat)
        #expect(state.tick(at: Sample.start + .seconds(60)) { 4 } == .close, "30 s after it took the last byte")
    }

    @Test func aSlowReaderGetsTheWholeOfTheLastReply() {
        var state = Sample.finishing.state
        state.output.measured(100)
        #expect(state.tick(at: Sample.start + .seconds(30)) { 90 } == .nothing)
        #expect(state.phase == .finishing(until: Sample.start + .seconds(60)))
        #expect(state.tick(at: Sample.start + .seconds(60)) { 90 } == .close)
        var full = Sample.finishing.state
        _ = full.writabilityChanged(false, waiting: 90, at: Sample.start + .seconds(29))
        #expect(full.tick(at: Sample.start + .seconds(31)) { 90 } == .nothing, "it has the whole stall time")
    }

    @Test("The number of waiting bytes is measured only while a connection finishes")
    func queueIsMeasuredOnlyAtEnd() {
        for sample in Sample.allCases where sample != .finishing {
            var state = sample.state
            _ = state.tick(at: now) {
                Issue.record("\(sample) measures them")
                return 0
            }
        }
    }
}
#endif
