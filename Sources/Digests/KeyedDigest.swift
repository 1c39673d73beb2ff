import CCrypto
package import Foundation

/// Digests that only somebody with the key can compute (HMAC, RFC 2104).
package enum KeyedDigest {
    /// The HMAC-SHA256 in lower-case hexadecimal digits; nil if the system's library failed.
    package static func sha256(_ text: Data, key: Data) -> String? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let isMade = key.withUnsafeBytes { key in
            text.withUnsafeBytes { text in
                ccrypto_hmac_sha256(key.baseAddress, key.count, text.baseAddress, text.count, &bytes)
            }
        }
        return isMade ? Digest.hex(bytes) : nil
    }
}
