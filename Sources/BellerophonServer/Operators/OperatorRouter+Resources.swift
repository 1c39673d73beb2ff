import BellerophonStore
import Digests
import Logging
import NIOCore
import NIOHTTP1

extension OperatorRouter {
    /// The media type of the description of an external resource.
    static let external = "application/vnd.bellerophon.external+json"

    /// `GET /v1/resources`: the newest version of each resource, or all versions of `?name=`.
    func resources(_ call: Call, _ principal: Principal) async throws -> Response {
        .json(try StoreJSON.data(try call.query.text("name").map { try store.versions(of: $0) } ?? store.resources()))
    }

    /// `PUT /v1/resources/NAME`: the bytes, written to disk as they arrive, or the description of an external resource.
    func putResource(_ call: Call, _ principal: Principal) async throws -> Response {
        let isExternal = call.headers.first(name: "Content-Type").map { $0.hasPrefix(Self.external) } ?? false
        let put = try await isExternal ? putExternal(call, by: principal.author) : putBytes(call, by: principal.author)
        let isNew = try put.isNew && !call.query.flag("dryRun")
        guard isNew else { return .json(try StoreJSON.data(put.resource)) }
        return try await published(put.resource, call, principal)
    }

    private func putBytes(_ call: Call, by author: Author) async throws -> ResourcePut {
        let (name, query) = (call["name"], call.query)
        let expected = try Self.digests(query)
        let version = try query.number("version")
        let isDryRun = try query.flag("dryRun")
        // Checked before the client sends a body of possibly several gigabytes.
        let size = call.headers.first(name: "Content-Length").flatMap { Int64($0) }
        let key = try call.requestKey()
        if key == nil { try store.checkPut(name, version: version, size: size, by: author) }
        let content = try store.receive(size: size)
        if case .file(let file) = call.body { try await files.run { try content.copy(file) } }
        try await call.body.read { part in
            try await files.run { try part.withUnsafeReadableBytes { bytes throws(StoreError) in try content.write(bytes) } }
        }
        let source = ResourceSource.content(content, version: version, expected: expected)
        if isDryRun { return try await files.run { [store] in try store.previewResource(name, source) } }
        return try await store.putResource(name, source, by: author, reason: query.text("reason"), request: key)
    }

    private func putExternal(_ call: Call, by author: Author) async throws -> ResourcePut {
        let (name, query) = (call["name"], call.query)
        for field in ["version", "md5", "sha256"] where query.text(field) != nil {
            throw HTTPError(400, "\(field) stands in the query of an external resource", hint: "put it into the body")
        }
        let source = ResourceSource.external(try ExternalResource(json: try await call.json()))
        if try query.flag("dryRun") { return try store.previewResource(name, source) }
        return try await store.putResource(
            name, source, by: author, reason: query.text("reason"), request: try call.requestKey())
    }

    /// `POST /v1/resources/NAME/rollback`: publishes older bytes under a new, higher version.
    func rollback(_ call: Call, _ principal: Principal) async throws -> Response {
        let name = call["name"]
        let wish = try RollbackBody(json: try await call.json())
        let source = ResourceSource.older(wish.version)
        if try call.query.flag("dryRun") {
            return .json(try StoreJSON.data(try store.previewResource(name, source).resource))
        }
        let resource = try await store.putResource(
            name, source, by: principal.author, reason: wish.reason, request: try call.requestKey()
        ).resource
        return try await published(resource, call, principal)
    }

    private func published(_ resource: ResourceVersion, _ call: Call, _ principal: Principal) async throws -> Response {
        try await changed(
            resource, call, by: principal.name, status: .created, "resource published",
            ["resource": "\(resource.name)", "version": "\(resource.version)"])
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
        let (name, query) = (call["name"], call.query)
        let version = try query.number("version")
        return try await removed(
            store.deleteResource(
                name, version: version, by: principal.author, reason: query.text("reason"), isDryRun: query.flag("dryRun")),
            call, principal)
    }

    /// `DELETE /v1/resources?keep=N`: removes all but the newest versions of each resource, or of `?name=`.
    func pruneResources(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = call.query
        guard let kept = try query.number("keep") else {
            throw HTTPError(400, "the query field keep is missing", hint: "say how many versions stay, such as ?keep=5")
        }
        let (name, count) = (query.text("name"), Int(clamping: kept))
        return try await removed(
            store.pruneResources(
                name, keeping: count, by: principal.author, reason: query.text("reason"), isDryRun: query.flag("dryRun")),
            call, principal)
    }

    private func removed(_ removal: ResourceRemoval, _ call: Call, _ principal: Principal) async throws -> Response {
        if try call.query.flag("dryRun") { return .json(try StoreJSON.data(removal)) }
        let count = removal.removed.reduce(0) { $0 + $1.versions.count }
        return try await changed(
            removal, call, by: principal.name, "resources removed",
            ["versions": "\(count)", "freed": "\(removal.freedBytes)"])
    }
}
