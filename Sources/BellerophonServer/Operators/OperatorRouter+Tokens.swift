import BellerophonStore
import Logging
import NIOHTTP1

extension OperatorRouter {
    /// `GET /v1/tokens`: all tokens, including revoked ones, without the tokens themselves.
    func tokens(_ call: Call, _ principal: Principal) async throws -> Response {
        .json(try StoreJSON.data(store.tokens()))
    }

    /// `POST /v1/tokens`: creates a token that allows no more than the request's own one.
    func createToken(_ call: Call, _ principal: Principal) async throws -> Response {
        let wanted = try TokenRequest(json: try await call.json())
        let created = try await store.createToken(wanted, by: principal.author)
        let scopes = created.record.scopes.map(\.description).joined(separator: ",")
        return try await changed(
            created, call, by: principal.name, status: .created, "a token was created",
            ["token": "\(created.record.name)", "scopes": "\(scopes)"])
    }

    /// `DELETE /v1/tokens/NAME`: revokes a token permanently.
    func revokeToken(_ call: Call, _ principal: Principal) async throws -> Response {
        let record = try await store.revokeToken(name: call["name"], by: principal.author, reason: call.query.text("reason"))
        return try await changed(record, call, by: principal.name, "a token was revoked", ["token": "\(record.name)"])
    }
}
