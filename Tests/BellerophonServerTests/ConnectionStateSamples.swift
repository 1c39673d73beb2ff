#if Server
@testable import BellerophonServer
import NIOCore
import NIOHTTP1
import Testing

/// Every state of a connection in which an event can find it. Each is reached at ``start`` by events.
enum ConnectionSample: CaseIterable {
    case handshaking
    /// No request has arrived yet.
    case fresh
    case idle
    /// Idle, with the parts of a later request that were held back.
    case holding
    case readingHead
    case readingBody
    /// The client waits for `100 Continue`.
    case awaitingContinue
    /// The router consumes the body too slowly.
    case pausedBody
    case failedBody
    /// The reply has begun before the body was complete.
    case replyingEarly
    case replying
    /// The reply in progress is the last one.
    case replyingLast
    case streaming
    case finishing
    case lingering
    case closed

    static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    static let head = HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/status")
    static let body = ConnectionState.BodyProgress(until: start + .seconds(20), limit: 100)
    /// 4 bytes.
    static let bytes = ByteBuffer(string: "body")

    static var limits: Limits {
        var limits = Limits()
        limits.headerSize = 100
        limits.headerTime = .seconds(10)
        limits.idleTime = .seconds(60)
        limits.stallTime = .seconds(30)
        return limits
    }

    var state: ConnectionState {
        var state = ConnectionState(Self.limits, isSecure: self == .handshaking, at: Self.start)
        switch self {
        case .handshaking, .fresh: break
        case .idle: Self.takeHead(&state)
        case .holding:
            Self.route(&state, nil)
            _ = state.partCame(.end(nil), at: Self.start)
            _ = state.partCame(.head(Self.head), at: Self.start)
            _ = state.replyEnded(isLast: false, at: Self.start)
        case .readingHead: state.bytesCame(10, at: Self.start)
        case .readingBody: Self.route(&state, Self.body)
        case .awaitingContinue: Self.route(&state, Self.body, expectsContinue: true)
        case .pausedBody:
            Self.route(&state, Self.body)
            state.bodyIsHeld()
        case .failedBody:
            Self.route(&state, Self.body)
            _ = state.failBody(.bodyTooSlow)
        case .replyingEarly:
            Self.route(&state, Self.body)
            _ = state.replyBegins(isDraining: false)
        case .replying: Self.route(&state, nil)
        case .replyingLast:
            Self.route(&state, nil)
            _ = state.drain(returningWithin: .seconds(1), keepsIdle: false, at: Self.start)
        case .streaming:
            Self.takeHead(&state)
            state.streamOpened()
        case .finishing: _ = state.lastReplyWasWritten(dropsInput: false, at: Self.start)
        case .lingering: _ = state.lastReplyWasWritten(dropsInput: true, at: Self.start)
        case .closed: state.channelClosed()
        }
        return state
    }

    private static func takeHead(_ state: inout ConnectionState) {
        _ = state.partCame(.head(head), at: start)
    }

    private static func route(
        _ state: inout ConnectionState, _ body: ConnectionState.BodyProgress?, expectsContinue: Bool = false
    ) {
        takeHead(&state)
        state.requestWasRouted(body, expectsContinue: expectsContinue)
    }
}

/// A row of a table: the result of an event in some states, and what it changes in them.
struct ConnectionRow<Result: Equatable> {
    let result: Result
    let samples: [ConnectionSample]
    let change: (inout ConnectionState) -> Void

    init(_ result: Result, in samples: ConnectionSample..., change: @escaping (inout ConnectionState) -> Void = { _ in }) {
        self.result = result
        self.samples = samples
        self.change = change
    }
}

/// Reports an event in every state, and compares its result and the whole state after it with the table.
func expectEveryState<Result: Equatable>(
    _ event: (inout ConnectionState) -> Result, _ rows: ConnectionRow<Result>...,
    at location: SourceLocation = #_sourceLocation
) {
    expectEveryState(event, rows, at: location)
}

func expectEveryState<Result: Equatable>(
    _ event: (inout ConnectionState) -> Result, _ rows: [ConnectionRow<Result>], at location: SourceLocation = #_sourceLocation
) {
    for sample in ConnectionSample.allCases {
        let matching = rows.filter { $0.samples.contains(sample) }
        #expect(matching.count == 1, "the table has \(matching.count) rows for \(sample)", sourceLocation: location)
        guard let row = matching.first else { continue }
        var (state, expected) = (sample.state, sample.state)
        let result = event(&state)
        row.change(&expected)
        #expect(result == row.result, "\(sample)", sourceLocation: location)
        #expect(state == expected, "\(sample)", sourceLocation: location)
    }
}
#endif
