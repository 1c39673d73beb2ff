import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import BellerophonServer

/// The state of a connection with a clock of its own, and what a client and an endpoint do with it.
///
/// A head may have 100 bytes and take 10 s, a body 100 bytes and 20 s. The connection may be idle for 60 s and stall for 30 s.
struct ConnectionUnderTest {
    static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    static let head = HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/status")
    static let piece = ByteBuffer(string: "body")

    var state: ConnectionState
    private(set) var now = start

    init(isSecure: Bool = false) {
        var limits = Limits()
        limits.headerSize = 100
        limits.headerTime = .seconds(10)
        limits.idleTime = .seconds(60)
        limits.stallTime = .seconds(30)
        state = ConnectionState(limits, isSecure: isSecure, at: now)
    }

    // MARK: Time

    /// What the connection does after a time.
    mutating func wait(_ time: TimeAmount, waiting: Int = 0) -> ConnectionAction {
        now = now + time
        return state.tick(at: now) { waiting }
    }

    /// What the connection does a nanosecond before the end of a time, and at its end.
    mutating func waitExactly(_ time: TimeAmount) -> [ConnectionAction] {
        [wait(time - .nanoseconds(1)), wait(.nanoseconds(1))]
    }

    // MARK: The client

    mutating func receive(_ part: HTTPServerRequestPart) -> ConnectionAction { state.partCame(part, at: now) }

    /// A request with a body begins, and the endpoint handles it.
    static func withBody(expectsContinue: Bool = false) -> ConnectionUnderTest {
        var test = ConnectionUnderTest()
        _ = test.receive(.head(head))
        test.route(body: true, expectsContinue: expectsContinue)
        return test
    }

    /// A request without a body has come, and the endpoint handles it.
    static func withRequest() -> ConnectionUnderTest {
        var test = ConnectionUnderTest()
        _ = test.receive(.head(head))
        test.route()
        _ = test.receive(.end(nil))
        return test
    }

    static func withStream() -> ConnectionUnderTest {
        var test = ConnectionUnderTest()
        _ = test.receive(.head(head))
        test.state.streamOpened()
        return test
    }

    /// Between two requests.
    static func idle() -> ConnectionUnderTest {
        var test = withRequest()
        _ = test.finishReply()
        _ = test.takeHeld()
        return test
    }

    // MARK: The endpoint

    mutating func route(body: Bool = false, expectsContinue: Bool = false) {
        let progress = ConnectionState.BodyProgress(until: now + .seconds(20), limit: 100)
        state.requestWasRouted(body ? progress : nil, expectsContinue: expectsContinue)
    }

    mutating func finishReply(isLast: Bool = false) -> ConnectionAction { state.replyEnded(isLast: isLast, at: now) }

    /// Takes the next part that was held back.
    mutating func takeHeld(isWritable: Bool = true) -> ConnectionAction? {
        state.consumeHeldPart(isWritable: isWritable, at: now)
    }

    // MARK: The channel

    mutating func reads(isWritable: Bool = true) -> Bool { state.readWasRequested(isWritable: isWritable) }

    mutating func resumes(isWritable: Bool = true) -> Bool { state.resumesReading(isWritable: isWritable) }

    /// The channel is writable again, or no longer because the client does not take the waiting bytes.
    mutating func becomesWritable(_ isWritable: Bool, waiting: Int = 0) -> ConnectionAction {
        state.writabilityChanged(isWritable, waiting: waiting, at: now)
    }

    mutating func endRequests() -> ConnectionAction { state.endRequests(at: now) }

    mutating func shutDown(keepsIdle: Bool = false) -> ConnectionAction {
        state.drain(returningWithin: .seconds(7), keepsIdle: keepsIdle, at: now)
    }
}

extension LoopState {
    /// A loop without endpoints.
    convenience init(_ loop: any EventLoop, _ readModel: ReadModel, _ change: (inout ConnectionSettings) -> Void = { _ in }) {
        var settings = ConnectionSettings()
        change(&settings)
        self.init(
            loop: loop, settings: settings, limiters: Limiters(), readModel: readModel,
            endpoints: Endpoints(logger: settings.logger))
    }
}

extension EmbeddedChannel {
    /// A request has come, as the parser passes it on.
    func receive(_ path: String) throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["Host": "test"])
        try writeInbound(HTTPServerRequestPart.head(head))
        try writeInbound(HTTPServerRequestPart.end(nil))
    }

    /// The bytes that were flushed since the last call.
    func written() throws -> String {
        var text = ""
        while let bytes = try readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }
}
