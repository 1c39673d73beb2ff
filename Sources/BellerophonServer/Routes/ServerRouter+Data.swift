import BellerophonStore
import Foundation
import HTTPTypes
import Logging

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
            return Response(status: .found, headers: [.location: url, .cacheControl: readSettings.cache.header])
        }
        guard let file = store.file(for: resource), let digest = resource.sha256 else { throw Self.noResource(name) }
        return try await reply(call.request, resource, file, tag: "\"\(digest)\"", isFixed: version != nil)
    }

    private func find(_ name: String, _ version: Int64?) async throws -> ResourceVersion? {
        let newest = await publisher.readModel.snapshot.resources[name]
        guard let version, version != newest?.version else { return newest }
        return try store.resource(name, version: version)
    }

    static func noResource(_ name: String) -> HTTPError {
        HTTPError(404, "no such resource \(HTTPError.quoted(name)), or no such version", hint: "GET /v1/resources lists them")
    }

    private func reply(
        _ request: Request, _ resource: ResourceVersion, _ url: URL, tag: String, isFixed: Bool
    ) async throws -> Response {
        var headers: HTTPFields = [
            .eTag: tag, .acceptRanges: "bytes", .cacheControl: isFixed ? CachePolicy.immutable : readSettings.cache.header,
        ]
        if let name = HTTPField.Name("Resource-Version") { headers[name] = "\(resource.version)" }
        if EntityTags(request.headers[values: .ifNoneMatch]).matches(tag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "application/octet-stream"
        let file = try await contents.open(resource, url)
        // A range is only defined for GET (RFC 9110, section 14.2).
        let range = request.method == .get ? request.headers[.range] : nil
        let ranges = ByteRanges(range, size: file.size, ifRange: request.headers[.ifRange], tag: tag)
        return Self.response(ranges, of: file, headers, files)
    }

    private static func response(_ ranges: ByteRanges, of file: OpenFile, _ headers: HTTPFields, _ files: FilePool) -> Response {
        var headers = headers
        switch ranges {
        case .whole:
            return Response(status: .ok, headers: headers, body: .file(FileBody(file, [.bytes(0..<file.size)], files)))
        case .single(let part):
            headers[.contentRange] = contentRange(part, file.size)
            return Response(status: .partialContent, headers: headers, body: .file(FileBody(file, [.bytes(part)], files)))
        case .multiple(let parts):
            let boundary = "bellerophon-\(UInt64.random(in: .min ... .max))"
            let pieces = multipart(parts, file.size, boundary, type: headers[.contentType] ?? "")
            headers[.contentType] = "multipart/byteranges; boundary=\(boundary)"
            return Response(status: .partialContent, headers: headers, body: .file(FileBody(file, pieces, files)))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(file.size)"
            headers[.contentType] = nil
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    private static func contentRange(_ part: Range<Int64>, _ size: Int64) -> String {
        "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
    }

    private static func multipart(_ parts: [Range<Int64>], _ size: Int64, _ boundary: String, type: String) -> [FilePiece] {
        parts.flatMap { part -> [FilePiece] in
            let head = "\r\n--\(boundary)\r\nContent-Type: \(type)\r\nContent-Range: \(contentRange(part, size))\r\n\r\n"
            return [.text(head), .bytes(part)]
        } + [.text("\r\n--\(boundary)--\r\n")]
    }
}
