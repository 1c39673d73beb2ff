import BellerophonStore
import NIOHTTP1

extension ServerRouter {
    /// A resource's bytes. The path without a version has the newest bytes; a path with a version never changes.
    func data(_ call: Call) async throws -> Response {
        let name = call["name"]
        let version = try call.parameters["version"].map { text in
            guard let number = Int64(text), number >= 0, String(number) == text else { throw Self.noResource(name) }
            return number
        }
        guard let resource = try await find(name, version) else { throw Self.noResource(name) }
        if let url = resource.externalURL {
            return Response(status: .found, headers: ["Location": url, "Cache-Control": readSettings.cache.header])
        }
        guard let url = store.file(for: resource), let digest = resource.sha256 else { throw Self.noResource(name) }
        let tag = "\"\(digest)\""
        var headers: HTTPHeaders = [
            "ETag": tag, "Accept-Ranges": "bytes",
            "Cache-Control": version == nil ? readSettings.cache.header : CachePolicy.immutable,
            "Resource-Version": "\(resource.version)",
        ]
        if EntityTags.match(call.headers["If-None-Match"], tag) {
            return Response(status: .notModified, headers: headers)
        }
        headers.add(name: "Content-Type", value: "application/octet-stream")
        let file = try await contents.open(resource, url)
        // A range is only defined for GET (RFC 9110, section 14.2).
        let range = call.head.method == .GET ? call.headers.first(name: "Range") : nil
        switch ByteRanges(range, size: file.size, ifRange: call.headers.first(name: "If-Range"), tag: tag) {
        case .single(let part):
            headers.add(name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)")
            return Response(
                status: .partialContent, headers: headers, body: .file(FileBody(file: file, range: part, pool: files)))
        case .unsatisfiable:
            headers.add(name: "Content-Range", value: "bytes */\(file.size)")
            headers.remove(name: "Content-Type")
            return Response(status: .rangeNotSatisfiable, headers: headers)
        case .whole:
            return Response(status: .ok, headers: headers, body: .file(FileBody(file: file, range: 0..<file.size, pool: files)))
        }
    }

    private func find(_ name: String, _ version: Int64?) async throws -> ResourceVersion? {
        let newest = await publisher.readModel.snapshot.resources[name]
        guard let version, version != newest?.version else { return newest }
        return try store.resource(name, version: version)
    }

    static func noResource(_ name: String) -> HTTPError {
        HTTPError(404, "no such resource \(HTTPError.quoted(name)), or no such version", hint: "GET /v1/resources lists them")
    }
}
