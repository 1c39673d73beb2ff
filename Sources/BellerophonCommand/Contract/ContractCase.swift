import Bellerophon
import BellerophonBase
import BellerophonTrust
import Foundation

/// A case of the contract, and its reply.
struct ContractCase {
    /// A line that is no case.
    private struct Malformed: Error {}

    private let members: [String: JSONNode]

    static func reply(to line: Data) -> JSONNode {
        guard let members = (try? JSONReader.read(line))?.members else { return invalid }
        return (try? ContractCase(members: members).reply()) ?? invalid
    }

    private static let invalid = JSONNode.object([("valid", .bool(false))])

    private func reply() throws -> JSONNode {
        switch try text("level") {
        case "fields", "rules": verdict(try StatusDocument(json: Data(try text("document").utf8)), at: try time("now"))
        case "signed": verdict(try signedDocument(at: try time("now")), at: try time("now"))
        case "sequence": try sequence()
        default: throw Malformed()
        }
    }

    private func text(_ name: String) throws -> String {
        guard let text = members[name]?.string else { throw Malformed() }
        return text
    }

    /// A time; nil for null.
    private func time(_ name: String) throws -> Date? { try Self.time(members[name]) }

    private static func time(_ node: JSONNode?) throws -> Date? {
        guard let node else { throw Malformed() }
        if case .null = node.value { return nil }
        guard let date = node.string.flatMap(PlanTime.date) else { throw Malformed() }
        return date
    }

    // MARK: The client

    private var client: AppFacts {
        let members = members["client"]?.members ?? [:]
        let facts = members["facts"]?.members?.compactMapValues(\.string) ?? [:]
        return AppFacts(
            version: members["version"]?.string, osVersion: members["osVersion"]?.string,
            installID: members["installID"]?.string, values: facts)
    }

    // MARK: One document

    private func signedDocument(at now: Date?) throws -> StatusDocument {
        guard case .array(let keys)? = members["keys"]?.value else { throw Malformed() }
        let trusted = try TrustedKeys(
            keys.map { $0.members?["x"]?.string ?? "" }, audience: members["audience"]?.string ?? "default/main")
        let stage = members["stage"].map { $0.string.flatMap(Stage.init(rawValue:)) } ?? .unknown
        guard let stage else { throw Malformed() }
        var metadata = ExchangeMetadata()
        metadata.serverDate = try Self.time(members["date"] ?? .null)
        let result = StatusReader(verifier: trusted).decode(Data(try text("document").utf8), metadata, at: now)
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
            ("undecided", .array(verdict.undecided.map { .text($0.label) })),
            ("planUnreadable", .bool(document.plan?.problem != nil)),
            ("next", Self.optional(verdict.next.map(PlanTime.text))),
        ])
    }

    private static func optional(_ text: String?) -> JSONNode { text.map(JSONNode.text) ?? .null }

    // MARK: Documents one after another

    private func sequence() throws -> JSONNode {
        guard case .array(let steps)? = members["steps"]?.value else { throw Malformed() }
        var run = ContractRun(client)
        let replies = try steps.map { node -> JSONNode in
            guard let step = node.members, case .number(let seconds, _)? = step["at"]?.value else { throw Malformed() }
            // Three thousand years, and the clock of a case never goes back.
            let time = Duration.seconds(min(max(seconds, 0), 1e11))
            guard seconds >= 0, seconds <= 1e11, MonotonicInstant().advanced(by: time) >= run.now else { throw Malformed() }
            run.pass(to: time)
            if let reply = step["reply"]?.members {
                guard let document = reply["document"]?.string, let wall = try Self.time(step["wall"] ?? reply["wall"]) else {
                    throw Malformed()
                }
                run.take(document, date: try Self.time(reply["date"] ?? .null), wall: wall)
            } else if case .bool(true)? = step["restart"]?.value {
                run.restart()
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
            send(.planTimerFired(due.id))
        }
    }

    mutating func take(_ document: String, date: Date?, wall: Date) {
        guard let document = try? StatusDocument(json: Data(document.utf8)) else { return }
        var metadata = ExchangeMetadata(httpStatus: 200)
        metadata.serverDate = date
        send(.statusGiven(StatusReply(document, metadata: metadata, receivedOn: wall)))
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
            case .startPlanTimer(let id, let wait): timer = (id, now.advanced(by: wait))
            case .stopPlanTimer: timer = nil
            case .remember(let document, _):
                var record = StatusRecord(document, since: .distantPast, appVersion: client.version)
                record.note(timeOf: machine, at: now)
                self.record = record
            default: break
            }
        }
    }
}
