import Bellerophon
import Foundation
import TestSupport

/// One run of the app: a manager with its clock, its window and its connections. It can end like a killed process.
@MainActor
final class SoakProcess {
    let clock: ManualClock
    let window = SoakWindow()
    let killView = SoakView()
    let updateView = SoakView()
    let transport: Transport
    let policy: PollPolicy
    private(set) var manager: BellerophonManager
    /// Called with each reply from the network that may take effect, before the manager receives it.
    var onDelivery: ((StatusReply) -> Void)?
    var chance: SplitMix64
    /// Pending calls on the clock that belong to the simulated network and not to the manager.
    private(set) var outstanding = 0
    private let server: SoakServer
    private var check: Int?
    private var lastCheck = 0
    private var connection: (id: Int, signal: @Sendable (StreamSignal) -> Void)?
    private var lastConnection = 0
    private var isGone = false

    init(date: Date, server: SoakServer, store: SoakStore, chance: SplitMix64) {
        var chance = chance
        self.server = server
        clock = ManualClock(date: date)
        transport = [.poll, .poll, .auto, .auto, .stream].randomElement(using: &chance) ?? .poll
        policy = Self.policy(using: &chance)
        let wiring = Wiring()
        var config = BellerophonConfig(
            window: window, killSwitchView: killView, forceUpdateView: updateView,
            source: SoakSource { wiring.process?.fetch($0) ?? StatusCheck {} }
        )
        config.transport = transport
        config.policy = policy
        config.freshness = Self.freshness(using: &chance)
        config.store = store
        config.app = AppInfo(name: "soak", version: "1")
        if transport != .poll { config.stream = SoakStream { wiring.process?.connect($0) ?? StreamConnection {} } }
        manager = BellerophonManager(config: config, clock: clock, generator: SplitMix64(seed: chance.next()))
        self.chance = chance
        wiring.process = self
    }

    /// The source and the stream are created before the process.
    private final class Wiring: @unchecked Sendable {
        // Only the main actor accesses it.
        weak var process: SoakProcess?
    }

    private static func policy(using chance: inout SplitMix64) -> PollPolicy {
        var policy = PollPolicy()
        policy.activeInterval =
            [nil, nil, nil, nil, .seconds(60), .seconds(300), .seconds(7200)].randomElement(using: &chance) ?? nil
        policy.checkTimeout = [.seconds(5), .seconds(30)].randomElement(using: &chance) ?? .seconds(30)
        return policy
    }

    private static func freshness(using chance: inout SplitMix64) -> FreshnessPolicy {
        let age: Duration? = [nil, nil, .seconds(3600), .seconds(86_400)].randomElement(using: &chance) ?? nil
        return FreshnessPolicy(
            whenUnknown: [.stay, .stay, .open, .closed].randomElement(using: &chance) ?? .stay, maximumAge: age)
    }

    /// Ends the run: pending exchanges deliver nothing more.
    func die() { isGone = true }

    // MARK: Checks

    private func fetch(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
        lastCheck += 1
        let id = lastCheck
        check = id
        let isHung = server.mood == .hanging || (server.mood == .chaotic && Int.random(in: 0..<4, using: &chance) == 0)
        if isHung {
            // Some replies arrive after the check was abandoned.
            if Bool.random(using: &chance) {
                later(.seconds(Int.random(in: 31...300, using: &chance))) { $0.end(id, completion) }
            }
        } else if Int.random(in: 0..<4, using: &chance) == 0 {
            end(id, completion)
        } else {
            later(.milliseconds(Int.random(in: 1...900, using: &chance))) { $0.end(id, completion) }
        }
        return StatusCheck { [weak self] in MainActor.assumeIsolated { self?.cancelled(id, completion) } }
    }

    /// Completes a check; sometimes twice, the second time with another result.
    private func end(_ id: Int, _ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) {
        let answer = server.answer(using: &chance)
        if check == id {
            check = nil
            if case .success(let reply) = answer { onDelivery?(reply) }
        }
        completion(answer)
        if Int.random(in: 0..<10, using: &chance) == 0 { completion(server.answer(using: &chance)) }
    }

    private func cancelled(_ id: Int, _ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) {
        if check == id { check = nil }
        completion(.failure(StatusError(.transport(code: -999, message: "cancelled"))))
    }

    // MARK: The stream

    private func connect(_ signal: @escaping @Sendable (StreamSignal) -> Void) -> StreamConnection {
        lastConnection += 1
        let id = lastConnection
        connection = (id, signal)
        switch server.mood {
        case .hanging: break
        case .down: later(.milliseconds(Int.random(in: 1...900, using: &chance))) { $0.fall(id) }
        default: later(.milliseconds(Int.random(in: 1...900, using: &chance))) { $0.open(id) }
        }
        return StreamConnection { [weak self] in MainActor.assumeIsolated { self?.hangUp(id) } }
    }

    private func hangUp(_ id: Int) {
        if connection?.id == id { connection = nil }
    }

    private func open(_ id: Int) {
        guard connection?.id == id else { return }
        // The interval is long, since frequent heartbeats would dominate a simulated month.
        send(.opened(heartbeat: .seconds(300)))
        if Int.random(in: 0..<200, using: &chance) == 0 { return fall(id, StatusError(.stream(.refused))) }
        if Int.random(in: 0..<4, using: &chance) == 0 { send(.retry(.milliseconds(Int.random(in: 0...90_000, using: &chance)))) }
        if Int.random(in: 0..<20, using: &chance) > 0 { push() }
        beat(id)
    }

    private func beat(_ id: Int) {
        later(.seconds(Int.random(in: 200...310, using: &chance))) { process in
            guard process.connection?.id == id else { return }
            switch process.server.mood {
            case .hanging: return
            case .down: return process.fall(id)
            default: process.send(.heartbeat)
            }
            process.beat(id)
        }
    }

    private func fall(_ id: Int, _ error: StatusError? = nil) {
        guard connection?.id == id else { return }
        var error = error ?? StatusError(SoakErrors.streams.randomElement(using: &chance) ?? .stream(.ended))
        if Int.random(in: 0..<8, using: &chance) == 0 { error.metadata = ExchangeMetadata(retryAfter: .seconds(60)) }
        let signal = connection?.signal
        connection = nil
        signal?(.closed(error))
    }

    /// Pushes the current status, or an invalid one, if a stream is open.
    func push() {
        guard connection != nil, server.mood != .down, server.mood != .hanging else { return }
        let published = server.mood == .lagging ? server.published.randomElement(using: &chance) ?? server.newest : server.newest
        guard let data = published.entry.event, Int.random(in: 0..<12, using: &chance) > 0 else {
            return send(.event(StreamEvent(data: Data("{\"apiInactive\":fal".utf8), id: "broken")))
        }
        let id = Bool.random(using: &chance) ? "\(published.serial)" : nil
        onDelivery?(
            StatusReply(published.entry.document, metadata: ExchangeMetadata(isPushed: true, publishedAt: published.date)))
        send(.event(StreamEvent(data: data, id: id, publishedAt: published.date)))
    }

    /// Cuts the connection.
    func cut() {
        if let connection { fall(connection.id) }
    }

    private func send(_ signal: StreamSignal) { connection?.signal(signal) }

    private func later(_ wait: Duration, _ body: @escaping @MainActor (SoakProcess) -> Void) {
        outstanding += 1
        _ = clock.schedule(after: wait) { [weak self] in
            guard let self else { return }
            outstanding -= 1
            if !isGone { body(self) }
        }
    }
}
