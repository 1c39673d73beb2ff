import BellerophonStore
import Logging
import NIOHTTP1

extension ServerRouter {
    /// `GET /v1/tokens`: all tokens, including revoked ones, without the tokens themselves.
    func tokens(_ call: Call, _ token: TokenRecord) async throws -> Response {
        _ = try QueryFields(call.request, known: [])
        return try await list { [store] in try store.tokens() }
    }

    /// `POST /v1/tokens`: creates a token that allows no more than the request's own one.
    func createToken(_ call: Call, _ token: TokenRecord) async throws -> Response {
        _ = try QueryFields(call.request, known: [])
        let wanted = try TokenRequest(json: try await json(call.request))
        let created = try await store.createToken(wanted, by: Self.author(token, call))
        await publisher.refresh()
        settings.logger.notice(
            "a token was created",
            metadata: [
                "token": "\(created.record.name)", "scopes": "\(created.record.scopes.map(\.description).joined(separator: ","))",
                "who": "\(token.name)", "address": "\(call.origin.address ?? "unknown")",
            ])
        return Self.json(try StoreJSON.data(created), status: .created)
    }

    /// `DELETE /v1/tokens/NAME`: revokes a token permanently.
    func revokeToken(_ call: Call, _ token: TokenRecord) async throws -> Response {
        let query = try QueryFields(call.request, known: ["reason"])
        let record = try await store.revokeToken(
            name: call["name"], by: Self.author(token, call), reason: query.text("reason"))
        await publisher.refresh()
        settings.logger.notice(
            "a token was revoked",
            metadata: [
                "token": "\(record.name)", "who": "\(token.name)", "address": "\(call.origin.address ?? "unknown")",
            ])
        return Self.json(try StoreJSON.data(record))
    }
}
