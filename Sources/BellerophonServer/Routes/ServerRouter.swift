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
            all: documents + consoleEndpoints + operators.endpoints, logger: settings.logger, failures: failures
        ) {
            try await authorize($0, for: $1)
        }
    }

    /// What clients read.
    private var documents: [Endpoint] {
        let reads: [(path: ReadPath, handler: Endpoint.Handler)] = [
            (.status, read), (.signedStatus, signed(read)), (.events, stream), (.signedEvents, signed(stream)),
            (.manifest(readSettings), read), (.signedManifest(readSettings), signed(read)), (.data(readSettings), data),
            (.alive, read),
        ]
        return reads.flatMap { path, handler in
            path.patterns.map { Endpoint(.GET, $0, path.route, path.route == .data ? .downloads : .others, handler) }
        } + [Endpoint(.GET, "/ready", .ready, .figures, ready), Endpoint(.GET, "/metrics", .metrics, .figures, metrics)]
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
