import BellerophonServer
import BellerophonStore
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
    /// The paths of documents that can't be signed.
    private(set) var unsigned: [String] = []
    /// Why these can't be signed.
    let failures: [CommandError]
    private let model: ReadModel
    private let signer: DocumentSigner?

    /// - Parameters:
    ///   - publicURL: the address of the exported files, without a slash at its end.
    ///   - signer: nil if nothing is signed.
    init(_ store: Store, at publicURL: String, signer: DocumentSigner?) throws {
        let snapshot = try store.snapshot()
        var settings = ReadSettings()
        settings.publicURL = publicURL
        model = ReadModel(snapshot, settings: settings, signer: signer)
        self.signer = signer
        failures = (model.signed?.problems ?? []).map { CommandError("can't be signed: \($0)", exitCode: SystemExit.dataError) }
        for scope in snapshot.statuses.keys.sorted() {
            for path in [scope.statusPath] + (scope == .main ? ["/v1/apps/\(scope.app)/status"] : []) {
                add(path)
                addSigned("\(path).jws")
            }
        }
        add("/alive", type: "text/plain; charset=utf-8")
        func bytesPath(_ version: ResourceVersion) -> String {
            "\(ReadSettings.dataPath.dropFirst())/\(version.name)/\(version.version)"
        }
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
            add("\(ReadSettings.metaPath)/\(resource.name)", needs: bytes)
            // An external resource without a digest has no signed manifest.
            if resource.sha256 != nil { addSigned("\(ReadSettings.metaPath).jws/\(resource.name)", needs: bytes) }
        }
    }

    /// Adds a signed document, if this export has them.
    private mutating func addSigned(_ path: String, needs: String? = nil) {
        guard let signer else { return }
        guard model.reply(path) != nil else { return unsigned.append(String(path.dropFirst())) }
        add(path, type: Self.signedType, cache: signer.cache(CachePolicy()), needs: needs)
    }

    /// Adds what a server replies for a path.
    private mutating func add(
        _ path: String, type: String = "application/json; charset=utf-8", cache: CachePolicy = CachePolicy(), needs: String? = nil
    ) {
        guard let bytes = model.reply(path).map({ Data($0.body) }) else { return }
        let sha256 = Digest(.sha256, of: bytes)?.hex ?? ""
        let file = File(
            path: String(path.dropFirst()), contentType: type, cacheControl: cache.header, etag: "\"\(sha256.prefix(32))\"",
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

    /// For signed documents only.
    static let signedType = "application/jose"

    /// Whether the name has only letters, digits, '.', '_' and '-', and does not begin with a dot or an underscore.
    static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, first != ".", first != "_" else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }
}
