import BellerophonBase
import Digests
public import Foundation

/// A folder of bundled resources in one of three forms. The first existing form is used.
///
/// 1. `manifest.json`: `{"resources":{"help.txt":{"version":4,"path":"texts/help.txt","sha256":"…"}}}`; the digest is
///    optional.
/// 2. `Manifest.plist`, as in the original: a dictionary by name with the keys `version` and `path`.
/// 3. Numbered files, as in the original: `help.txt/4` is version 4 of `help.txt`.
///
/// A path is relative to the folder and must stay inside it.
public struct BundledFolder: BundledResources {
    /// The folder's URL.
    public let url: URL
    /// The maximum size of a manifest in bytes.
    private static let manifestLimit = 4 << 20

    /// Creates a value without reading the folder.
    public init(_ url: URL) {
        self.url = url
    }

    /// The bundled version of a resource; nil if the folder does not contain it.
    public func resource(_ name: ResourceName) throws(CloudBoxError) -> BundledResource? {
        let forms: [(file: String, entries: (Data) throws -> [String: Manifest.Entry])] = [
            ("manifest.json", { try JSONDecoder().decode(Manifest.self, from: $0).resources }),
            ("Manifest.plist", { try PropertyListDecoder().decode([String: Manifest.Entry].self, from: $0) }),
        ]
        for form in forms {
            let manifest = url.appendingPathComponent(form.file)
            guard FileManager.default.fileExists(atPath: manifest.path) else { continue }
            let entry = try entries(manifest, for: name, form.entries)[name.text]
            return try entry.map { entry throws(CloudBoxError) in try resource(entry, name, in: manifest) }
        }
        return newestNumbered(name)
    }

    private func entries(
        _ file: URL, for name: ResourceName, _ read: (Data) throws -> [String: Manifest.Entry]
    ) throws(CloudBoxError) -> [String: Manifest.Entry] {
        do {
            return try read(InputFile.read(file.path, limit: Self.manifestLimit))
        } catch {
            throw CloudBoxError(name.text, .bundled("\(file.path): \(DocumentError.text(of: error))"))
        }
    }

    private func resource(
        _ entry: Manifest.Entry, _ name: ResourceName, in manifest: URL
    ) throws(CloudBoxError) -> BundledResource {
        func problem(_ text: String) -> CloudBoxError { CloudBoxError(name.text, .bundled("\(manifest.path): \(text)")) }
        let parts = entry.path.split(separator: "/", omittingEmptySubsequences: false)
        guard !entry.path.isEmpty, !parts.contains(""), !parts.contains(".."), !parts.contains(".") else {
            throw problem("the path \"\(entry.path)\" is not a plain path inside the folder")
        }
        var digest: Digest?
        if let hex = entry.sha256 {
            digest = Digest(.sha256, hex: hex)
            if digest == nil { throw problem("sha256 is not 64 hexadecimal digits") }
        }
        let file = url.appendingPathComponent(entry.path)
        guard FileInspection.regularSize(file) != nil else { throw problem("there is no file \(file.path)") }
        return BundledResource(version: entry.version.value, content: .file(file), digest: digest)
    }

    private func newestNumbered(_ name: ResourceName) -> BundledResource? {
        let folder = url.appendingPathComponent(name.text)
        guard let newest = NumberedFiles.versions(in: folder).last else { return nil }
        return BundledResource(version: newest, content: .file(folder.appendingPathComponent(String(newest))))
    }
}

/// The manifest of a bundled folder.
private struct Manifest: Decodable {
    struct Entry: Decodable {
        var version: VersionNumber
        var path: String
        var sha256: String?
    }

    var resources: [String: Entry]
}
