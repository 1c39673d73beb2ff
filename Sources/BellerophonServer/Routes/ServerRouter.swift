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
    let failures: AuthenticationFailures
    let certificate: PresentCertificate?
    /// Whether the page `/console` is served.
    var hasConsole = false

    var endpoints: Endpoints {
        Endpoints(
            documents + consoleEndpoints + operators.endpoints, logger: settings.logger, failures: failures
        ) {
            try await authorize($0, for: $1)
        }
    }

    /// What clients read.
    private var documents: [Endpoint] {
        var endpoints = reads(.status, using: read)
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

    // MARK: Tokens

    /// The token of a request, if it permits the action now. The store decides again with the change itself.
    /// - Throws: 401 or 403; 503 if the store's file was replaced, so that a publish would be lost.
    private func authorize(_ call: Call, for permission: TokenScope) async throws -> Principal {
        guard let token = BearerToken.read(call.request.headers.first(name: "Authorization")) else {
            throw HTTPError.unauthorized
        }
        guard let record = try store.authenticate(token) else { throw HTTPError.wrongToken }
        call.origin.caller.set(record.name)
        guard !store.isExpired(record) else { throw HTTPError.expiredToken }
        guard record.allows(permission) else { throw HTTPError.forbidden(permission) }
        if permission != .read { try await publisher.checkFile() }
        return Principal(author: .token(record.name, address: call.origin.address), token: record)
    }
}
