import Digests
import Foundation
import SafeText

/// A public Ed25519 key that a client trusts: 43 characters of base64url (`x` of a JWK, RFC 8037, section 2).
package struct PublicKey: Hashable, Sendable, CustomStringConvertible {
    /// The key in base64url, as in a client's configuration.
    package let text: String
    /// The thumbprint that names the key in documents (RFC 7638). Empty if the system's library provides no SHA-256.
    package let id: String
    /// 32 bytes.
    let bytes: Data

    /// Parses a key.
    /// - Throws: ``TrustedKeysError`` if the text is not a key, or for a weak key, for which anyone can forge signatures.
    package init(_ text: String) throws(TrustedKeysError) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(Array(text.utf8)) else { throw .notKey(Self.shown(text)) }
        guard !Self.isWeak(bytes) else { throw .weakKey(text) }
        self.init(bytes: bytes)
    }

    init(bytes: Data) {
        self.bytes = bytes
        text = Base64URL.encode(bytes)
        id = Self.thumbprint(of: text)
    }

    /// ``text``.
    package var description: String { text }

    func signed(_ text: Data, _ signature: Data) -> Bool {
        Ed25519.isValid(signature, of: text, by: bytes)
    }

    /// The digest of the JWK's required members in lexicographic order, without white space (RFC 7638, section 3).
    private static func thumbprint(of text: String) -> String {
        let members = #"{"crv":"Ed25519","kty":"OKP","x":"\#(text)"}"#
        return Digest.sha256(of: members).map { Base64URL.encode($0) } ?? ""
    }

    private static func shown(_ text: String) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: 60)
    }

    // MARK: Weak keys

    /// Whether the key is a point of small order, in any encoding. Anyone can forge signatures for such a key. One of them
    /// is 43 times the letter A, a common placeholder.
    private static func isWeak(_ bytes: Data) -> Bool {
        var point = Array(bytes)
        guard point.count == 32 else { return true }
        point[31] &= 0x7F
        let middle = point[1..<31]
        switch (point[0], point[31]) {
        case (0x00, 0x00), (0x01, 0x00): return middle.allSatisfy { $0 == 0 }
        // The field's prime minus one, the prime, and the prime plus one.
        case (0xEC...0xEE, 0x7F): return middle.allSatisfy { $0 == 0xFF }
        default: return ordersOfEight.contains(point)
        }
    }

    /// The y coordinates of the four points of order 8: the roots of `d·y⁴ + 2·y² − 1` (RFC 8032, section 5.1).
    private static let ordersOfEight: [[UInt8]] = [
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]
}
