#if Server
import BellerophonStore
import BellerophonTrust
import Digests
import Foundation

/// A signed status or manifest.
package struct SignedDocument: Equatable, Sendable {
    /// A compact JWS.
    package let text: String
    package let issuedAt: Date
    /// The payload without the signature.
    let plain: Data
    /// The journal row that made a status effective, or the version of a resource.
    let serial: Int64
    /// The serial in the signature, which orders the statuses of a scope; the version of a resource.
    let signedSerial: Int64

    /// The digest of the signed content without the signature, so that signing the same content again keeps the tag.
    private var hex: Substring {
        let signed = text.prefix { $0 != "." } + text.drop { $0 != "." }.dropFirst().prefix { $0 != "." }
        return (Digest(.sha256, of: Data(signed.utf8))?.hex ?? "").prefix(32)
    }

    /// With its quotes.
    var etag: String { "\"\(serial)-\(hex)\"" }
    /// The ID of the event that announces the document.
    var eventID: String { "\(serial)-\(hex.prefix(8))" }
}

/// Signs published documents, and decides when to sign them again.
package struct DocumentSigner: Sendable {
    package let key: SigningKey
    /// The validity of a document, in whole seconds.
    package let lifetime: Duration

    /// The permitted values of ``lifetime``, in seconds.
    package static let lifetimes = Int64(60)...31_536_000
    /// Documents dated further ahead than this, after a clock was set back, are signed again; in seconds. Clients
    /// accept documents dated up to a minute ahead.
    private static let setback: TimeInterval = 10

    package init(_ key: SigningKey, lifetime: Duration) {
        self.key = key
        self.lifetime = lifetime
    }

    /// Signs a status for its scope's clients. Its serial is the time at which it became effective, in milliseconds,
    /// which increases even if the store is restored from an older copy.
    /// - Parameter least: the minimum serial, regardless of the clock.
    package func sign(_ status: PublishedStatus, issuedAt: Date, atLeast least: Int64 = 0) throws(SigningError) -> SignedDocument
    {
        let serial = max(status.publishedAt?.milliseconds ?? 0, least)
        let text = try key.sign(
            status: status.body, audience: status.scope.description, serial: serial, issuedAt: issuedAt, lifetime: lifetime
        )
        return SignedDocument(text: text, issuedAt: issuedAt, plain: status.body, serial: status.serial, signedSerial: serial)
    }

    /// Signs a resource's manifest. The `url` is relative to the manifest's own, so that any mirror may serve both.
    /// - Throws: ``SigningError`` if an external resource was published without its SHA-256.
    package func sign(
        _ resource: ResourceVersion, metaPath: String, dataPath: String, issuedAt: Date
    ) throws(SigningError) -> SignedDocument {
        let plain = Self.manifest(resource, metaPath: metaPath, dataPath: dataPath)
        let text = try key.sign(manifest: plain, name: resource.name, issuedAt: issuedAt, lifetime: lifetime)
        return SignedDocument(
            text: text, issuedAt: issuedAt, plain: plain, serial: resource.version, signedSerial: resource.version)
    }

    static func manifest(_ resource: ResourceVersion, metaPath: String, dataPath: String) -> Data {
        let up = metaPath.split(separator: "/").map { _ in "../" }.joined()
        let data = dataPath.split(separator: "/").joined(separator: "/")
        return resource.meta(url: "\(up)\(data)/\(resource.name)/\(resource.version)")
    }

    /// Whether both signers have the same key and lifetime.
    func signsLike(_ other: DocumentSigner) -> Bool {
        key.publicKey.text == other.key.publicKey.text && lifetime == other.lifetime
    }

    /// The policy limited to half of the lifetime, which remains when the document is sent.
    package func cache(_ policy: CachePolicy) -> CachePolicy { policy.capped(at: Int(lifetime.components.seconds / 2)) }

    /// Whether a document may be kept: less than half of its lifetime has passed.
    package func isFresh(_ issuedAt: Date, at now: Date) -> Bool {
        let age = now.timeIntervalSince(issuedAt)
        return age < Double(lifetime.components.seconds) / 2 && age > -Self.setback
    }

    /// The former document if its content is the same and it is fresh, otherwise a new one.
    /// - Parameters:
    ///   - former: the content of a file, which may be invalid.
    ///   - sign: signs with a time of issue.
    package func renewed(
        _ former: Data?, at now: Date, _ sign: (Date) throws(SigningError) -> SignedDocument
    ) throws(SigningError) -> Data {
        if let former, let issuedAt = key.issueDate(of: former), isFresh(issuedAt, at: now) {
            let again = try sign(issuedAt)
            if Self.signedPart(former) == Self.signedPart(Data(again.text.utf8)) { return former }
        }
        return Data(try sign(now).text.utf8)
    }

    private static func signedPart(_ document: Data) -> Data? {
        document.lastIndex(of: UInt8(ascii: ".")).map { Data(document[..<$0]) }
    }
}
#endif
