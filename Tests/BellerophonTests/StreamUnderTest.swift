import Bellerophon
import Foundation
import Synchronization
import TestSupport

/// A stream machine whose time and random numbers the test controls.
struct StreamMachineUnderTest {
    var machine: StreamMachine
    var now = MonotonicInstant()
    var generator = FixedFraction(fraction: 0.5)
    var actions: [StreamMachine.Action] = []
    /// The ids of the connection and the timer started last; -1 before the first.
    var connection = -1
    var timer = -1
    var wait: Duration?

    init(policy: PollPolicy = PollPolicy()) {
        machine = StreamMachine(policy: policy)
    }

    @discardableResult
    mutating func send(_ event: StreamMachine.Event) -> [StreamMachine.Action] {
        let new = machine.handle(event, at: now, using: &generator)
        actions += new
        for action in new {
            switch action {
            case .connect(let id, _): connection = id
            case .startTimer(let id, let after): (timer, wait) = (id, after)
            case .stopTimer: wait = nil
            default: break
            }
        }
        return new
    }

    @discardableResult
    mutating func hear(_ signal: StreamSignal) -> [StreamMachine.Action] { send(.signal(connection, signal)) }

    /// Connects and receives a first event.
    mutating func live(heartbeat: Duration? = .seconds(15)) {
        send(.started)
        hear(.opened(heartbeat: heartbeat))
        hear(.event(StreamEvent(data: Data())))
    }

    @discardableResult
    mutating func fall(_ failure: StreamError = .ended) -> [StreamMachine.Action] {
        hear(.closed(StatusError(.stream(failure))))
    }

    /// Lets time pass until the timer started last fires.
    @discardableResult
    mutating func runTimer() -> [StreamMachine.Action] {
        now = now.advanced(by: wait ?? .zero)
        return send(.timerFired(timer))
    }

    mutating func pass(_ duration: Duration) { now = now.advanced(by: duration) }
}

/// A stream that the test controls. Use it on the main actor.
final class ScriptedStream: StatusStream {
    struct Connection: Sendable {
        let lastEventID: String?
        let signal: @Sendable (StreamSignal) -> Void
        var isCancelled = false
    }

    let name = "test/events"
    private let state = Mutex<[Connection]>([])

    var connections: [Connection] { state.withLock { $0 } }
    /// The last event id of each request, in order.
    var lastEventIDs: [String?] { connections.map(\.lastEventID) }
    /// The number of connections that are not cancelled.
    var open: Int { connections.count { !$0.isCancelled } }

    func connect(lastEventID: String?, onSignal: @escaping @Sendable (StreamSignal) -> Void) -> StreamConnection {
        let index = state.withLock { connections in
            connections.append(Connection(lastEventID: lastEventID, signal: onSignal))
            return connections.count - 1
        }
        return StreamConnection { self.state.withLock { $0[index].isCancelled = true } }
    }

    /// Sends signals on the last connection.
    func send(_ signals: StreamSignal...) {
        guard let last = connections.last else { return }
        for signal in signals { last.signal(signal) }
    }

    /// Accepts, and immediately pushes a status, like a real server.
    func accept(_ document: String = HostileServer.live, id: String = "1", publishedAt: Date? = nil) {
        send(.opened(heartbeat: .seconds(15)), .retry(.seconds(3)))
        push(document, id: id, publishedAt: publishedAt)
    }

    func push(_ document: String, id: String, publishedAt: Date? = nil) {
        send(.event(StreamEvent(data: Data(document.utf8), id: id, publishedAt: publishedAt)))
    }

    func close(_ failure: StreamError = .ended) {
        send(.closed(StatusError(.stream(failure))))
    }
}

/// A manager with a stream whose server is the test, on a clock that only the test advances.
@MainActor
struct StreamedApp {
    nonisolated static let killed = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Stop."}"#
    nonisolated static let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":null}"#

    let stream = ScriptedStream()
    let app: AppUnderTest

    init() {
        app = AppUnderTest(stream: stream)
    }

    /// Starts, with the stream live.
    func start() {
        app.manager.checkAppStatus()
        stream.accept(Self.live, id: "1")
    }
}
