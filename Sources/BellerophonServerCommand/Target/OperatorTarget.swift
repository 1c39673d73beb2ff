#if Server
import BellerophonServer
import BellerophonStore
import Digests
import Foundation

/// The target of an operator's command: a store of this machine, or a running server.
protocol OperatorTarget: Sendable {
    /// A description for a person: `the store /srv/status`.
    var description: String { get }
    /// Why clients do not see a change yet; nil if they do.
    var delay: String? { get }

    /// - Parameters:
    ///   - request: a repeated request with the same key is performed only once.
    ///   - createsApp: whether the app may be a new one.
    func publish(_ publication: Publication, request: RequestKey, createsApp: Bool) async throws -> JournalEntry
    /// The document that publishing would produce.
    func preview(_ publication: Publication, createsApp: Bool) async throws -> Data
    /// Nil if nothing was published for the app.
    func status(_ scope: Scope) async throws -> StatusReport?
    func journal(_ filter: JournalFilter) async throws -> [JournalEntry]

    /// - Parameter name: the resource whose versions are returned, newest first; nil returns the newest version of each
    ///   resource.
    func resources(_ name: String?) async throws -> [ResourceVersion]
    func put(_ request: ResourceRequest) async throws -> ResourcePut
    func rollback(_ request: RollbackRequest) async throws -> ResourceVersion
    func remove(_ request: RemovalRequest) async throws -> ResourceRemoval
    /// Every scope with a publish, and every app, including the default one.
    func scopes() async throws -> [Scope]
}

extension OperatorTarget {
    /// Notes after a change that clients do not see it yet, for example because the person has selected the wrong
    /// store.
    func noteDelay() {
        if let delay { Output.note(Output.line(delay)) }
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

/// A store of this machine.
struct StoreTarget: OperatorTarget {
    let store: Store
    let author: Author

    var description: String { "the store \(store.folder.path)" }

    var delay: String? {
        guard !ServerLock.isHeld(store.folder) else { return nil }
        return "no server runs on \(description); clients see this once one does, or after an export"
    }

    func publish(_ publication: Publication, request: RequestKey, createsApp: Bool) async throws -> JournalEntry {
        _ = try await store.endDue()
        return try await store.publish(publication, by: author, request: request, createsApp: createsApp)
    }

    func preview(_ publication: Publication, createsApp: Bool) async throws -> Data {
        try store.preview(publication, createsApp: createsApp).body
    }

    func scopes() async throws -> [Scope] {
        try store.snapshot().statuses.keys.sorted()
    }

    func status(_ scope: Scope) async throws -> StatusReport? {
        // Without a running server, no other process ends timed statuses.
        _ = try await store.endDue()
        return try store.status(scope).map { StatusReport($0) }
    }

    func journal(_ filter: JournalFilter) async throws -> [JournalEntry] {
        _ = try await store.endDue()
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
#endif
