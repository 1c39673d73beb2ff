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
        case file(URL)
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
    private let paths: Paths
    private let signing: Signing?

    static let short = CachePolicy().header
    static let immutable = "public, max-age=31536000, immutable"

    /// - Parameter signing: nil if nothing is signed.
    init(_ store: Store, paths: Paths, signing: Signing? = nil) throws {
        self.paths = paths
        self.signing = signing
        let snapshot = try store.snapshot()
        for scope in snapshot.statuses.keys.sorted() {
            guard let status = snapshot.statuses[scope] else { continue }
            for path in [scope.statusPath] + (scope == .main ? ["/v1/apps/\(scope.app)/status"] : []) {
                addStatus(status, path)
                addSignedStatus(status, path)
            }
        }
        add("alive", Data("777".utf8), type: "text/plain; charset=utf-8", cache: Self.short)
        let resources = snapshot.resources.values.sorted { $0.name < $1.name }
        for resource in resources {
            for version in try store.versions(of: resource.name) { addBytes(of: version, store) }
        }
        for resource in resources {
            let bytes = store.file(for: resource).map { _ in bytesPath(resource) }
            addMeta(resource, needs: bytes)
            addSignedMeta(resource, needs: bytes)
        }
    }

    private func bytesPath(_ version: ResourceVersion) -> String { "\(paths.data)/\(version.name)/\(version.version)" }

    private mutating func addBytes(of version: ResourceVersion, _ store: Store) {
        guard let source = store.file(for: version), let sha256 = version.sha256, let size = version.size else { return }
        let file = File(
            path: bytesPath(version), contentType: "application/octet-stream",
            cacheControl: Self.immutable, etag: "\"\(sha256)\"", size: size, sha256: sha256
        )
        items.append(Item(file: file, source: .file(source)))
    }

    private mutating func addMeta(_ resource: ResourceVersion, needs bytes: String?) {
        let url = "\(paths.publicURL)/\(bytesPath(resource))"
        add("\(paths.meta)/\(resource.name)", resource.meta(url: url), type: Self.json, cache: Self.short, needs: bytes)
    }

    private mutating func addStatus(_ status: PublishedStatus, _ path: String) {
        add(String(path.dropFirst()), status.body, type: Self.json, cache: Self.short)
    }

    // MARK: Signed documents

    private mutating func addSignedStatus(_ status: PublishedStatus, _ path: String) {
        addSigned("\(path.dropFirst()).jws", of: status.scope.description) { signing throws(SigningError) in
            try signing.signer.sign(status, at: signing.now)
        }
    }

    private mutating func addSignedMeta(_ resource: ResourceVersion, needs bytes: String?) {
        // An external resource without a digest has no signed manifest.
        guard resource.sha256 != nil else { return }
        let (meta, data) = (paths.meta, paths.data)
        addSigned("\(meta).jws/\(resource.name)", of: resource.name, needs: bytes) { signing throws(SigningError) in
            try signing.signer.sign(resource, metaPath: meta, dataPath: data, at: signing.now)
        }
    }

    /// Adds a signed document, with the server's bytes.
    private mutating func addSigned(
        _ path: String, of subject: String, needs: String? = nil,
        _ sign: (Signing) throws(SigningError) -> SignedDocument
    ) {
        guard let signing else { return }
        do throws(SigningError) {
            let bytes = Data(try sign(signing).text.utf8)
            add(path, bytes, type: Self.signedType, cache: signing.signer.cache(CachePolicy()).header, needs: needs)
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
    /// How documents are signed.
    struct Signing {
        let signer: DocumentSigner
        let now: Date
    }

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
        guard let first = name.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
}
