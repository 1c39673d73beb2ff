#if Server
import BellerophonStore
import BellerophonTrust
import Digests
import Foundation

/// A status or a manifest as it stands on the wire once it is signed.
package struct SignedDocument: Equatable, Sendable {
    /// A compact JWS.
    package let text: String
    package let issuedAt: Date
    /// What it says without a signature.
    let plain: Data
    /// The journal row that made it effective; the version of a resource.
    let serial: Int64
    /// What the signature says of its order among the statuses of its scope; the version of a resource.
    let signedSerial: Int64

    /// Of what is signed, and not of the signature: another signature of the same is no news.
    private var hex: Substring {
        let signed = text.prefix { $0 != "." } + text.drop { $0 != "." }.dropFirst().prefix { $0 != "." }
        return (Digest(.sha256, of: Data(signed.utf8))?.hex ?? "").prefix(32)
    }

    /// With its quotes.
    var etag: String { "\"\(serial)-\(hex)\"" }
    /// The id of the event that tells of it.
    var eventID: String { "\(serial)-\(hex.prefix(8))" }
}

/// Signs what is published, and knows when that has to be done anew.
package struct DocumentSigner: Sendable {
    package let key: SigningKey
    /// For how long a document holds, in whole seconds.
    package let lifetime: Duration

    /// What ``lifetime`` may be, in seconds.
    package static let lifetimes = Int64(60)...31_536_000
    /// How far a clock may be set back before documents of the time ahead are signed anew, in seconds. Clients take
    /// what was issued up to a minute ahead.
    private static let setback: TimeInterval = 10

    package init(_ key: SigningKey, lifetime: Duration) {
        self.key = key
        self.lifetime = lifetime
    }

    /// A status for its scope's clients. Its serial is the time at which it became effective, in milliseconds: that grows
    /// even where a store is set back to an older copy.
    /// - Parameter least: the serial is not below that, whatever the clock said and says.
    package func sign(_ status: PublishedStatus, issuedAt: Date, atLeast least: Int64 = 0) throws(SigningError) -> SignedDocument
    {
        let serial = max(status.publishedAt?.milliseconds ?? 0, least)
        let text = try key.sign(
            status: status.body, audience: status.scope.description, serial: serial, issuedAt: issuedAt, lifetime: lifetime
        )
        return SignedDocument(text: text, issuedAt: issuedAt, plain: status.body, serial: status.serial, signedSerial: serial)
    }

    /// A resource's manifest. It names its bytes relative to its own address, so that any mirror may serve both.
    /// - Throws: where a resource that stands elsewhere was published without its SHA-256.
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

    /// Whether what the other one signed is as good as this one's.
    func signsLike(_ other: DocumentSigner) -> Bool {
        key.publicKey.text == other.key.publicKey.text && lifetime == other.lifetime
    }

    /// What caches may do with a document: at least half of its life is before it when it is sent.
    package func cache(_ policy: CachePolicy) -> CachePolicy { policy.capped(at: Int(lifetime.components.seconds / 2)) }

    /// Whether a document of that time may stay: less than half of its life is over.
    package func isFresh(_ issuedAt: Date, at now: Date) -> Bool {
        let age = now.timeIntervalSince(issuedAt)
        return age < Double(lifetime.components.seconds) / 2 && age > -Self.setback
    }

    /// The document that was signed before, where it says the same and may stay, else a new one.
    /// - Parameters:
    ///   - former: a file that may be anything.
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
