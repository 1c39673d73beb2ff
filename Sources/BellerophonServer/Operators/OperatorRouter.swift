import BellerophonStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// The endpoints of operators: publishing, the journal, resources, proposals and tokens.
///
/// A server has them behind its connections. A command that uses a store of its machine has them in its own process; see
/// ``LocalEndpoints``.
struct OperatorRouter: Sendable {
    let store: Store
    /// Threads that write resources to the disk.
    let files: FilePool
    /// Threads for reads of the journal and of other lists.
    let lists: FilePool
    let logger: Logger
    /// Is called before the journal is read, or the status of a scope.
    let willRead: @Sendable (Scope?) async throws -> Void
    /// Throws if what is changed would be lost.
    let checkChange: @Sendable () async throws -> Void
    /// Is called after a change, before the reply.
    let didChange: @Sendable () async -> Void

    init(
        _ store: Store, files: FilePool, lists: FilePool, logger: Logger,
        willRead: @escaping @Sendable (Scope?) async throws -> Void = { _ in },
        checkChange: @escaping @Sendable () async throws -> Void = {}, didChange: @escaping @Sendable () async -> Void = {}
    ) {
        (self.store, self.files, self.lists, self.logger) = (store, files, lists, logger)
        (self.willRead, self.checkChange, self.didChange) = (willRead, checkChange, didChange)
    }

    /// A status is published at the paths at which clients read it.
    var endpoints: [Endpoint] {
        ReadPath.status.patterns.map { path in
            Endpoint(.PUT, path, .publish, .publishing, for: { .rules(try Scope($0)) }, publish)
        } + resourceEndpoints + personEndpoints
    }

    private var resourceEndpoints: [Endpoint] {
        let (all, one): (PathPattern, PathPattern) = ("/v1/resources", "/v1/resources/:name")
        return [
            Endpoint(.GET, all, .resources, .operatorReads, for: .read, resources),
            Endpoint(.DELETE, all, .resources, .publishing, for: .resources, pruneResources),
            Endpoint(.PUT, one, .resources, .uploads, body: .resource, for: .resources, putResource),
            Endpoint(.DELETE, one, .resources, .publishing, for: .resources, deleteResource),
            Endpoint(.POST, "/v1/resources/:name/rollback", .resources, .publishing, for: .resources, rollback),
        ]
    }

    private var personEndpoints: [Endpoint] {
        [
            Endpoint(.GET, "/v1/journal", .journal, .operatorReads, for: .read, journal),
            Endpoint(.GET, "/v1/statuses", .journal, .operatorReads, for: .read, statuses),
            Endpoint(.GET, "/v1/plan", .journal, .operatorReads, for: .read, plan),
            Endpoint(.GET, "/v1/approval", .journal, .operatorReads, for: .read, approvalRule),
            Endpoint(.PUT, "/v1/approval", .publish, .publishing, for: .statuses, proposeRule),
            Endpoint(.GET, "/v1/proposals", .journal, .operatorReads, for: .read, proposals),
            Endpoint(.GET, "/v1/proposals/:id", .journal, .operatorReads, for: .read, proposal),
            Endpoint(.POST, "/v1/proposals/:id/approve", .publish, .publishing, for: .read, approve),
            Endpoint(.POST, "/v1/proposals/:id/reject", .publish, .publishing, for: .read, reject),
            Endpoint(.GET, "/v1/tokens", .journal, .operatorReads, for: .tokens, tokens),
            Endpoint(.POST, "/v1/tokens", .journal, .publishing, for: .tokens, createToken),
            Endpoint(.DELETE, "/v1/tokens/:name", .journal, .publishing, for: .tokens, revokeToken),
        ]
    }

    // MARK: Requests

    /// The key in the header field `Idempotency-Key`, which identifies a repeated request.
    /// - Throws: 400 if the key is too long or repeated.
    static func requestKey(_ request: Request) throws -> RequestKey? {
        let values = request.headers["Idempotency-Key"]
        guard values.count < 2 else {
            throw HTTPError(400, "Idempotency-Key is given twice", hint: "send it once")
        }
        return try values.first.map { text throws(StoreError) in try RequestKey(text) }
    }

    /// A list for an operator. It is read and rendered on threads of its own, so that readers wait, and publishing does not.
    func list<Value: Encodable & SendableMetatype>(_ read: @escaping @Sendable () throws -> Value) async throws -> Response {
        .json(try await lists.run { try StoreJSON.data(read()) })
    }

    // MARK: Bodies

    /// The complete body of the request.
    /// - Throws: 413 beyond 64 KiB.
    func json(_ request: Request) async throws -> Data {
        var data = Data()
        for try await part in request.body {
            data.append(contentsOf: part.readableBytesView)
            guard data.count <= Limits.documentSize else { throw HTTPError.tooLarge(Limits.documentSize) }
        }
        return data
    }
}
