#if Server
import BellerophonStore
import HTTPTypes
import Hummingbird
import Logging

extension ServerRouter {
    /// `GET /v1/tokens`: all tokens, including revoked ones, without the tokens themselves.
    func tokens(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try await authorize(request, context, for: .tokens)
        _ = try QueryFields(request, known: [])
        return try await list { [store] in try store.tokens() }
    }

    /// `POST /v1/tokens`: creates a token that allows no more than the request's own one.
    func createToken(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, context, for: .tokens)
        _ = try QueryFields(request, known: [])
        let wanted = try TokenRequest(json: try await json(request))
        let created = try await store.createToken(wanted, by: Self.author(token, context), grantor: token)
        await publisher.refresh()
        settings.logger.notice(
            "a token was created",
            metadata: [
                "token": "\(created.record.name)", "scopes": "\(created.record.scopes.map(\.description).joined(separator: ","))",
                "who": "\(token.name)", "address": "\(context.origin.address ?? "unknown")",
            ])
        return Self.json(try StoreJSON.data(created), status: .created)
    }

    /// `DELETE /v1/tokens/NAME`: revokes a token permanently.
    func revokeToken(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, context, for: .tokens)
        let query = try QueryFields(request, known: ["reason"])
        let record = try await store.revokeToken(
            name: try context.parameters.require("name"), by: Self.author(token, context), reason: query.text("reason"))
        await publisher.refresh()
        settings.logger.notice(
            "a token was revoked",
            metadata: [
                "token": "\(record.name)", "who": "\(token.name)", "address": "\(context.origin.address ?? "unknown")",
            ])
        return Self.json(try StoreJSON.data(record))
    }
}
#endif
