public import Foundation

/// Verifies the signature of a status.
///
/// With a verifier a source accepts only signed documents. `BellerophonTrust` provides one for Ed25519 signatures.
public protocol StatusVerifier: Sendable {
    /// Returns the status in a reply or a pushed event, if a trusted key signed it for this app.
    /// - Parameters:
    ///   - bytes: the signed document.
    ///   - date: the current wall-clock time, for the validity period. Nil skips that check, for a stored document that was
    ///     verified when it arrived.
    /// - Throws: why the document is not trusted.
    func verify(status bytes: Data, at date: Date?) throws(TrustError) -> VerifiedStatus
}

/// A verifier that says what it trusts.
package protocol KeyedVerifier: StatusVerifier {
    /// The public keys as text.
    var keyTexts: [String] { get }
    /// Whom a signed status must be for.
    var audience: String { get }
}

/// Verifies the signature of a resource's manifest.
public protocol ManifestVerifier: Sendable {
    /// Returns the JSON of a manifest, if a trusted key signed it for the resource with that name.
    /// - Parameter date: the current wall-clock time.
    /// - Throws: why the manifest is not trusted.
    func verify(manifest bytes: Data, of name: String, at date: Date) throws(TrustError) -> Data
}

/// A trusted status document with its proof.
public struct VerifiedStatus: Equatable, Sendable {
    /// The plain JSON document.
    public var document: Data
    /// The signed facts about the document.
    public var proof: StatusProof

    /// Creates a verified status.
    public init(document: Data, proof: StatusProof) {
        self.document = document
        self.proof = proof
    }
}

/// The facts that a signature guarantees in addition to the document.
public struct StatusProof: Equatable, Sendable {
    /// The thumbprint of the key (RFC 7638).
    public var keyID: String
    /// A number that grows with every published status. A status with a lower serial is a replay.
    public var serial: Int64
    /// When the document was signed.
    public var issuedAt: Date
    /// When the document expires.
    public var expiresAt: Date
    /// The signed document as received, for storage and later verification.
    public var signed: Data

    /// Creates a proof.
    public init(keyID: String, serial: Int64, issuedAt: Date, expiresAt: Date, signed: Data) {
        self.keyID = keyID
        self.serial = serial
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.signed = signed
    }
}
