#if canImport(CryptoKit)
import CryptoKit
package import Foundation

/// A private Ed25519 key (RFC 8032), on CryptoKit. It is wiped when the last copy is gone.
package struct Ed25519PrivateKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Makes a key from the system's random numbers.
    package static func generate() -> Ed25519PrivateKey? {
        Ed25519PrivateKey(seed: Curve25519.Signing.PrivateKey().rawRepresentation)
    }

    /// - Parameter seed: the 32 bytes that the key is made of; nil for any other number of bytes.
    package init?(seed: Data) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
        self.key = key
    }

    /// 32 bytes.
    package var publicKey: Data { key.publicKey.rawRepresentation }

    /// The 32 bytes that the key is made of.
    package var seed: Data? { key.rawRepresentation }

    /// A signature of 64 bytes, another one each time: CryptoKit adds random numbers. Nil if the library failed.
    package func signature(of message: Data) -> Data? {
        try? key.signature(for: message)
    }
}

package enum Ed25519 {
    /// Whether a signature is valid; false for a key or a signature of the wrong length.
    package static func isValid(_ signature: Data, of message: Data, by publicKey: Data) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
        return key.isValidSignature(signature, for: message)
    }
}
#endif
