#if Server
import BellerophonStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Handles the requests that need more than a look-up: publishing, the journal, resource data, metrics.
struct ServerRouter: Sendable {
    let store: Store
    let publisher: ReadModelPublisher
    let settings: LaneSettings
    let readSettings: ReadSettings
    let files: FilePool
    let contents: VerifiedFiles
    /// Threads for reads of the journal and of other lists.
    let lists: FilePool
    let failures: AuthenticationFailures
    let certificate: CertificateExpiry
    /// Whether the page `/console` is served.
    var hasConsole = false

    /// Returns a response for every request; errors become responses.
    func responder() -> LaneResponder {
        let endpoints = endpoints
        let router = Router(context: ServerContext.self)
        router.add(middleware: ProblemAnswers(endpoints: endpoints, logger: settings.logger))
        for endpoint in endpoints {
            router.on(RouterPath(endpoint.path), method: endpoint.method, use: endpoint.handler)
            // HEAD has the same handler as GET; the lane leaves the body out.
            if endpoint.method == .get { router.on(RouterPath(endpoint.path), method: .head, use: endpoint.handler) }
        }
        let responder = router.buildResponder()
        let logger = settings.logger
        return { request, origin in
            let context = ServerContext(source: .init(logger: logger, origin: origin))
            do {
                return try await responder.respond(to: request, context: context)
            } catch {
                return Response(HTTPError(error, logger))
            }
        }
    }

    var endpoints: [Endpoint] {
        let forms = ["", "/v1/apps/:app", "/v1/apps/:app/channels/:channel"]
        let statuses = forms.flatMap { form in
            [
                Endpoint(.get, form + "/status", read), Endpoint(.put, form + "/status", publish),
                Endpoint(.get, form + "/events", stream), Endpoint(.get, form + "/status.jws", read),
                Endpoint(.get, form + "/events.jws", stream),
            ]
        }
        return statuses + resourceEndpoints + consoleEndpoints + [
            Endpoint(.get, "/alive", read),
            Endpoint(.get, "/ready", ready),
            Endpoint(.get, "/metrics", metrics),
            Endpoint(.get, "/v1/journal", journal),
            Endpoint(.get, "/v1/scopes", scopes),
            Endpoint(.get, "/v1/approval", approvalRule),
            Endpoint(.put, "/v1/approval", proposeRule),
            Endpoint(.get, "/v1/proposals", proposals),
            Endpoint(.get, "/v1/proposals/:id", proposal),
            Endpoint(.post, "/v1/proposals/:id/approve", approve),
            Endpoint(.post, "/v1/proposals/:id/reject", reject),
            Endpoint(.get, "/v1/tokens", tokens),
            Endpoint(.post, "/v1/tokens", createToken),
            Endpoint(.delete, "/v1/tokens/:name", revokeToken),
        ]
    }

    private var resourceEndpoints: [Endpoint] {
        [
            Endpoint(.get, readSettings.metaPath + "/:name", read), Endpoint(.get, readSettings.metaPath + ".jws/:name", read),
            Endpoint(.get, readSettings.dataPath + "/:name", data),
            Endpoint(.get, readSettings.dataPath + "/:name/:version", data),
            Endpoint(.get, "/v1/resources", resources),
            Endpoint(.delete, "/v1/resources", pruneResources),
            Endpoint(.put, "/v1/resources/:name", putResource),
            Endpoint(.delete, "/v1/resources/:name", deleteResource),
            Endpoint(.post, "/v1/resources/:name/rollback", rollback),
        ]
    }

    // MARK: Tokens

    /// The token of a request, if it permits the action.
    /// - Throws: 401 or 403; 503 if the store's file was replaced, so that a publish would be lost.
    func authorize(
        _ request: Request, _ context: ServerContext, for permission: TokenPermission
    ) async throws -> TokenRecord {
        guard let token = BearerToken.read(request.headers[.authorization]) else {
            failures.count(.missing)
            throw HTTPError.unauthorized
        }
        guard let record = try await store.authenticate(token) else {
            note(.unknown, request, context)
            throw HTTPError.wrongToken
        }
        context.origin.caller.set(record.name)
        guard !store.isExpired(record) else {
            note(.expired, request, context)
            throw HTTPError.expiredToken
        }
        try check(record, for: permission, request, context)
        if permission != .read { try await publisher.checkFile() }
        return record
    }

    /// - Throws: 403 if the token does not permit the action.
    func check(
        _ record: TokenRecord, for permission: TokenPermission, _ request: Request, _ context: ServerContext
    ) throws {
        guard !record.allows(permission) else { return }
        note(.forbidden, request, context)
        throw HTTPError.forbidden(permission)
    }

    private func note(_ reason: AuthenticationFailures.Reason, _ request: Request, _ context: ServerContext) {
        failures.note(reason, client: context.origin.address, path: request.uri.path, settings.logger)
    }
}
#endif
