#if !canImport(CryptoKit)
import CCrypto
package import Foundation

/// A private Ed25519 key (RFC 8032), on OpenSSL. Its memory is wiped with the last copy.
package struct Ed25519PrivateKey: Sendable {
    /// The public key, 32 bytes.
    package let publicKey: Data
    private let handle: Handle

    /// Owns the key in OpenSSL's memory.
    private final class Handle: @unchecked Sendable {
        // OpenSSL allows several threads to share a key that is not modified (openssl-threads(7)).
        let key: OpaquePointer

        init(_ key: OpaquePointer) { self.key = key }

        deinit { ccrypto_ed25519_free(key) }
    }

    private init?(_ key: OpaquePointer?) {
        guard let handle = key.map(Handle.init), let publicKey = Self.bytes(32, { ccrypto_ed25519_public_key(handle.key, $0) })
        else {
            return nil
        }
        self.publicKey = publicKey
        self.handle = handle
    }

    /// Generates a key from the system's random numbers; nil if the library failed.
    package static func generate() -> Ed25519PrivateKey? {
        Ed25519PrivateKey(ccrypto_ed25519_generate())
    }

    /// Creates a key from its seed; nil for a wrong length or if the library failed.
    /// - Parameter seed: 32 bytes.
    package init?(seed: Data) {
        guard seed.count == 32 else { return nil }
        self.init(seed.withUnsafeBytes { ccrypto_ed25519_new($0.baseAddress) })
    }

    /// The seed, 32 bytes; nil if the library failed.
    package var seed: Data? { Self.bytes(32) { ccrypto_ed25519_seed(handle.key, $0) } }

    /// A signature of 64 bytes; nil if the library failed.
    package func signature(of message: Data) -> Data? {
        message.withUnsafeBytes { message in
            Self.bytes(64) { ccrypto_ed25519_sign(handle.key, message.baseAddress, message.count, $0) }
        }
    }

    private static func bytes(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>?) -> Bool) -> Data? {
        var bytes = Data(count: count)
        return bytes.withUnsafeMutableBytes({ write($0.bindMemory(to: UInt8.self).baseAddress) }) ? bytes : nil
    }
}

package enum Ed25519 {
    /// Whether a signature is valid; false for a key or a signature of the wrong length.
    package static func isValid(_ signature: Data, of message: Data, by publicKey: Data) -> Bool {
        guard publicKey.count == 32, signature.count == 64 else { return false }
        return publicKey.withUnsafeBytes { key in
            message.withUnsafeBytes { message in
                signature.withUnsafeBytes { signature in
                    ccrypto_ed25519_verify(key.baseAddress, message.baseAddress, message.count, signature.baseAddress)
                }
            }
        }
    }
}
#endif
