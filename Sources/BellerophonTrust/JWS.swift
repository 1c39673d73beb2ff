import BellerophonBase
import Foundation
import StatusModel

/// A signed document in the compact serialization (RFC 7515, section 7.1), with Ed25519 (RFC 8037).
///
/// Parsing does not verify the signature. It accepts any bytes of any length and never traps.
struct JWS: Equatable, Sendable {
    /// The `typ` of a document, so that a status is never accepted as a manifest or vice versa (RFC 8725, section 3.11).
    enum Kind: String, Sendable {
        case status = "bellerophon-status+jws"
        case manifest = "bellerophon-resource+jws"
    }

    var keyID: String
    /// The header's `typ`; not necessarily a valid ``Kind``.
    var type: String
    var payload: Data
    /// 64 bytes.
    var signature: Data
    /// The signed bytes: the first two parts and the point between them.
    var signedText: Data

    /// The largest document in bytes; a larger one is refused before it is parsed.
    static let sizeLimit = 128 * 1024
    private static let signatureSize = 64
    private static let headerNames: Set<String> = ["alg", "kid", "typ"]

    /// - Parameter document: one line end after it, as editors add it, is ignored.
    init(parsing document: Data) throws(TrustError) {
        let bytes = Self.withoutLineEnd(document)
        guard bytes.count <= Self.sizeLimit else {
            throw .malformed("it has \(bytes.count) bytes, and none has more than \(Self.sizeLimit)")
        }
        try Self.refusePlain(bytes)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("it is not made of three parts with points between them") }
        let header = try Self.part(parts[0], "header")
        payload = try Self.part(parts[1], "payload")
        signature = try Self.part(parts[2], "signature")
        signedText = Data(bytes[parts[0].startIndex..<parts[1].endIndex])
        (keyID, type) = try Self.read(header)
        guard signature.count == Self.signatureSize else {
            throw .malformed("its signature has \(signature.count) bytes in place of \(Self.signatureSize)")
        }
    }

    private static func withoutLineEnd(_ bytes: Data) -> Data {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        let line = bytes.dropLast()
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// Reports a plain document as unsigned, not as malformed, because a server that does not sign sent it.
    private static func refusePlain(_ bytes: Data) throws(TrustError) {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        guard let first = body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw .malformed("it is empty") }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { throw .unsigned }
    }

    private static func part(_ text: Data, _ name: String) throws(TrustError) -> Data {
        guard let bytes = Base64URL.decode(text) else { throw .malformed("its \(name) is not in base64url without padding") }
        return bytes
    }

    // MARK: Header

    /// Accepts exactly the three known members. Another one, such as `crit`, could change the meaning of these.
    private static func read(_ header: Data) throws(TrustError) -> (keyID: String, type: String) {
        let fields = try SignedPayload.members(of: header, "header")
        // The algorithm is checked first: with another algorithm the other members differ too, and this is the useful error.
        let algorithm = try text("alg", in: fields)
        guard algorithm == "EdDSA" else { throw .wrongAlgorithm(algorithm) }
        if let name = fields.keys.filter({ !headerNames.contains($0) }).min() {
            throw .malformed("its header has “\(name)”, which is not accepted")
        }
        return (try text("kid", in: fields), try text("typ", in: fields))
    }

    private static func text(_ name: String, in fields: [String: JSONNode]) throws(TrustError) -> String {
        guard let node = fields[name] else { throw .malformed("its header has no “\(name)”") }
        guard case .string(let text) = node.value else {
            throw .malformed("“\(name)” in its header must be text, found \(node.typeName)")
        }
        return text
    }

    // MARK: Writing

    /// The first two parts of a document, ready to be signed.
    static func signedText(_ kind: Kind, keyID: String, payload: Data) -> String {
        // An identifier is base64url, so it needs no escapes.
        let header = #"{"alg":"EdDSA","kid":"\#(keyID)","typ":"\#(kind.rawValue)"}"#
        return "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload))"
    }
}
