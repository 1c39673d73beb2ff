import BellerophonBase
import Digests
import Foundation

/// A private Ed25519 key that signs statuses and manifests. Its description contains only the public key's id.
package struct SigningKey: Sendable {
    private let key: Ed25519PrivateKey
    /// The public key that verifies this key's signatures.
    package let publicKey: PublicKey

    /// - Parameter key: nil if the system's library failed.
    private init(_ key: Ed25519PrivateKey?) throws(SigningKeyError) {
        guard let key else { throw .noCryptography }
        self.key = key
        publicKey = PublicKey(bytes: key.publicKey)
        guard !publicKey.id.isEmpty else { throw .noCryptography }
    }

    /// Generates a key from the system's random numbers.
    package static func generate() throws(SigningKeyError) -> SigningKey {
        try SigningKey(Ed25519PrivateKey.generate())
    }

    /// Reads a JWK (RFC 8037, section 2). Members other than `kty`, `crv`, `x` and `d` are ignored.
    /// - Throws: ``SigningKeyError``.
    package init(jwk: Data) throws(SigningKeyError) {
        let fields: [String: JSONValue]
        do throws(SigningError) {
            fields = try Self.members(of: jwk).mapValues(JSONValue.init)
        } catch {
            if case .repeated(let name) = error { throw .notKey("\"\(name)\" stands twice") }
            throw .notKey("it is no JSON object")
        }
        guard fields["kty"] == .string("OKP"), fields["crv"] == .string("Ed25519") else {
            throw .notKey("it is of another kind: expected \"kty\":\"OKP\" and \"crv\":\"Ed25519\"")
        }
        guard fields["d"] != nil else { throw .notKey("it is a public key: \"d\" is missing") }
        guard let seed = Self.bytes("d", of: fields) else { throw .notKey("\"d\" is not a key of 32 bytes in base64url") }
        try self.init(Ed25519PrivateKey(seed: seed))
        guard Self.bytes("x", of: fields) == publicKey.bytes else { throw .notKey("\"x\" is not the public key of \"d\"") }
    }

    private static func bytes(_ name: String, of fields: [String: JSONValue]) -> Data? {
        guard case .string(let text) = fields[name], let bytes = Base64URL.decode(Array(text.utf8)), bytes.count == 32 else {
            return nil
        }
        return bytes
    }

    /// The key as a JWK, including the secret part.
    package var jwk: Data {
        get throws(SigningKeyError) {
            guard let seed = key.seed else { throw .noCryptography }
            return Data(
                #"{"kty":"OKP","crv":"Ed25519","x":"\#(publicKey.text)","d":"\#(Base64URL.encode(seed))","kid":"\#(publicKey.id)"}"#
                    .utf8
            )
        }
    }

    /// Signs a status.
    /// - Parameters:
    ///   - document: the plain JSON object.
    ///   - audience: the app and channel, as `APP/CHANNEL`.
    ///   - serial: 0 to 2⁵³ − 1; a client refuses a serial lower than one it has seen.
    ///   - issuedAt: rounded down to whole seconds.
    ///   - lifetime: the time from issue to expiry, at least one second; fractions of a second are dropped.
    /// - Returns: a compact JWS with the document's members and `aud`, `iat`, `exp` and `serial`.
    package func sign(
        status document: Data, audience: String, serial: Int64, issuedAt: Date, lifetime: Duration
    ) throws(SigningError) -> String {
        guard SignedPayload.serials.contains(serial) else { throw .serial(serial) }
        let times = try Self.times(issuedAt, lifetime)
        let claims = [
            ("aud", JSONText.quoted(audience)), ("iat", "\(times.lowerBound)"), ("exp", "\(times.upperBound)"),
            ("serial", "\(serial)"),
        ]
        return try sign(try Self.payload(document, adding: claims), as: .status)
    }

    /// Signs the manifest of a resource.
    /// - Parameters:
    ///   - manifest: the plain JSON object; it must contain `v` and `sha256`.
    ///   - name: the name of the resource.
    ///   - issuedAt: rounded down to whole seconds.
    ///   - lifetime: the time from issue to expiry, at least one second; fractions of a second are dropped.
    /// - Returns: a compact JWS with the manifest's members and `name`, `iat` and `exp`.
    package func sign(manifest: Data, name: String, issuedAt: Date, lifetime: Duration) throws(SigningError) -> String {
        let members = try? Self.members(of: manifest)
        for required in ["v", "sha256"] where members?[required] == nil { throw .missing(required) }
        let times = try Self.times(issuedAt, lifetime)
        let claims = [("name", JSONText.quoted(name)), ("iat", "\(times.lowerBound)"), ("exp", "\(times.upperBound)")]
        return try sign(try Self.payload(manifest, adding: claims), as: .manifest)
    }

    private func sign(_ payload: Data, as kind: JWS.Kind) throws(SigningError) -> String {
        let text = JWS.signedText(kind, keyID: publicKey.id, payload: payload)
        guard text.utf8.count + 87 <= JWS.sizeLimit else { throw .tooLarge }
        guard let signature = signature(of: Data(text.utf8)) else { throw .failed }
        return "\(text).\(Base64URL.encode(signature))"
    }

    /// The signature, 64 bytes; nil if the system's library failed.
    func signature(of text: Data) -> Data? {
        key.signature(of: text)
    }

    /// The issue and expiry times in seconds since 1970.
    private static func times(_ issuedAt: Date, _ lifetime: Duration) throws(SigningError) -> Range<Int64> {
        let start = issuedAt.timeIntervalSince1970.rounded(.down)
        let length = lifetime.components.seconds
        // The end of the year 9999, as in `SignedPayload`.
        guard start >= 0, length >= 1, start + Double(length) <= 253_402_300_799 else { throw .times }
        return Int64(start)..<Int64(start) + length
    }

    /// The bytes of the object with more members inserted before its closing brace.
    private static func payload(_ object: Data, adding claims: [(name: String, json: String)]) throws(SigningError) -> Data {
        let members = try Self.members(of: object)
        for (name, _) in claims where members[name] != nil { throw .reserved(name) }
        var bytes = object
        while let last = bytes.last, last != UInt8(ascii: "}") { bytes.removeLast() }
        bytes.removeLast()
        let added = claims.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",")
        bytes += Data((members.isEmpty ? "" : ",").utf8) + Data(added.utf8) + Data("}".utf8)
        _ = try Self.members(of: bytes)
        return bytes
    }

    private static func members(of object: Data) throws(SigningError) -> [String: JSONNode] {
        do throws(JSONSyntaxError) {
            if let members = try JSONReader.read(object, .refusesByteOrderMark).members { return members }
        } catch {
            if case .repeatedName(let name) = error.reason { throw .repeated(name) }
        }
        throw .notObject
    }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id of the public key, so that logs do not contain the secret.
    package var description: String { "SigningKey(\(publicKey.id))" }
    /// The same as ``description``.
    package var debugDescription: String { description }
    /// Shows only the public key, so that a debugger does not show the secret.
    package var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

/// Why a document can't be signed.
package enum SigningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The data is not a JSON object.
    case notObject
    /// A name occurs twice; readers could use either value.
    case repeated(String)
    /// The document contains a member that only the signature may add.
    case reserved(String)
    /// A manifest lacks a member that the signature must cover.
    case missing(String)
    /// The serial is out of range.
    case serial(Int64)
    /// The issue or expiry time is out of range, or the lifetime is below one second.
    case times
    /// The signed document would be larger than 128 KiB.
    case tooLarge
    /// The system's cryptography library failed.
    case failed

    /// The problem in one line for a person.
    package var description: String {
        switch self {
        case .notObject: "only a JSON object can be signed"
        case .repeated(let name): "“\(name)” appears twice in it"
        case .reserved(let name): "“\(name)” must not be in it, because the signature adds it"
        case .missing(let name): "it has no “\(name)”, which every signed document must have"
        case .serial(let serial): "the serial \(serial) is not from 0 to 2^53 - 1"
        case .times: "its times are not between 1970 and 9999, or it would hold for less than a second"
        case .tooLarge: "signed, it would have more than \(JWS.sizeLimit) bytes"
        case .failed: "the system can't sign"
        }
    }
}
