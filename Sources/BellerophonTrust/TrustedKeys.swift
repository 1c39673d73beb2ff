import Digests
public import Foundation
import SafeText
public import StatusModel

/// The keys whose signatures on statuses and manifests an app accepts. Several keys allow a key rotation.
///
/// ```swift
/// let trusted = try TrustedKeys(["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"])
/// ```
/// A document is accepted if one of the keys signed it for this app and channel, and it has not expired. The algorithm is
/// always EdDSA; the document cannot choose another.
public struct TrustedKeys: KeyedVerifier, ManifestVerifier, Equatable {
    /// The keys in the given order, without duplicates.
    package let keys: [PublicKey]
    package var keyTexts: [String] { keys.map(\.text) }
    /// The app and channel whose statuses are accepted, as `APP/CHANNEL`.
    public let audience: String

    /// Parses the keys.
    /// - Parameters:
    ///   - keys: the 43 characters of each key, as `bellerophon-server keygen` prints them; at least one key.
    ///   - audience: `APP/CHANNEL`, as on the server.
    /// - Throws: ``TrustedKeysError``.
    public init(_ keys: [String], audience: String = "default/main") throws(TrustedKeysError) {
        guard !keys.isEmpty else { throw .noKeys }
        let parts = audience.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            throw .noAudience(TextSanitizer.sanitize(audience, keepingNewlines: false, limit: 60))
        }
        var known: [PublicKey] = []
        for text in keys {
            let key = try PublicKey(text)
            if !known.contains(key) { known.append(key) }
        }
        self.keys = known
        self.audience = audience
    }

    /// Verifies a signed status.
    /// - Parameter date: the current wall-clock time; nil skips the check of the validity period.
    /// - Throws: ``TrustError``.
    public func verify(status bytes: Data, at date: Date?) throws(TrustError) -> VerifiedStatus {
        let document = try checked(bytes, .status)
        let payload = try SignedPayload(document.payload)
        let found = try payload.text("aud")
        guard found == audience else { throw .wrongAudience(found: found, expected: audience) }
        let serial = try payload.number("serial", in: SignedPayload.serials)
        let times = try payload.times(at: date)
        return VerifiedStatus(
            document: document.payload,
            proof: StatusProof(
                keyID: document.keyID, serial: serial, issuedAt: times.issuedAt, expiresAt: times.expiresAt, signed: bytes
            )
        )
    }

    /// Verifies a signed manifest and returns its JSON.
    /// - Parameters:
    ///   - name: the name of the resource that the manifest must state.
    ///   - date: the current wall-clock time.
    /// - Throws: ``TrustError``.
    public func verify(manifest bytes: Data, of name: String, at date: Date) throws(TrustError) -> Data {
        let document = try checked(bytes, .manifest)
        let payload = try SignedPayload(document.payload)
        let found = try payload.text("name")
        guard found == name else { throw .wrongAudience(found: found, expected: name) }
        _ = try payload.number("v", in: SignedPayload.serials)
        guard Digest(.sha256, hex: try payload.text("sha256")) != nil else {
            throw .malformed("“sha256” in its payload must be 64 hexadecimal digits")
        }
        _ = try payload.times(at: date)
        return document.payload
    }

    /// Parses a document and verifies that a trusted key signed it as the given kind.
    private func checked(_ bytes: Data, _ kind: JWS.Kind) throws(TrustError) -> JWS {
        let document = try JWS(parsing: bytes)
        guard let key = keys.first(where: { $0.id == document.keyID }) else { throw .unknownKey(document.keyID) }
        guard key.signed(document.signedText, document.signature) else { throw .badSignature(keyID: key.id) }
        guard document.type == kind.rawValue else { throw .wrongAudience(found: document.type, expected: kind.rawValue) }
        return document
    }
}

/// Why trusted keys can't be created.
public enum TrustedKeysError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No key was given.
    case noKeys
    /// The text is not a public key; sanitized.
    case notKey(String)
    /// A key for which anyone can forge signatures.
    case weakKey(String)
    /// The text is not an app and channel; sanitized.
    case noAudience(String)

    /// The problem in one line with a way to fix it.
    public var description: String {
        switch self {
        case .noKeys: "no key is given; add one that 'bellerophon-server keygen' has printed"
        case .notKey(let text):
            "“\(text)” is not a public key: expected 43 characters of base64url, as 'bellerophon-server keygen' prints them"
        case .weakKey(let text):
            "“\(text)” is a weak key: anybody can make a signature for it; put the one that 'bellerophon-server keygen' has printed"
        case .noAudience(let text): "“\(text)” is not an app and channel: expected something like default/main"
        }
    }
}
