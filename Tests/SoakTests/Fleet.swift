import Bellerophon
import BellerophonBase
import TestSupport

/// A thousand clients, each a real machine with its real policy, and one server, on a manual clock.
struct Fleet {
    enum Server {
        /// Replies to every check.
        case up
        /// Refuses every connection.
        case down
        /// Accepts connections and never replies.
        case hanging
        /// Replies 503 with this `Retry-After`.
        case busy(Duration)
    }

    private struct Client {
        var machine = StageMachine()
        var generator: SplitMix64
        var answeredAt: MonotonicInstant?

        mutating func handle(_ event: StageMachine.Event, at now: MonotonicInstant) -> [StageMachine.Action] {
            machine.handle(event, at: now, using: &generator)
        }
    }

    private enum Call {
        case launch(Int)
        case timer(Int, StageMachine.TimerID)
    }

    var server = Server.up
    private(set) var now = MonotonicInstant()
    /// The time of each request.
    private(set) var requests: [MonotonicInstant] = []
    private var clients: [Client]
    private var schedule = Schedule<Call>()
    private let document: StatusDocument

    /// - Parameters:
    ///   - interval: the retry interval of the status, in seconds.
    ///   - launch: the time over which the clients start, uniformly at random; zero starts all at the same instant.
    init(clients count: Int = 1000, interval: Double, launch: Duration, seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        document = StatusDocument(isInactive: false, requiresUpdate: false, interval: interval)
        clients = (0..<count).map { _ in Client(generator: SplitMix64(seed: chance.next())) }
        for index in clients.indices {
            let phase = launch.inSeconds * Double(chance.next() >> 11) * 0x1p-53
            schedule.add(.launch(index), due: now.advanced(by: .seconds(phase)))
        }
    }

    /// Lets time pass.
    mutating func advance(by span: Duration) {
        let end = now.advanced(by: span)
        while let (due, call) = schedule.next(until: end) {
            now = due
            switch call {
            case .launch(let client): send(.checkRequested(.start), to: client)
            case .timer(let client, let id): send(.timerFired(id), to: client)
            }
        }
        now = end
    }

    private mutating func send(_ event: StageMachine.Event, to client: Int) {
        for action in clients[client].handle(event, at: now) {
            switch action {
            case .startTimer(.check, let id, let wait): schedule.add(.timer(client, id), due: now.advanced(by: wait))
            case .fetch(let id): ask(id, client)
            default: break
            }
        }
    }

    private mutating func ask(_ id: StageMachine.CheckID, _ client: Int) {
        requests.append(now)
        switch server {
        case .up:
            clients[client].answeredAt = now
            send(.replied(id, StatusReply(document)), to: client)
        case .down: send(.failed(id, StatusError(.transport(code: -1004, message: "refused"))), to: client)
        case .hanging: break
        case .busy(let wait):
            send(.failed(id, StatusError(.httpStatus(503), metadata: ExchangeMetadata(retryAfter: wait))), to: client)
        }
    }

    /// Whether every client has had a reply since a time.
    func allAnswered(since start: MonotonicInstant) -> Bool {
        clients.allSatisfy { ($0.answeredAt ?? .init(offset: .seconds(-1))) >= start }
    }
}

extension Fleet {
    /// Restores the server, and lets time pass until every client has had a reply.
    /// - Returns: the number of requests in each second of that time.
    mutating func recover() -> [Int] {
        server = .up
        let start = now
        var seconds = 0
        while !allAnswered(since: start), seconds < 7200 {
            advance(by: .seconds(1))
            seconds += 1
        }
        return requests.load(from: start, for: seconds)
    }
}

extension [MonotonicInstant] {
    /// The number of these in each complete second.
    func load(from start: MonotonicInstant, for seconds: Int) -> [Int] {
        var load = [Int](repeating: 0, count: seconds)
        for request in self where request >= start {
            let second = Int(start.duration(to: request).components.seconds)
            if second < seconds { load[second] += 1 }
        }
        return load
    }
}

/// A load second by second.
extension [Int] {
    var mean: Double { isEmpty ? 0 : Double(reduce(0, +)) / Double(count) }
    var peak: Int { self.max() ?? 0 }
    var peakToMean: Double { Double(peak) / Swift.max(mean, .leastNonzeroMagnitude) }

    static func + (one: [Int], other: [Int]) -> [Int] { Swift.zip(one, other).map { $0 + $1 } }
}
