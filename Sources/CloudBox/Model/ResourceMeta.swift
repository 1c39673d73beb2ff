import BellerophonBase
import Digests
import Foundation
import StatusModel

/// A source server's description of a resource: `{"v":4,"md5":"…","sha256":"…","size":1234,"url":"…"}`.
///
/// The original sends `v` and `url`. The version is a number or a string of its digits.
struct ResourceMeta: Equatable, Sendable {
    var version: Int64
    /// The URL of the file, with any origin, as in the original.
    var url: URL
    var md5: Digest?
    var sha256: Digest?
    /// In bytes.
    var size: Int64?

    /// The digest to verify the file with: the stronger of the stated ones.
    var digest: Digest? { sha256 ?? md5 }

    /// Parses a meta document.
    /// - Parameter base: the meta document's own URL, the base of a relative `url`.
    static func read(_ data: Data, from base: URL) -> Result<ResourceMeta, DocumentError> {
        do {
            // JSON that two parsers could interpret differently is refused.
            _ = try JSONReader.read(data, .acceptsHugeNumbers)
            let document = try JSONDecoder().decode(Document.self, from: data)
            return .success(
                ResourceMeta(
                    version: document.v.value, url: try fileURL(document.url, base: base),
                    md5: try digest(.md5, document.md5), sha256: try digest(.sha256, document.sha256),
                    size: try size(document.size)
                ))
        } catch {
            return .failure(DocumentError(text: DocumentError.text(of: error)))
        }
    }

    private struct Document: Decodable {
        var v: VersionNumber
        var url: String
        var md5: String?
        var sha256: String?
        var size: Int64?
    }

    private static func digest(_ kind: Digest.Kind, _ text: String?) throws -> Digest? {
        guard let text, !text.isEmpty else { return nil }
        guard let digest = Digest(kind, hex: text) else {
            throw DocumentError(text: "\(kind.rawValue) is not \(kind.length) hexadecimal digits")
        }
        return digest
    }

    private static func size(_ size: Int64?) throws -> Int64? {
        if let size, size < 0 { throw DocumentError(text: "size is below 0") }
        return size
    }

    /// A host with percent escapes is refused: it crashes the process in Foundation's transport on Linux.
    private static func fileURL(_ text: String, base: URL) throws -> URL {
        guard text.utf8.count <= 4096, let url = URL(string: text, relativeTo: base)?.absoluteURL else {
            throw DocumentError(text: "url is no address")
        }
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else { throw DocumentError(text: "url is not an http or https address") }
        guard let host = url.host, !host.isEmpty,
            StatusDocument.authority(of: url.absoluteString).utf8.allSatisfy(Self.isHostByte)
        else {
            throw DocumentError(text: "url has no usable host")
        }
        if scheme == "http", base.scheme?.lowercased() == "https" {
            throw DocumentError(text: "url leaves https for http")
        }
        return url
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\\")
    }
}
