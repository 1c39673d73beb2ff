import Bellerophon
import BellerophonBase
import BellerophonTrust
import Foundation

/// The level `wire`: replies of servers and events of streams one after another, and what counts of them.
extension ContractCase {
    func wire() throws -> JSONNode {
        guard case .array(let steps)? = members["steps"]?.value else { throw Malformed() }
        var policy = FreshnessPolicy(whenUnknown: .stay, maximumAge: nil)
        if let name = members["whenUnknown"] {
            guard let known = name.string.flatMap(UnknownPolicy.init) else { throw Malformed() }
            policy.whenUnknown = known
        }
        if let limit = members["maximumAge"] {
            guard case .number(let seconds, _) = limit.value, (1...1e11).contains(seconds) else { throw Malformed() }
            policy.maximumAge = .seconds(seconds)
        }
        let verifier = members["keys"] == nil ? nil : try trustedKeys()
        var run = ContractWire(client, policy, verifier)
        return .object([("steps", .array(try steps.map { try run.perform($0) }))])
    }
}

/// A client that gets the replies of a case: the parts of the package that read heads, bodies and streams, and its machine. The case has
/// the clocks and the network.
private struct ContractWire {
    private typealias Malformed = ContractCase.Malformed

    /// The address of the status in every case.
    private static let address = URL(string: "https://status.example/app/status") ?? URL(fileURLWithPath: "/")

    private let client: AppFacts
    private let policy: FreshnessPolicy
    private let verifier: TrustedKeys?
    private var machine: StageMachine
    private var reader: StatusReader
    private var generator = SystemRandomNumberGenerator()
    private var now = MonotonicInstant()
    private var wall = Date(timeIntervalSince1970: 0)
    private var ageTimer: (id: StageMachine.TimerID, due: MonotonicInstant)?
    private var planTimer: (id: StageMachine.TimerID, due: MonotonicInstant)?
    /// What the status file has.
    private var record: StatusRecord?
    private var wire = WireReader(address)

    init(_ client: AppFacts, _ policy: FreshnessPolicy, _ verifier: TrustedKeys?) {
        (self.client, self.policy, self.verifier) = (client, policy, verifier)
        machine = StageMachine(freshness: policy, app: client)
        reader = StatusReader(verifier: verifier)
        send(.nothingKept)
    }

    mutating func perform(_ node: JSONNode) throws -> JSONNode {
        guard let step = node.members else { throw Malformed() }
        let time = try ContractCase.moment(step, notBefore: now)
        pass(to: MonotonicInstant().advanced(by: time))
        guard let wall = try ContractCase.time(step["wall"]) else { throw Malformed() }
        self.wall = wall
        let what = ["reply", "open", "stream", "restart"].filter { step[$0] != nil }
        guard what.count <= 1 else { throw Malformed() }
        var found: [(String, JSONNode?)] = []
        switch what.first {
        case "reply": found = try takeReply(step["reply"])
        case "open": found = try open(step["open"])
        case "stream": found = [("took", .array(try takeStream(step["stream"]).map(JSONNode.text)))]
        case "restart":
            guard case .bool(true)? = step["restart"]?.value else { throw Malformed() }
            restart()
        default: break
        }
        let id = verifier == nil ? machine.resumableEventID : nil
        return .object(
            found + [
                ("stage", .text(machine.stage.rawValue)),
                ("by", ContractCase.optional(machine.verdict?.restrictions.first?.by)),
                ("ifNoneMatch", ContractCase.optional(reader.known?.entityTag)),
                ("lastEventID", ContractCase.optional(id.flatMap { URLSessionStatusStream.isSendable($0) ? $0 : nil })),
            ])
    }

    // MARK: Replies

    private static func reply(_ node: JSONNode?) throws -> WireReader.Reply {
        guard let members = node?.members, case .number(_, let status)? = members["status"]?.value, let code = Int(status),
            (200...599).contains(code), case .array(let items)? = members["headers"]?.value
        else { throw Malformed() }
        let fields = try items.map { item -> (name: String, value: String) in
            guard case .array(let pair) = item.value, pair.count == 2, let name = pair[0].string, let value = pair[1].string
            else { throw Malformed() }
            return (name, value)
        }
        let body = members["document"]
        guard body == nil || body?.string != nil else { throw Malformed() }
        return WireReader.Reply(status: code, fields: fields, body: Data((body?.string ?? "").utf8))
    }

    private mutating func takeReply(_ node: JSONNode?) throws -> [(String, JSONNode?)] {
        switch wire.read(try Self.reply(node)) {
        case .follow(let url):
            let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
            return [("took", .text("follows")), ("path", .text(url.path(percentEncoded: true) + query))]
        case .exchange(let exchange):
            let took = takeResult(reader.read(exchange, earlier: reader.known, at: wall))
            return [
                ("took", .text(took)), ("date", ContractCase.optional(exchange.metadata.serverDate.map(PlanTime.text))),
            ]
        }
    }

    private mutating func takeResult(_ result: Result<StatusReply, StatusError>) -> String {
        let started = send(.freshCheckRequested(.program))
        let id = started.lazy.compactMap { if case .fetch(let id) = $0 { id } else { nil } }.first ?? 0
        switch result {
        case .success(let reply): return Self.code(send(.replied(id, reply.received(on: wall))))
        case .failure(let error): return Self.code(send(.failed(id, error)))
        }
    }

    /// What the machine has done with a status.
    private static func code(_ actions: [StageMachine.Action]) -> String {
        for case .report(let report) in actions {
            switch report {
            case .checkFailed(_, let error), .pushFailed(let error): return code(error.reason)
            case .replyOutdated, .pushOutdated: return "older"
            default: break
            }
        }
        return "counts"
    }

    private static func code(_ reason: StatusError.Reason) -> String {
        switch reason {
        case .httpStatus: "status"
        case .notModifiedWithoutDocument: "unknown304"
        case .notStatusDocument: "noDocument"
        case .untrusted(.replayed), .untrusted(.serialReused): "replay"
        case .untrusted: "untrusted"
        case .tooLarge, .stream(.tooLarge): "tooLarge"
        case .redirectRefused: "redirect"
        case .stream(.refused): "noStream"
        case .stream(.otherMediaType): "mediaType"
        case .transport, .timedOut, .noStatus, .unusableURL, .stream, .cancelled, .other: "head"
        }
    }

    // MARK: Streams

    private mutating func open(_ node: JSONNode?) throws -> [(String, JSONNode?)] {
        let reply = try Self.reply(node)
        do throws(StatusError) {
            let date = try wire.open(reply)
            send(.serverDate(date, receivedOn: wall))
            return [("took", .text("stream")), ("date", ContractCase.optional(date.map(PlanTime.text)))]
        } catch {
            return [("took", .text(Self.code(error.reason))), ("date", .null)]
        }
    }

    private mutating func takeStream(_ node: JSONNode?) throws -> [String] {
        guard let text = node?.string, wire.hasStream else { throw Malformed() }
        let (events, end) = wire.read(stream: Data(text.utf8))
        let took = events.map { event -> String in
            guard event.name == StreamEvent.statusName else { return "other" }
            switch reader.read(event, at: wall) {
            case .success(let reply): return Self.code(send(.pushed(reply.received(on: wall))))
            case .failure(let error): return Self.code(send(.pushFailed(error)))
            }
        }
        return took + (end.map { [Self.code($0)] } ?? [])
    }

    // MARK: Time and restarts

    private mutating func pass(to end: MonotonicInstant) {
        while let timer = ageTimer, timer.due <= end {
            ageTimer = nil
            move(to: max(timer.due, now))
            send(.timerFired(timer.id))
        }
        move(to: end)
        while let timer = planTimer, timer.due <= now {
            planTimer = nil
            send(.timerFired(timer.id))
        }
    }

    private mutating func move(to instant: MonotonicInstant) {
        wall += now.duration(to: instant).inSeconds
        now = instant
    }

    private mutating func restart() {
        machine = StageMachine(freshness: policy, app: client)
        reader = StatusReader(verifier: verifier)
        (ageTimer, planTimer, wire) = (nil, nil, WireReader(Self.address))
        guard let data = try? JSONEncoder().encode(record), let kept = try? JSONDecoder().decode(StatusRecord?.self, from: data),
            let restored = try? kept.kept(for: client.version, reader: reader, at: wall)
        else {
            send(.nothingKept)
            return
        }
        if verifier != nil, let serial = kept.serial { send(.serialKnown(serial, kept.signedReply(reader))) }
        send(.restored(restored))
    }

    @discardableResult private mutating func send(_ event: StageMachine.Event) -> [StageMachine.Action] {
        let actions = machine.handle(event, at: now, using: &generator)
        for action in actions {
            switch action {
            case .startTimer(.age, let id, let wait): ageTimer = (id, now.advanced(by: wait))
            case .startTimer(.plan, let id, let wait): planTimer = (id, now.advanced(by: wait))
            case .stopTimer(.plan): planTimer = nil
            case .remember(let document, _):
                record = StatusRecord(
                    document, in: machine, since: nil, at: now, date: wall, requiresSignature: verifier != nil)
            default: break
            }
        }
        return actions
    }
}
