import BellerophonStore
import Logging
import NIOHTTP1

extension OperatorRouter {
    /// `GET /v1/tokens`: all tokens, including revoked ones, without the tokens themselves.
    func tokens(_ call: Call, _ principal: Principal) async throws -> Response {
        _ = try QueryFields(call.request, known: [])
        return try await list { [store] in try store.tokens() }
    }

    /// `POST /v1/tokens`: creates a token that allows no more than the request's own one.
    func createToken(_ call: Call, _ principal: Principal) async throws -> Response {
        _ = try QueryFields(call.request, known: [])
        let wanted = try TokenRequest(json: try await json(call.request))
        let created = try await store.createToken(wanted, by: principal.author)
        await didChange()
        logger.notice(
            "a token was created",
            metadata: [
                "token": "\(created.record.name)", "scopes": "\(created.record.scopes.map(\.description).joined(separator: ","))",
                "who": "\(principal.name)", "address": "\(call.origin.address ?? "unknown")",
            ])
        return .json(try StoreJSON.data(created), status: .created)
    }

    /// `DELETE /v1/tokens/NAME`: revokes a token permanently.
    func revokeToken(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["reason"])
        let record = try await store.revokeToken(
            name: call["name"], by: principal.author, reason: query.text("reason"))
        await didChange()
        logger.notice(
            "a token was revoked",
            metadata: [
                "token": "\(record.name)", "who": "\(principal.name)", "address": "\(call.origin.address ?? "unknown")",
            ])
        return .json(try StoreJSON.data(record))
    }
}
