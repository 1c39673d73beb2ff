import Bellerophon
import BellerophonBase
import BellerophonTrust
import Foundation

/// A case of the contract, and its reply.
struct ContractCase {
    /// A line that is no case.
    struct Malformed: Error {}

    let members: [String: JSONNode]

    static func reply(to line: Data) -> JSONNode {
        guard let members = (try? JSONReader.read(line, .refusesByteOrderMark))?.members, members["client"]?.members != nil else {
            return invalid
        }
        return (try? ContractCase(members: members).reply()) ?? invalid
    }

    private static let invalid = JSONNode.object([("valid", .bool(false))])

    private func reply() throws -> JSONNode {
        switch try text("level") {
        case "fields", "rules": verdict(try StatusDocument(json: Data(try text("document").utf8)), at: try time("now"))
        case "signed": verdict(try signedDocument(at: try time("now")), at: try time("now"))
        case "texts": try texts()
        case "sequence": try sequence()
        case "wire": try wire()
        default: throw Malformed()
        }
    }

    func text(_ name: String) throws -> String {
        guard let text = members[name]?.string else { throw Malformed() }
        return text
    }

    /// A time; nil for null.
    func time(_ name: String) throws -> Date? { try Self.time(members[name]) }

    static func time(_ node: JSONNode?) throws -> Date? {
        guard let node else { throw Malformed() }
        if case .null = node.value { return nil }
        guard let date = node.string.flatMap(PlanTime.date) else { throw Malformed() }
        return date
    }

    // MARK: The client

    var client: AppFacts {
        let members = members["client"]?.members ?? [:]
        let facts = members["facts"]?.members?.compactMapValues(\.string) ?? [:]
        return AppFacts(
            version: members["version"]?.string, osVersion: members["osVersion"]?.string,
            installID: members["installID"]?.string, values: facts)
    }

    // MARK: One document

    /// The keys of the case. A key that is none makes a configuration of no use, and so the case has no reply but `false`.
    func trustedKeys() throws -> TrustedKeys {
        guard case .array(let keys)? = members["keys"]?.value else { throw Malformed() }
        let audience = members["audience"]
        guard audience == nil || audience?.string != nil else { throw Malformed() }
        return try TrustedKeys(keys.map { $0.members?["x"]?.string ?? "" }, audience: audience?.string ?? "default/main")
    }

    private func signedDocument(at now: Date?) throws -> StatusDocument {
        let stage = members["stage"].map { $0.string.flatMap(Stage.init(rawValue:)) } ?? .unknown
        guard let stage else { throw Malformed() }
        var metadata = ExchangeMetadata()
        metadata.serverDate = try Self.time(members["date"] ?? .null)
        let result = StatusReader(verifier: try trustedKeys()).decode(Data(try text("document").utf8), metadata, at: now)
        return try result.withEarly(for: client, over: stage, at: now).get().document
    }

    private func verdict(_ document: StatusDocument, at time: Date?) -> JSONNode {
        let verdict = document.verdict(for: client, at: time)
        return .object([
            ("valid", .bool(true)),
            ("stage", .text(verdict.stage.rawValue)),
            ("by", Self.optional(verdict.restrictions.first?.by)),
            ("to", Self.optional(verdict.restrictions.first?.requiredVersion)),
            (
                "notices",
                .array(
                    verdict.notices.map { .object([("id", .text($0.rule.id)), ("phase", .text($0.phase.rawValue))]) })
            ),
            ("reasons", .array(document.outcomes(for: client, at: time).map { .text($0.reason.rawValue) })),
            ("undecided", .array(verdict.undecided.map { .text($0.label) })),
            ("planUnreadable", .bool(document.plan?.problem != nil)),
            ("next", Self.optional(verdict.next.map(PlanTime.text))),
        ])
    }

    static func optional(_ text: String?) -> JSONNode { text.map(JSONNode.text) ?? .null }

    // MARK: Documents one after another

    /// The time of a step, in whole seconds of a clock that never goes back, for three thousand years at most.
    static func moment(_ step: [String: JSONNode], notBefore now: MonotonicInstant) throws -> Duration {
        guard case .number(let seconds, let text)? = step["at"]?.value, seconds <= 1e11,
            text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            MonotonicInstant().advanced(by: .seconds(seconds)) >= now
        else { throw Malformed() }
        return .seconds(seconds)
    }

    private func sequence() throws -> JSONNode {
        guard case .array(let steps)? = members["steps"]?.value else { throw Malformed() }
        var run = ContractRun(client)
        let replies = try steps.map { node -> JSONNode in
            guard let step = node.members else { throw Malformed() }
            let time = try Self.moment(step, notBefore: run.now)
            run.pass(to: time)
            if let reply = step["reply"]?.members {
                guard let document = reply["document"]?.string, let wall = try Self.time(step["wall"]), step["restart"] == nil
                else { throw Malformed() }
                run.receive(document, date: try Self.time(reply["date"] ?? .null), wall: wall)
            } else if case .bool(true)? = step["restart"]?.value {
                run.restart()
            } else if step["reply"] != nil || step["restart"] != nil {
                throw Malformed()
            }
            return .object([
                ("stage", .text(run.machine.stage.rawValue)),
                ("by", Self.optional(run.machine.verdict?.restrictions.first?.by)),
                ("now", Self.optional(run.machine.planDate(at: run.now).map(PlanTime.text))),
            ])
        }
        return .object([("steps", .array(replies))])
    }
}

/// A client that gets documents one after another: the machine of the package, with a clock that the case drives.
private struct ContractRun {
    private(set) var machine: StageMachine
    private(set) var now = MonotonicInstant()
    private let client: AppFacts
    private var generator = SystemRandomNumberGenerator()
    private var timer: (id: StageMachine.TimerID, due: MonotonicInstant)?
    /// What the status file has.
    private var record: StatusRecord?

    /// The status of an earlier run counts until the first reply, also where it does not cover the app.
    private static let freshness = FreshnessPolicy(whenUnknown: .closed, maximumAge: nil)

    init(_ client: AppFacts) {
        self.client = client
        machine = StageMachine(freshness: Self.freshness, app: client)
    }

    mutating func pass(to time: Duration) {
        now = MonotonicInstant().advanced(by: time)
        while let due = timer, due.due <= now {
            timer = nil
            send(.timerFired(due.id))
        }
    }

    mutating func receive(_ document: String, date: Date?, wall: Date) {
        guard let document = try? StatusDocument(json: Data(document.utf8)) else { return }
        var metadata = ExchangeMetadata(httpStatus: 200)
        metadata.serverDate = date
        send(.statusGiven(StatusReply(document, metadata: metadata).received(on: wall)))
    }

    mutating func restart() {
        machine = StageMachine(freshness: Self.freshness, app: client)
        timer = nil
        guard let data = try? JSONEncoder().encode(record), let kept = try? JSONDecoder().decode(StatusRecord?.self, from: data),
            let restored = try? kept.kept(for: client.version, reader: StatusReader(), at: kept.planDate ?? .distantPast)
        else { return }
        send(.restored(restored))
    }

    private mutating func send(_ event: StageMachine.Event) {
        for action in machine.handle(event, at: now, using: &generator) {
            switch action {
            case .startTimer(.plan, let id, let wait): timer = (id, now.advanced(by: wait))
            case .stopTimer(.plan): timer = nil
            case .remember(let document, _):
                var record = StatusRecord(document, since: .distantPast, appVersion: client.version)
                record.note(timeOf: machine, at: now)
                self.record = record
            default: break
            }
        }
    }
}
