public import Foundation

/// Tells a status that may be believed from one that may not.
///
/// With a verifier a source takes signed documents only. `BellerophonTrust` has one for Ed25519 signatures.
public protocol StatusVerifier: Sendable {
    /// What the bytes of an answer or of a pushed event say, where somebody who is trusted signed it for this app.
    /// - Parameter date: the present by the wall clock, for the times between which the document holds. Nil leaves them
    ///   unchecked: for a document that was verified when it came, and has been kept since.
    func verify(status bytes: Data, at date: Date?) throws(TrustError) -> VerifiedStatus
}

/// The same for what a server says about a resource.
public protocol ManifestVerifier: Sendable {
    /// The JSON of a manifest that somebody who is trusted signed for the resource of that name.
    /// - Parameter date: the present by the wall clock.
    func verify(manifest bytes: Data, of name: String, at date: Date) throws(TrustError) -> Data
}

/// A status document that may be believed, and why.
public struct VerifiedStatus: Equatable, Sendable {
    /// The plain JSON document.
    public var document: Data
    public var proof: StatusProof

    public init(document: Data, proof: StatusProof) {
        self.document = document
        self.proof = proof
    }
}

/// What a signature vouches for beside the document.
public struct StatusProof: Equatable, Sendable {
    /// Names the key: its thumbprint (RFC 7638).
    public var keyID: String
    /// Grows with every status that is published: one with a lower serial is a replay.
    public var serial: Int64
    public var issuedAt: Date
    /// Nobody takes the document for new from then on.
    public var expiresAt: Date
    /// The signed document as it came, to be kept and verified again.
    public var signed: Data

    public init(keyID: String, serial: Int64, issuedAt: Date, expiresAt: Date, signed: Data) {
        self.keyID = keyID
        self.serial = serial
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.signed = signed
    }
}
