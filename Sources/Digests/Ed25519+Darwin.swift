#if canImport(CryptoKit)
import CryptoKit
package import Foundation

/// A private Ed25519 key (RFC 8032), on CryptoKit. Its memory is wiped with the last copy.
package struct Ed25519PrivateKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Generates a key from the system's random numbers.
    package static func generate() -> Ed25519PrivateKey? {
        Ed25519PrivateKey(seed: Curve25519.Signing.PrivateKey().rawRepresentation)
    }

    /// Creates a key from its seed; nil for a wrong length.
    /// - Parameter seed: 32 bytes.
    package init?(seed: Data) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
        self.key = key
    }

    /// The public key, 32 bytes.
    package var publicKey: Data { key.publicKey.rawRepresentation }

    /// The seed, 32 bytes.
    package var seed: Data? { key.rawRepresentation }

    /// A signature of 64 bytes, different each time because CryptoKit adds random numbers; nil if the library failed.
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
