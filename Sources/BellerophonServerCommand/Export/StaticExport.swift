import BellerophonBase
import BellerophonServer
import BellerophonStore
import BellerophonTrust
import Digests
import Foundation
import StatusModel

/// A consistent copy of a store's read model, as files with their HTTP headers.
struct StaticExport {
    /// One file.
    struct File: Codable, Equatable {
        /// Relative to the folder, with slashes.
        let path: String
        let contentType: String
        let cacheControl: String
        /// With its quotes.
        let etag: String
        let size: Int64
        let sha256: String
    }

    /// The source of a file's bytes.
    enum Source {
        case bytes(Data)
        case file(URL, sha256: String)
    }

    /// One file, and the file that must exist before it.
    struct Item {
        let file: File
        let source: Source
        /// The path of the bytes that the file refers to. Without them, the file is left out.
        var needs: String?
    }

    /// In the order of writing: statuses first, so that nothing delays a kill; then files before those that refer to
    /// them.
    private(set) var items: [Item] = []
    /// Files that can't be created, by path.
    private(set) var failures: [(path: String, failure: CommandError)] = []
    private let signer: DocumentSigner?
    private let now = Date()

    static let short = CachePolicy().header

    /// - Parameter signer: nil if nothing is signed.
    init(_ store: Store, paths: Paths, signer: DocumentSigner?) throws {
        self.signer = signer
        let snapshot = try store.snapshot()
        for scope in snapshot.statuses.keys.sorted() {
            guard let status = snapshot.statuses[scope] else { continue }
            for path in [scope.statusPath] + (scope == .main ? ["/v1/apps/\(scope.app)/status"] : []) {
                add(String(path.dropFirst()), status.body, type: Self.json, cache: Self.short)
                addSigned("\(path.dropFirst()).jws", of: scope.description) { signer, now throws(SigningError) in
                    try signer.sign(status, at: now)
                }
            }
        }
        add("alive", Data("777".utf8), type: "text/plain; charset=utf-8", cache: Self.short)
        func bytesPath(_ version: ResourceVersion) -> String { "\(paths.data)/\(version.name)/\(version.version)" }
        let resources = snapshot.resources.values.sorted { $0.name < $1.name }
        for version in try resources.flatMap({ try store.versions(of: $0.name) }) {
            guard let source = store.file(for: version), let sha256 = version.sha256, let size = version.size else { continue }
            let file = File(
                path: bytesPath(version), contentType: "application/octet-stream",
                cacheControl: CachePolicy.immutable, etag: "\"\(sha256)\"", size: size, sha256: sha256
            )
            items.append(Item(file: file, source: .file(source, sha256: sha256)))
        }
        for resource in resources {
            let bytes = store.file(for: resource).map { _ in bytesPath(resource) }
            let meta = resource.meta(url: "\(paths.publicURL)/\(bytesPath(resource))")
            add("\(paths.meta)/\(resource.name)", meta, type: Self.json, cache: Self.short, needs: bytes)
            // An external resource without a digest has no signed manifest.
            guard resource.sha256 != nil else { continue }
            addSigned("\(paths.meta).jws/\(resource.name)", of: resource.name, needs: bytes) { signer, now throws(SigningError) in
                try signer.sign(resource, metaPath: paths.meta, dataPath: paths.data, at: now)
            }
        }
    }

    /// Adds a signed document, with the server's bytes.
    private mutating func addSigned(
        _ path: String, of subject: String, needs: String? = nil,
        _ sign: (DocumentSigner, Date) throws(SigningError) -> SignedDocument
    ) {
        guard let signer else { return }
        do throws(SigningError) {
            let bytes = Data(try sign(signer, now).text.utf8)
            add(path, bytes, type: Self.signedType, cache: signer.cache(CachePolicy()).header, needs: needs)
        } catch {
            failures.append((path, CommandError("\(subject) can't be signed: \(error)", exitCode: SystemExit.dataError)))
        }
    }

    private mutating func add(_ path: String, _ bytes: Data, type: String, cache: String, needs: String? = nil) {
        let sha256 = Digest(.sha256, of: bytes)?.hex ?? ""
        let file = File(
            path: path, contentType: type, cacheControl: cache, etag: "\"\(sha256.prefix(32))\"",
            size: Int64(bytes.count), sha256: sha256
        )
        items.append(Item(file: file, source: .bytes(bytes), needs: needs))
    }

    /// The headers in the format of several hosts of static sites.
    var headers: Data {
        let blocks = items.map(\.file).map {
            "/\($0.path)\n  Content-Type: \($0.contentType)\n  Cache-Control: \($0.cacheControl)\n"
                + "  X-Content-Type-Options: nosniff\n"
        }
        return Data(blocks.joined().utf8)
    }

    private static let json = "application/json; charset=utf-8"
    /// For signed documents only.
    static let signedType = "application/jose"
}

extension StaticExport {
    /// The addresses of the exported files.
    struct Paths {
        /// Without a slash at its end.
        let publicURL: String
        /// Without slashes at its ends.
        let meta: String
        let data: String

        static let usual = (meta: "GBCloudBoxResourcesMeta", data: "GBCloudBoxResourcesData")

        init(publicURL: String, meta: String, data: String) throws {
            guard StatusDocument.webAddress(publicURL) != nil, let parts = URLComponents(string: publicURL),
                parts.query == nil, parts.fragment == nil
            else {
                let shown = AddressText.withoutPassword(publicURL)
                throw CommandError.usage(
                    "--public-url: expected an http or https address, found \(JSONText.quoted(shown))")
            }
            self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
            self.meta = try Self.path(meta, "--meta-path")
            self.data = try Self.path(data, "--data-path")
            guard self.meta != self.data else { throw CommandError.usage("--meta-path and --data-path must differ") }
            guard self.meta + ".jws" != self.data else {
                throw CommandError.usage("--data-path: the signed meta documents are there")
            }
        }

        /// Accepts a path of plain names, which stays inside the folder and does not collide with other files of the
        /// export.
        private static func path(_ text: String, _ flag: String) throws -> String {
            let names = text.split(separator: "/").map(String.init)
            for name in names where !isPlain(name) {
                throw CommandError.usage("\(flag): \(JSONText.quoted(text)) is not a plain path")
            }
            guard let first = names.first, !["status", "status.jws", "alive", "v1"].contains(first) else {
                throw CommandError.usage("\(flag): \(JSONText.quoted(text)) is taken by another file")
            }
            return names.joined(separator: "/")
        }
    }

    /// Whether the name has only letters, digits, '.', '_' and '-', and does not begin with a dot or an underscore.
    static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, first != ".", first != "_" else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }
}
