import Bellerophon
import Foundation
import TestSupport

@testable import CloudBox

/// A source server like `bellerophon-server`: digests, entity tags and ranges, and faults on request.
final class ResourceServer: Sendable {
    struct Item: Sendable {
        var version: Int64
        var body: [UInt8]
        var statesDigests = true
        var statesSize = true
        var tag: String? = "\"one\""
        var takesRanges = true
        /// The most bytes in the response to a range request; nil sends the requested range.
        var rangeBytes: Int?
        /// Whether the response to a range request states the total length.
        var rangesStateTotal = true
        /// Sent instead of the version; nil omits the field.
        var fileVersion: String?
        /// The digest in the meta document instead of the body's SHA-256.
        var falseDigest: String?
        /// The number of bytes after which each of the next transfers ends.
        var cuts: [Int] = []
        /// The file's URL instead of this server's.
        var url: String?
    }

    let http: HostileServer
    let items = Watched<[String: Item]>([:])

    init(_ items: [String: Item] = [:]) throws {
        http = try HostileServer()
        self.items.update { $0 = items }
        let (port, items) = (http.port, self.items)
        http.answer { request in Self.answer(request, items, port: port) }
    }

    var url: URL { http.url("/") }

    subscript(name: String) -> Item? {
        get { items.value[name] }
        set { items.update { $0[name] = newValue } }
    }

    /// The targets of all requests so far.
    var paths: [String] { http.requests.map(\.path) }

    /// The requests for files, without those for meta documents.
    var fileRequests: [Request] { http.requests.filter { $0.path.hasPrefix("/GBCloudBoxResourcesData/") } }

    private static func answer(
        _ request: Request, _ items: Watched<[String: Item]>, port: UInt16
    ) -> Behaviour {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count >= 2 else { return .failure(404) }
        let (item, cut) = items.update { items -> (Item?, Int?) in
            guard let item = items[parts[1]] else { return (nil, nil) }
            guard parts[0] == "GBCloudBoxResourcesData", !item.cuts.isEmpty else { return (item, nil) }
            return (item, items[parts[1]]?.cuts.removeFirst())
        }
        guard let item else { return .failure(404) }
        if parts[0] == "GBCloudBoxResourcesMeta" { return meta(item, parts[1], port: port) }
        // The original server has no signed documents.
        if parts[0] == "GBCloudBoxResourcesMeta.jws" { return .failure(404) }
        let answer = file(item, request)
        return cut.map { .truncated(answer, after: $0) } ?? .answer(answer)
    }

    private static func meta(_ item: Item, _ name: String, port: UInt16) -> Behaviour {
        let url = item.url ?? "http://127.0.0.1:\(port)/GBCloudBoxResourcesData/\(name)/\(item.version)"
        var fields = ["\"v\":\(item.version)", "\"url\":\"\(url)\""]
        if item.statesDigests {
            fields.append("\"md5\":\"\(Digest(.md5, of: Data(item.body))?.hex ?? "")\"")
            fields.append("\"sha256\":\"\(item.falseDigest ?? Digest(.sha256, of: Data(item.body))?.hex ?? "")\"")
        }
        if item.statesSize { fields.append("\"size\":\(item.body.count)") }
        return .status("{\(fields.joined(separator: ","))}", etag: "\"meta-\(item.version)\"")
    }

    private static func file(_ item: Item, _ request: Request) -> Answer {
        var headers = ["Content-Type": "application/octet-stream"]
        headers["ETag"] = item.tag
        headers["Resource-Version"] = item.fileVersion
        guard item.takesRanges, let start = rangeStart(request) else { return Answer(headers: headers, body: item.body) }
        if let condition = request.header("If-Range"), condition != item.tag {
            return Answer(headers: headers, body: item.body)
        }
        guard start < item.body.count else { return Answer(status: 416, headers: headers) }
        let end = min(start + (item.rangeBytes ?? item.body.count), item.body.count)
        let total = item.rangesStateTotal ? String(item.body.count) : "*"
        headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(total)"
        return Answer(status: 206, headers: headers, body: Array(item.body[start..<end]))
    }

    private static func rangeStart(_ request: Request) -> Int? {
        guard let field = request.header("Range"), field.hasPrefix("bytes=") else { return nil }
        return Int(field.dropFirst(6).prefix { $0 != "-" })
    }
}

/// A server with one file. `{}` in the manifest stands for its origin.
func manifestServer(_ manifest: String, file: Behaviour) throws -> HostileServer {
    let server = try HostileServer()
    let origin = server.url("/").absoluteString
    server.answer { request in
        request.path.contains("Meta") ? .json(manifest.replacingOccurrences(of: "{}", with: origin)) : file
    }
    return server
}

extension ResourceServer.Item {
    init(version: Int64, _ text: String) {
        self.init(version: version, body: Array(text.utf8))
    }
}

/// A library in a temporary folder.
struct Box {
    let folder: TestFolder
    let box: CloudBoxClient

    init(
        _ servers: [URL], registering name: String? = nil, limit: Int64? = nil, folder: TestFolder? = nil,
        bundled: any BundledResources = .none,
        limits: CloudBoxConfiguration.Limits = .init(silence: patience * 2), headers: [String: String] = [:],
        verifier: (any ManifestVerifier)? = nil, date: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        let folder = try folder ?? TestFolder()
        self.folder = folder
        var configuration = CloudBoxConfiguration(
            folder: folder.url.appendingPathComponent("resources"), servers: servers, bundled: bundled, limits: limits,
            verifier: verifier, headers: headers
        )
        configuration.date = date
        box = CloudBoxClient(configuration)
        if let name { try box.register(name, limit: limit) }
    }

    func text(_ name: String) throws -> String {
        String(decoding: try box.data(for: name), as: UTF8.self)
    }

    /// The visible and hidden files of a resource, sorted.
    func files(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("resources/\(name)")).sorted()
    }
}

extension SyncOutcome {
    /// The error of a sync; nil if it succeeded.
    var reason: CloudBoxError.Reason? {
        if case .failed(let error) = self { return error.reason }
        return nil
    }
}

/// Pseudo-random bytes, so that wrongly assembled data differs.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
}
