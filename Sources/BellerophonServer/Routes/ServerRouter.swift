import BellerophonStore
import Foundation
import Logging
import NIOHTTP1

/// The endpoints of the server. They handle the requests that need more than a look-up: publishing, the journal, resource data,
/// metrics.
struct ServerRouter: Sendable {
    let store: Store
    let publisher: ReadModelPublisher
    let settings: ConnectionSettings
    let readSettings: ReadSettings
    let files: FilePool
    let contents: VerifiedFiles
    /// Threads for reads of the journal and of other lists.
    let lists: FilePool
    let failures: AuthenticationFailures
    let certificate: CertificateExpiry
    /// Whether the page `/console` is served.
    var hasConsole = false

    var endpoints: Endpoints {
        Endpoints(
            documents + resourceEndpoints + consoleEndpoints + operatorEndpoints, logger: settings.logger, failures: failures
        ) {
            try await authorize($0, for: $1)
        }
    }

    /// What clients read, and the status that operators publish at the same paths.
    private var documents: [Endpoint] {
        var endpoints = reads(.status, using: read)
        endpoints += ReadPath.status.patterns.map { path in
            Endpoint(.PUT, path, .publish, .publishing, for: { .rules(try Scope($0)) }, publish)
        }
        endpoints += reads(.events, using: stream)
        endpoints += reads(.signedStatus, using: readSigned) + reads(.signedEvents, using: streamSigned)
        endpoints += reads(.manifest(readSettings), using: read) + reads(.signedManifest(readSettings), using: readSigned)
        endpoints += reads(.data(readSettings), .downloads, using: data) + reads(.alive, using: read)
        endpoints.append(Endpoint(.GET, "/ready", .ready, .figures, ready))
        endpoints.append(Endpoint(.GET, "/metrics", .metrics, .figures, metrics))
        return endpoints
    }

    private func reads(
        _ path: ReadPath, _ slot: RequestSlot = .others, using handler: @escaping Endpoint.Handler
    ) -> [Endpoint] {
        path.patterns.map { Endpoint(.GET, $0, path.route, slot, handler) }
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

    private var operatorEndpoints: [Endpoint] {
        [
            Endpoint(.GET, "/v1/journal", .journal, .operatorReads, for: .read, journal),
            Endpoint(.GET, "/v1/scopes", .journal, .operatorReads, for: .read, scopes),
            Endpoint(.GET, "/v1/plan", .journal, .operatorReads, for: .read, plan),
            Endpoint(.GET, "/v1/approval", .journal, .operatorReads, for: .read, approvalRule),
            Endpoint(.PUT, "/v1/approval", .publish, .publishing, for: .approvalRule, proposeRule),
            Endpoint(.GET, "/v1/proposals", .journal, .operatorReads, for: .read, proposals),
            Endpoint(.GET, "/v1/proposals/:id", .journal, .operatorReads, for: .read, proposal),
            Endpoint(.POST, "/v1/proposals/:id/approve", .publish, .publishing, for: .read, approve),
            Endpoint(.POST, "/v1/proposals/:id/reject", .publish, .publishing, for: .read, reject),
            Endpoint(.GET, "/v1/tokens", .journal, .operatorReads, for: .tokens, tokens),
            Endpoint(.POST, "/v1/tokens", .journal, .publishing, for: .tokens, createToken),
            Endpoint(.DELETE, "/v1/tokens/:name", .journal, .publishing, for: .tokens, revokeToken),
        ]
    }

    // MARK: Tokens

    /// The token of a request, if it permits the action now. The store decides again with the change itself.
    /// - Throws: 401 or 403; 503 if the store's file was replaced, so that a publish would be lost.
    private func authorize(_ call: Call, for permission: TokenPermission) async throws -> TokenRecord {
        guard let token = BearerToken.read(call.request.headers.first(name: "Authorization")) else {
            throw HTTPError.unauthorized
        }
        guard let record = try await store.authenticate(token) else { throw HTTPError.wrongToken }
        call.origin.caller.set(record.name)
        guard !store.isExpired(record) else { throw HTTPError.expiredToken }
        guard record.allows(permission) else { throw HTTPError.forbidden(permission) }
        if permission != .read { try await publisher.checkFile() }
        return record
    }
}
