public import Foundation
import SafeText
public import StatusModel

/// The keys whose statuses and manifests an app believes. Several make a rotation possible.
///
/// ```swift
/// let trusted = try TrustedKeys(["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"])
/// ```
/// A document counts when one of the keys has signed it, for this app and channel, in time. What it says of its own
/// algorithm chooses nothing.
public struct TrustedKeys: StatusVerifier, ManifestVerifier, Equatable {
    /// In the order in which they were given, each once.
    public let keys: [PublicKey]
    /// The app and channel whose statuses count: `default/main`.
    public let audience: String

    /// - Parameters:
    ///   - keys: each the 43 characters that `bellerophon-server keygen` prints; at least one.
    ///   - audience: `APP/CHANNEL`, as on the server.
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

    public func verify(manifest bytes: Data, of name: String, at date: Date) throws(TrustError) -> Data {
        let document = try checked(bytes, .manifest)
        let payload = try SignedPayload(document.payload)
        let found = try payload.text("name")
        guard found == name else { throw .wrongAudience(found: found, expected: name) }
        _ = try payload.number("v", in: SignedPayload.serials)
        guard Self.isDigest(try payload.text("sha256")) else {
            throw .malformed("“sha256” in its payload must be 64 hexadecimal digits")
        }
        _ = try payload.times(at: date)
        return document.payload
    }

    /// A document that a trusted key has signed as being of that kind.
    private func checked(_ bytes: Data, _ kind: JWS.Kind) throws(TrustError) -> JWS {
        let document = try JWS(parsing: bytes)
        guard let key = keys.first(where: { $0.id == document.keyID }) else { throw .unknownKey(document.keyID) }
        guard key.signed(document.signedText, document.signature) else { throw .badSignature(keyID: key.id) }
        guard document.type == kind.rawValue else { throw .wrongAudience(found: document.type, expected: kind.rawValue) }
        return document
    }

    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

/// Why texts are no keys to trust, and what to do.
public enum TrustedKeysError: Error, Equatable, Sendable, CustomStringConvertible {
    case noKeys
    /// The text, safe to draw.
    case notKey(String)
    /// A key for which anybody can sign.
    case weakKey(String)
    /// The text, safe to draw.
    case noAudience(String)

    public var description: String {
        switch self {
        case .noKeys: "no key is given; add one that 'bellerophon-server keygen' has printed"
        case .notKey(let text):
            "“\(text)” is no public key: expected 43 characters of base64url, as 'bellerophon-server keygen' prints them"
        case .weakKey(let text):
            "“\(text)” is no key: anybody can sign for it; put the one that 'bellerophon-server keygen' has printed"
        case .noAudience(let text): "“\(text)” is no app and channel: expected something like default/main"
        }
    }
}
