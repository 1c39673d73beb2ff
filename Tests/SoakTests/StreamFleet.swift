import Bellerophon
import BellerophonBase
import Foundation
import Synchronization
import TestSupport

/// A manual clock for thousands of calls.
final class FleetClock: ManagerClock {
    private final class Call: Sendable {
        let handler: Mutex<(@MainActor () -> Void)?>

        init(_ handler: @escaping @MainActor () -> Void) { self.handler = Mutex(handler) }
    }

    private struct State: Sendable {
        var now = MonotonicInstant()
        var calls = Schedule<Call>()
    }

    private let state = Mutex(State())
    let slept = Duration.zero
    var now: MonotonicInstant { state.withLock { $0.now } }
    var date: Date { Date(timeIntervalSince1970: 1_768_485_731 + now.offset.inSeconds) }

    @MainActor
    func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        add(Call(handler), after: wait)
    }

    func call(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
        add(Call { handler() }, after: wait)
    }

    private func add(_ call: Call, after wait: Duration) -> ScheduledCall {
        state.withLock { state in state.calls.add(call, due: state.now.advanced(by: max(wait, .zero))) }
        return ScheduledCall { call.handler.withLock { $0 = nil } }
    }

    @MainActor
    func advance(by span: Duration) {
        let end = now.advanced(by: span)
        while let call = takeNext(until: end) { call.handler.withLock { $0 }?() }
        state.withLock { $0.now = end }
    }

    private func takeNext(until end: MonotonicInstant) -> Call? {
        state.withLock { state in
            guard let (due, call) = state.calls.next(until: end) else { return nil }
            state.now = due
            return call
        }
    }
}

/// A thousand streaming clients, each a real manager, and one server that restarts.
@MainActor
final class StreamFleet {
    let clock = FleetClock()
    var isUp = true
    /// The time of each request: checks and connections.
    private(set) var requests: [MonotonicInstant] = []
    private var managers: [BellerophonManager] = []
    private var open: [Int: @Sendable (StreamSignal) -> Void] = [:]

    init(clients count: Int = 1000, seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        for index in 0..<count {
            var config = BellerophonConfig(
                window: nil, source: FleetSource { [weak self] in self?.answer() ?? .failure(StatusError(.noStatus)) })
            config.stream = FleetStream { [weak self] signal in
                self?.connect(index, signal)
                return StreamConnection { [weak self] in MainActor.assumeIsolated { self?.open[index] = nil } }
            }
            managers.append(BellerophonManager(config: config, clock: clock, generator: SplitMix64(seed: chance.next())))
        }
    }

    func launch() { managers.forEach { $0.checkAppStatus() } }

    /// The number of clients with a live stream.
    var live: Int { managers.count { $0.liveTransport == .stream } }

    /// Cuts every stream at the same instant.
    func cut() {
        let cut = open
        open = [:]
        for signal in cut.values { signal(.closed(StatusError(.stream(.ended)))) }
    }

    private func answer() -> Result<StatusReply, StatusError> {
        requests.append(clock.now)
        guard isUp else { return .failure(StatusError(.transport(code: -1004, message: "refused"))) }
        return .success(StatusReply(StatusDocument(isInactive: false, requiresUpdate: false, interval: 30)))
    }

    private func connect(_ index: Int, _ signal: @escaping @Sendable (StreamSignal) -> Void) {
        requests.append(clock.now)
        guard isUp else { return signal(.closed(StatusError(.transport(code: -1004, message: "refused")))) }
        open[index] = signal
        // The interval is long, since no heartbeats are sent.
        signal(.opened(heartbeat: .seconds(300)))
        signal(.retry(.seconds(3)))
        let data = Data(#"{"apiInactive":false,"forceUpdate":false,"retryInterval":30}"#.utf8)
        signal(.event(StreamEvent(data: data, id: "1")))
    }
}

private struct FleetSource: StatusSource {
    let name = "fleet/status"
    let host = "fleet"
    let answer: @MainActor @Sendable () -> Result<StatusReply, StatusError>

    func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
        completion(MainActor.assumeIsolated { answer() })
        return StatusCheck {}
    }
}

private struct FleetStream: StatusStream {
    let name = "fleet/events"
    let open: @MainActor @Sendable (@escaping @Sendable (StreamSignal) -> Void) -> StreamConnection

    func connect(lastEventID: String?, onSignal: @escaping @Sendable (StreamSignal) -> Void) -> StreamConnection {
        MainActor.assumeIsolated { open(onSignal) }
    }
}
