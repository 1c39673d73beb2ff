import BellerophonStore
import Foundation
import Logging
import NIOHTTP1

/// The endpoints of the server. They handle the requests that need more than a look-up: resource data, figures, and those of operators.
struct ServerRouter: Sendable {
    let store: Store
    let publisher: ReadModelPublisher
    let settings: ConnectionSettings
    let readSettings: ReadSettings
    let files: FilePool
    let contents: VerifiedFiles
    let operators: OperatorRouter
    let threads: (reads: FilePool, others: FilePool)
    let certificate: PresentCertificate?
    /// Whether the page `/console` is served.
    var hasConsole = false

    var endpoints: Endpoints {
        Endpoints(
            all: documents + consoleEndpoints + operators.endpoints, logger: settings.logger,
            failures: publisher.limiters.failures, threads: threads, authorize: authorize)
    }

    /// What clients read.
    private var documents: [Endpoint] {
        let reads: [ReadPath] = [
            .status, .signedStatus, .events, .signedEvents, .manifest(readSettings), .signedManifest(readSettings), .alive,
        ]
        let contents = ReadPath.data(readSettings)
        var endpoints = reads.flatMap { path in path.patterns.map { Endpoint(.GET, $0, path.route, .others, read) } }
        endpoints += contents.patterns.map { Endpoint(.GET, $0, contents.route, .downloads, data) }
        return endpoints
            + [Endpoint(.GET, "/ready", .ready, .figures, ready), Endpoint(.GET, "/metrics", .metrics, .figures, metrics)]
    }

    // MARK: Tokens

    /// The token of a request, if it permits the action now. The store decides again with the change itself.
    /// - Throws: 401 or 403; 503 if the store's file was replaced, so that a publish would be lost.
    private func authorize(_ call: Call, _ permission: TokenScope) async throws -> Principal {
        guard let token = call.head.bearerToken else {
            throw HTTPError.unauthorized
        }
        guard let record = try store.authenticate(token) else { throw HTTPError.wrongToken }
        guard !store.isExpired(record) else { throw HTTPError.expiredToken }
        guard record.allows(permission) else { throw HTTPError.forbidden(permission) }
        // A token that may only read may decide on proposals.
        if permission != .read || ![.GET, .HEAD].contains(call.head.method) { try await publisher.checkFile() }
        return Principal(author: .token(record.name, address: call.address), token: record)
    }
}
