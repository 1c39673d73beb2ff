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
    private let hex: Substring

    fileprivate init(text: String, issuedAt: Date, plain: Data, serial: Int64, signedSerial: Int64) {
        (self.text, self.issuedAt, self.plain) = (text, issuedAt, plain)
        (self.serial, self.signedSerial) = (serial, signedSerial)
        let signed = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).prefix(2).joined()
        hex = (Digest(.sha256, of: Data(signed))?.hex ?? "").prefix(32)
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
    /// - Parameters:
    ///   - now: decides the time of issue; see ``issueDate(since:at:)``.
    ///   - least: the minimum serial, regardless of the clock.
    func sign(_ status: PublishedStatus, at now: Date, atLeast least: Int64 = 0) throws(SigningError) -> SignedDocument {
        let serial = max(status.publishedAt?.milliseconds ?? 0, least)
        let issuedAt = issueDate(since: status.publishedAt, at: now)
        let text = try key.sign(
            status: status.body, audience: status.scope.description, serial: serial, issuedAt: issuedAt, lifetime: lifetime
        )
        return SignedDocument(text: text, issuedAt: issuedAt, plain: status.body, serial: status.serial, signedSerial: serial)
    }

    /// Signs a resource's manifest. The `url` is relative to the manifest's own, so that any mirror may serve both.
    /// - Parameter now: decides the time of issue; see ``issueDate(since:at:)``.
    /// - Throws: ``SigningError`` if an external resource was published without its SHA-256.
    func sign(_ resource: ResourceVersion, at now: Date) throws(SigningError) -> SignedDocument {
        let plain = Self.manifest(resource)
        let issuedAt = issueDate(since: resource.at, at: now)
        let text = try key.sign(manifest: plain, name: resource.name, issuedAt: issuedAt, lifetime: lifetime)
        return SignedDocument(
            text: text, issuedAt: issuedAt, plain: plain, serial: resource.version, signedSerial: resource.version)
    }

    static func manifest(_ resource: ResourceVersion) -> Data {
        resource.meta(url: "..\(ReadSettings.dataPath)/\(resource.name)/\(resource.version)")
    }

    /// Whether both signers have the same key and lifetime.
    func signsLike(_ other: DocumentSigner) -> Bool {
        key.publicKey.text == other.key.publicKey.text && lifetime == other.lifetime
    }

    /// The policy limited to half of the lifetime, which remains when the document is sent.
    package func cache(_ policy: CachePolicy) -> CachePolicy { policy.capped(at: Int(half)) }

    /// Whether a document may be kept: less than half of its lifetime has passed.
    package func isFresh(_ issuedAt: Date, at now: Date) -> Bool {
        let age = now.timeIntervalSince(issuedAt)
        return age < Double(half) && age > -Self.setback
    }

    /// The time of issue of a document that is signed now, in whole seconds: the document's own date, or the latest of the
    /// renewals that follow it, one for each half of its lifetime.
    ///
    /// It does not depend on when a server was started or heard of a change. Servers with the same store and key therefore
    /// serve the same bytes, also one that can't reach the others, and an export has them too.
    /// - Parameter date: when the content was published; nil if never.
    func issueDate(since date: Date?, at now: Date) -> Date {
        let first = (date?.timeIntervalSince1970 ?? 0).rounded(.down)
        let passed = now.timeIntervalSince1970 - first
        // The clock of the server that published was ahead, or this one was set back.
        guard passed >= 0 else { return passed > -Self.setback ? Date(timeIntervalSince1970: first) : now }
        return Date(timeIntervalSince1970: first + (passed / Double(half)).rounded(.down) * Double(half))
    }

    /// Half of the lifetime, in whole seconds.
    private var half: Int64 { max(1, lifetime.components.seconds / 2) }
}
