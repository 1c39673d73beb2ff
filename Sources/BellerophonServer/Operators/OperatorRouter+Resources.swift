import BellerophonStore
import Digests
import Foundation
import Logging
import NIOCore
import NIOHTTP1

extension OperatorRouter {
    /// The media type of the description of an external resource.
    static let external = "application/vnd.bellerophon.external+json"

    /// `GET /v1/resources`: the newest version of each resource, or all versions of `?name=`.
    func resources(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["name"])
        let name = query.text("name")
        return try await list { [store] in try name.map { try store.versions(of: $0) } ?? store.resources() }
    }

    /// `PUT /v1/resources/NAME`: the bytes, written to disk as they arrive, or the description of an external resource.
    func putResource(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["version", "md5", "sha256", "reason", "dryRun"])
        let name = call["name"]
        let isExternal = call.request.headers.first(name: "Content-Type").map { $0.hasPrefix(Self.external) } ?? false
        let put =
            isExternal
            ? try await putExternal(name, call.request, query, by: principal.author)
            : try await putBytes(name, call.request, query, by: principal.author)
        let isDryRun = try query.flag("dryRun")
        if !isDryRun { await published(put.resource, by: principal.name, isNew: put.isNew) }
        return .json(try StoreJSON.data(put.resource), status: put.isNew && !isDryRun ? .created : .ok)
    }

    private func putBytes(_ name: String, _ request: Request, _ query: QueryFields, by author: Author) async throws -> ResourcePut
    {
        let expected = try Self.digests(query)
        let version = try query.number("version")
        let isDryRun = try query.flag("dryRun")
        // Checked before the client sends a body of possibly several gigabytes.
        let size = request.headers.first(name: "Content-Length").flatMap { Int64($0) }
        let key = try Self.requestKey(request)
        if key == nil { try store.checkPut(name, version: version, size: size, by: author) }
        let content = try store.receive(size: size)
        for try await part in request.body {
            try await files.run { try part.withUnsafeReadableBytes { bytes throws(StoreError) in try content.write(bytes) } }
        }
        if isDryRun {
            return try await files.run { [store] in
                try store.previewResource(name, content: content, version: version, expected: expected)
            }
        }
        return try await store.putResource(
            name, content: content, version: version, expected: expected, by: author, reason: query.text("reason"), request: key
        )
    }

    private func putExternal(
        _ name: String, _ request: Request, _ query: QueryFields, by author: Author
    ) async throws -> ResourcePut {
        for field in ["version", "md5", "sha256"] where query.text(field) != nil {
            throw HTTPError(400, "\(field) stands in the query of an external resource", hint: "put it into the body")
        }
        let external = try ExternalResource(json: try await json(request))
        if try query.flag("dryRun") { return try store.previewExternal(name, external) }
        return try await store.putExternal(
            name, external, by: author, reason: query.text("reason"), request: try Self.requestKey(request)
        )
    }

    /// `POST /v1/resources/NAME/rollback`: publishes older bytes under a new, higher version.
    func rollback(_ call: Call, _ principal: Principal) async throws -> Response {
        let isDryRun = try QueryFields(call.request, known: ["dryRun"]).flag("dryRun")
        let name = call["name"]
        let wish = try RollbackBody(json: try await json(call.request))
        if isDryRun { return .json(try StoreJSON.data(try store.previewRollback(name, to: wish.version))) }
        let resource = try await store.rollback(
            name, to: wish.version, by: principal.author, reason: wish.reason, request: try Self.requestKey(call.request)
        )
        await published(resource, by: principal.name, isNew: true)
        return .json(try StoreJSON.data(resource), status: .created)
    }

    private func published(_ resource: ResourceVersion, by who: String, isNew: Bool) async {
        guard isNew else { return }
        await didChange()
        logger.notice(
            "resource published",
            metadata: [
                "resource": "\(resource.name)", "version": "\(resource.version)", "who": "\(who)",
            ])
    }

    private static func digests(_ query: QueryFields) throws -> [Digest] {
        try Digest.Kind.allCases.compactMap { kind in
            guard let hex = query.text(kind.rawValue) else { return nil }
            guard let digest = Digest(kind, hex: hex) else {
                throw HTTPError(400, "\(kind.rawValue): expected \(kind.length) hexadecimal digits", hint: "correct the query")
            }
            return digest
        }
    }

    /// `DELETE /v1/resources/NAME`: removes the resource, or only the version of `?version=`.
    func deleteResource(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["version", "reason", "dryRun"])
        let name = call["name"]
        let version = try query.number("version")
        if try query.flag("dryRun") { return try Self.removal(store.previewDeletion(name, version: version)) }
        let removal = try await store.deleteResource(
            name, version: version, by: principal.author, reason: query.text("reason")
        )
        return try await removed(removal, by: principal)
    }

    /// `DELETE /v1/resources?keep=N`: removes all but the newest versions of each resource, or of `?name=`.
    func pruneResources(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["keep", "name", "reason", "dryRun"])
        guard let kept = try query.number("keep") else {
            throw HTTPError(400, "the query field keep is missing", hint: "say how many versions stay, such as ?keep=5")
        }
        let name = query.text("name")
        let count = Int(clamping: kept)
        if try query.flag("dryRun") { return try Self.removal(store.previewPruning(name, keeping: count)) }
        let removal = try await store.pruneResources(
            name, keeping: count, by: principal.author, reason: query.text("reason")
        )
        return try await removed(removal, by: principal)
    }

    private func removed(_ removal: ResourceRemoval, by principal: Principal) async throws -> Response {
        await didChange()
        logger.notice(
            "resources removed",
            metadata: [
                "versions": "\(removal.removed.reduce(0) { $0 + $1.versions.count })", "freed": "\(removal.freedBytes)",
                "who": "\(principal.name)",
            ])
        return .json(try StoreJSON.data(removal))
    }

    private static func removal(_ removed: [ResourceRemoval.Removed]) throws -> Response {
        .json(try StoreJSON.data(ResourceRemoval(removed: removed, freedBytes: 0)))
    }
}
