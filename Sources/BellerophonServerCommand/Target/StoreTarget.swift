import BellerophonServer
import BellerophonStore
import Foundation

/// A store of this machine.
struct StoreTarget: OperatorTarget {
    let store: Store
    let author: Author

    var description: String { "the store \(store.folder.path)" }

    var delay: String? {
        get async {
            if store.isShared { return await sharedDelay }
            if ServerLock.isHeld(store.folder) { return nil }
            return "no server runs on \(description); clients see this once one does, or after an export"
        }
    }

    /// Of a database whether a server leads is known, and not which servers there are: after the end of one that led, another one leads
    /// within seconds.
    private var sharedDelay: String? {
        get async {
            guard let isServed = try? await store.isServed, !isServed else { return nil }
            return "no server leads the shared store now; clients see this within seconds if one is there, or once one is started"
        }
    }

    func publish(
        _ publication: Publication, request: RequestKey, createsApp: Bool, breaksGlass: Bool, follows seen: Int64?
    ) async throws -> JournalEntry {
        let entry = try await store.publish(
            publication, by: author, request: request, createsApp: createsApp, breaksGlass: breaksGlass, follows: seen)
        // A server that starts later knows then whether the clock was set since.
        if entry.endsAt != nil { await store.keepClock() }
        return entry
    }

    func newestRow(of scope: Scope) async throws -> JournalEntry? {
        // Without a running server, no other process writes the ends of timed statuses.
        _ = try await store.writeDue()
        return try store.newestRow(of: scope)
    }

    func preview(_ publication: Publication, createsApp: Bool, breaksGlass: Bool) async throws -> Data {
        try store.preview(publication, createsApp: createsApp, breaksGlass: breaksGlass).body
    }

    func statuses(of app: String?) async throws -> [StatusReport] {
        _ = try await store.writeDue()
        let (statuses, now) = (try store.snapshot().statuses, Date())
        return statuses.keys.sorted().filter { app == nil || $0.app == app }
            .compactMap { scope in statuses[scope].map { StatusReport($0, at: now) } }
    }

    func status(_ scope: Scope) async throws -> StatusReport? {
        _ = try await store.writeDue()
        return try store.status(scope).map { StatusReport($0, at: Date()) }
    }

    func journal(_ filter: JournalFilter) async throws -> [JournalEntry] {
        _ = try await store.writeDue()
        return try store.journal(filter)
    }

    func resources(_ name: String?) async throws -> [ResourceVersion] {
        try name.map { try store.versions(of: $0) } ?? store.resources()
    }

    func put(_ request: ResourceRequest) async throws -> ResourcePut {
        switch request.source {
        case .external(let external):
            if request.dryRun { return try store.previewExternal(request.name, external) }
            return try await store.putExternal(request.name, external, by: author, reason: request.reason, request: request.key)
        case .file(let file):
            if request.dryRun {
                return try await store.previewResource(
                    request.name, file: file, version: request.version, expected: request.expected)
            }
            return try await store.putResource(
                request.name, file: file, version: request.version, expected: request.expected, by: author,
                reason: request.reason, request: request.key
            )
        }
    }

    func rollback(_ request: RollbackRequest) async throws -> ResourceVersion {
        if request.dryRun { return try store.previewRollback(request.name, to: request.version) }
        return try await store.rollback(
            request.name, to: request.version, by: author, reason: request.reason, request: request.key
        )
    }

    func remove(_ request: RemovalRequest) async throws -> ResourceRemoval {
        switch request.what {
        case .delete(let name, let version):
            if request.dryRun {
                return ResourceRemoval(removed: try store.previewDeletion(name, version: version), freedBytes: 0)
            }
            return try await store.deleteResource(name, version: version, by: author, reason: request.reason)
        case .prune(let name, let kept):
            if request.dryRun { return ResourceRemoval(removed: try store.previewPruning(name, keeping: kept), freedBytes: 0) }
            return try await store.pruneResources(name, keeping: kept, by: author, reason: request.reason)
        }
    }
}

extension StoreTarget {
    func propose(_ publication: Publication, request: RequestKey, createsApp: Bool) async throws -> Proposal {
        return try await store.propose(publication, by: author, request: request, createsApp: createsApp)
    }

    func approvalRule() async throws -> ApprovalRule { try store.approvalRule() }

    func propose(_ rule: RuleRequest, request: RequestKey) async throws -> Proposal {
        try await store.proposeRule(rule, by: author, request: request)
    }

    func proposals(openOnly: Bool) async throws -> [Proposal] { try store.proposals(openOnly: openOnly) }
    func proposal(_ id: Int64) async throws -> Proposal { try store.proposal(id) }

    func approve(_ id: Int64, request: RequestKey) async throws -> JournalEntry {
        return try await store.approve(id, by: author, request: request)
    }

    func reject(_ id: Int64, reason: String?) async throws -> Proposal {
        try await store.reject(id, by: author, reason: reason)
    }

    func tokens() async throws -> [TokenRecord] { try store.tokens() }
    func createToken(_ request: TokenRequest) async throws -> NewToken { try await store.createToken(request, by: author) }

    func revokeToken(_ name: String, reason: String?) async throws -> TokenRecord {
        try await store.revokeToken(name: name, by: author, reason: reason)
    }
}
