import BellerophonStore
import Logging
import NIOHTTP1

/// The endpoints of operators: publishing, the journal, resources, proposals and tokens.
///
/// A server has them behind its connections. A command that uses a store of its machine has them in its own process; see
/// ``LocalEndpoints``.
struct OperatorRouter: Sendable {
    let store: Store
    /// Threads that write resources to the disk.
    let files: FilePool
    let logger: Logger
    /// Is called before the journal is read, or the status of a scope.
    var willRead: @Sendable (Scope?) async throws -> Void = { _ in }
    /// Is called after a change, before the reply.
    var didChange: @Sendable () async -> Void = {}

    /// A status is published at the paths at which clients read it.
    var endpoints: [Endpoint] {
        let statuses = ReadPath.status.patterns.map { path in
            Endpoint(.PUT, path, .publish, for: nil, "dryRun review new propose breakGlass follows replaces", publish)
        }
        let (all, one): (PathPattern, PathPattern) = ("/v1/resources", "/v1/resources/:name")
        return statuses + [
            Endpoint(.GET, all, .resources, for: .read, "name", resources),
            Endpoint(.DELETE, all, .resources, for: .resources, "keep name reason dryRun", pruneResources),
            Endpoint(.PUT, one, .resources, .resource, for: .resources, "version md5 sha256 reason dryRun", putResource),
            Endpoint(.DELETE, one, .resources, for: .resources, "version reason dryRun", deleteResource),
            Endpoint(.POST, "/v1/resources/:name/rollback", .resources, for: .resources, "dryRun", rollback),
            Endpoint(.GET, "/v1/journal", .journal, for: .read, "app channel resource limit before after since", journal),
            Endpoint(.GET, "/v1/statuses", .journal, for: .read, "app channel", self.statuses),
            Endpoint(.GET, "/v1/plan", .journal, for: .read, "app channel", plan),
            Endpoint(.GET, "/v1/approval", .journal, for: .read, "", approvalRule),
            Endpoint(.PUT, "/v1/approval", .publish, for: .statuses, "", proposeRule),
            Endpoint(.GET, "/v1/proposals", .journal, for: .read, "all", proposals),
            Endpoint(.GET, "/v1/proposals/:id", .journal, for: .read, "review", proposal),
            Endpoint(.POST, "/v1/proposals/:id/approve", .publish, for: .read, "", approve),
            Endpoint(.POST, "/v1/proposals/:id/reject", .publish, for: .read, "reason", reject),
            Endpoint(.GET, "/v1/tokens", .journal, for: .tokens, "", tokens),
            Endpoint(.POST, "/v1/tokens", .journal, for: .tokens, "", createToken),
            Endpoint(.DELETE, "/v1/tokens/:name", .journal, for: .tokens, "reason", revokeToken),
        ]
    }

    // MARK: Replies

    /// The response to a request that has changed something. Before, every connection reads the change, and it is logged.
    /// - Parameters:
    ///   - result: what the response says.
    ///   - facts: for the log, beside the author and the address.
    func changed(
        _ result: some Encodable, _ call: Call, by who: String, status: HTTPResponseStatus = .ok, _ message: Logger.Message,
        level: Logger.Level = .notice, _ facts: Logger.Metadata
    ) async throws -> Response {
        await didChange()
        let origin: Logger.Metadata = ["who": "\(who)", "address": "\(call.address ?? "unknown")"]
        logger.log(level: level, message, metadata: origin.merging(facts) { $1 })
        return .json(try StoreJSON.data(result), status: status)
    }
}
