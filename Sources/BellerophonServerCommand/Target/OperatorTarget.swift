import BellerophonServer
import BellerophonStore
import Digests
import Foundation

/// The target of an operator's command: a store of this machine, or a running server.
protocol OperatorTarget: Sendable {
    /// A description for a person: `the store /srv/status`.
    var description: String { get }
    /// Why clients do not see a change yet; nil if they do.
    var delay: String? { get async }

    /// - Parameters:
    ///   - request: a repeated request with the same key is performed only once.
    ///   - createsApp: whether the app, or the channel, may be a new one.
    ///   - breaksGlass: whether one person publishes a kill that takes two.
    ///   - seen: the newest row that the person has seen, 0 for none: see ``newestRow(of:)``. If there is another one that
    ///     stops more programs, nothing is published. Nil publishes in any case.
    func publish(
        _ publication: Publication, request: RequestKey, createsApp: Bool, breaksGlass: Bool, follows seen: Int64?
    ) async throws -> JournalEntry
    /// The newest row of a status; nil if there is none.
    func newestRow(of scope: Scope) async throws -> JournalEntry?
    /// The document that publishing would produce.
    func preview(_ publication: Publication, createsApp: Bool, breaksGlass: Bool) async throws -> Data
    /// Nil if nothing was published for the app.
    func status(_ scope: Scope) async throws -> StatusReport?
    func journal(_ filter: JournalFilter) async throws -> [JournalEntry]

    /// - Parameter name: the resource whose versions are returned, newest first; nil returns the newest version of each
    ///   resource.
    func resources(_ name: String?) async throws -> [ResourceVersion]
    func put(_ request: ResourceRequest) async throws -> ResourcePut
    func rollback(_ request: RollbackRequest) async throws -> ResourceVersion
    func remove(_ request: RemovalRequest) async throws -> ResourceRemoval
    /// The status of every scope with a publish, and of every app, including the default one.
    /// - Parameter app: only those of this app; nil for all.
    func statuses(of app: String?) async throws -> [StatusReport]

    /// Proposes a status to a second person.
    func propose(_ publication: Publication, request: RequestKey, createsApp: Bool) async throws -> Proposal
    /// The rule of two persons.
    func approvalRule() async throws -> ApprovalRule
    /// Proposes a change of the rule to a second person.
    func propose(_ rule: RuleRequest, request: RequestKey) async throws -> Proposal
    /// All proposals that can be approved, or the newest ones of any state; newest first.
    func proposals(openOnly: Bool) async throws -> [Proposal]
    func proposal(_ id: Int64) async throws -> Proposal
    func approve(_ id: Int64, request: RequestKey) async throws -> JournalEntry
    func reject(_ id: Int64, reason: String?) async throws -> Proposal

    /// All tokens, including revoked ones, by name.
    func tokens() async throws -> [TokenRecord]
    func createToken(_ request: TokenRequest) async throws -> NewToken
    func revokeToken(_ name: String, reason: String?) async throws -> TokenRecord
}

extension OperatorTarget {
    /// Notes after a change that clients do not see it yet, for example because the person has selected the wrong
    /// store.
    func noteDelay() async {
        if let delay = await delay { Output.note(Output.line(delay)) }
    }
}

/// A request to publish a resource.
struct ResourceRequest: Sendable {
    enum Source: Sendable {
        case file(URL)
        case external(ExternalResource)
    }

    let name: String
    let source: Source
    /// The version of a file; an external resource has its own.
    let version: Int64?
    let expected: [Digest]
    let reason: String?
    let key: RequestKey
    let dryRun: Bool
}

/// A request to publish a resource's older bytes again.
struct RollbackRequest: Sendable {
    let name: String
    let version: Int64?
    let reason: String?
    let key: RequestKey
    let dryRun: Bool
}

/// A request to remove versions of resources.
struct RemovalRequest: Sendable {
    enum What: Sendable, Equatable {
        /// A resource, or one version of it.
        case delete(name: String, version: Int64?)
        /// All but the newest versions of a resource, or of each resource.
        case prune(name: String?, kept: Int)
    }

    let what: What
    let reason: String?
    let dryRun: Bool
}
