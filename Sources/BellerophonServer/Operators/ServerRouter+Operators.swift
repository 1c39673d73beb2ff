import BellerophonStore
import Foundation
import Logging
import NIOHTTP1

extension ServerRouter {
    /// `GET /v1/scopes`: every app that the token may read about, and every channel with a publish.
    func scopes(_ call: Call, _ token: TokenRecord) async throws -> Response {
        _ = try QueryFields(call.request, known: [])
        return try await list { [store] in try store.scopes().sorted().filter { token.mayRead($0.app) } }
    }

    /// `DELETE /v1/resources/NAME`: removes the resource, or only the version of `?version=`.
    func deleteResource(_ call: Call, _ token: TokenRecord) async throws -> Response {
        let query = try QueryFields(call.request, known: ["version", "reason", "dryRun"])
        let name = call["name"]
        let version = try query.number("version")
        if try query.flag("dryRun") { return try Self.removal(store.previewDeletion(name, version: version)) }
        let removal = try await store.deleteResource(
            name, version: version, by: Self.author(token, call), reason: query.text("reason")
        )
        return try await removed(removal, by: token)
    }

    /// `DELETE /v1/resources?keep=N`: removes all but the newest versions of each resource, or of `?name=`.
    func pruneResources(_ call: Call, _ token: TokenRecord) async throws -> Response {
        let query = try QueryFields(call.request, known: ["keep", "name", "reason", "dryRun"])
        guard let kept = try query.number("keep") else {
            throw HTTPError(400, "the query field keep is missing", hint: "say how many versions stay, such as ?keep=5")
        }
        let name = query.text("name")
        let count = Int(clamping: kept)
        if try query.flag("dryRun") { return try Self.removal(store.previewPruning(name, keeping: count)) }
        let removal = try await store.pruneResources(
            name, keeping: count, by: Self.author(token, call), reason: query.text("reason")
        )
        return try await removed(removal, by: token)
    }

    private func removed(_ removal: ResourceRemoval, by token: TokenRecord) async throws -> Response {
        await publisher.refresh()
        settings.logger.notice(
            "resources removed",
            metadata: [
                "versions": "\(removal.removed.reduce(0) { $0 + $1.versions.count })", "freed": "\(removal.freedBytes)",
                "who": "\(token.name)",
            ])
        return Self.json(try StoreJSON.data(removal))
    }

    private static func removal(_ removed: [ResourceRemoval.Removed]) throws -> Response {
        json(try StoreJSON.data(ResourceRemoval(removed: removed, freedBytes: 0)))
    }

    // MARK: Requests that change the store

    /// The author for the journal.
    static func author(_ token: TokenRecord, _ call: Call) -> Author {
        .token(token.name, address: call.origin.address)
    }

    /// The key in the header field `Idempotency-Key`, which identifies a repeated request.
    /// - Throws: 400 if the key is too long or repeated.
    static func requestKey(_ request: Request) throws -> RequestKey? {
        let values = request.headers["Idempotency-Key"]
        guard values.count < 2 else {
            throw HTTPError(400, "Idempotency-Key is given twice", hint: "send it once")
        }
        return try values.first.map { text throws(StoreError) in try RequestKey(text) }
    }

    /// Warns if a status is dated ahead of the clock: an earlier one was published while a clock was ahead.
    func warnOfDate(_ entry: JournalEntry) {
        guard entry.datedAhead > 60 else { return }
        settings.logger.warning(
            "the order of statuses is ahead of the clock; a clock was wrong when an earlier one was published",
            metadata: [
                "row": "\(entry.id)", "seconds": "\(Int(entry.datedAhead))",
                "do": "check this machine's clock; clients accept the status anyway",
            ])
    }
}
