import CCrypto
public import Foundation

/// A digest of a resource's bytes, as lower-case hexadecimal text.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// A digest algorithm.
    public enum Kind: String, Sendable, CaseIterable {
        /// Compatible with the original's servers; it detects accidental changes, not attacks.
        case md5
        /// SHA-256 (FIPS 180-4).
        case sha256

        /// The length of ``Digest/hex``: the number of hexadecimal digits.
        public var length: Int { self == .md5 ? 32 : 64 }
    }

    /// The algorithm.
    public let kind: Kind
    /// The digest in lower-case hexadecimal digits.
    public let hex: String

    /// Parses a digest from a server or a manifest, in upper or lower case; nil for a wrong length or another character.
    public init?(_ kind: Kind, hex: String) {
        let lowered = hex.lowercased()
        guard lowered.utf8.count == kind.length, lowered.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        self.kind = kind
        self.hex = lowered
    }

    /// Computes the digest of bytes in memory; nil if the system does not provide the algorithm or its library failed.
    public init?(_ kind: Kind, of data: Data) {
        self.init(kind) { $0.update(data) }
    }

    /// Computes the digest of a file's bytes, read 256 KiB at a time; nil if the file can't be read or the system does not
    /// provide the algorithm.
    package init?(_ kind: Kind, ofFile file: URL) {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        self.init(kind) { hasher in
            while let piece = try handle.read(upToCount: 256 << 10), !piece.isEmpty { hasher.update(piece) }
        }
    }

    private init?(_ kind: Kind, feeding feed: (DigestHasher) throws -> Void) {
        guard let hasher = DigestHasher(kind), (try? feed(hasher)) != nil, let digest = hasher.finish() else { return nil }
        self = digest
    }

    /// The bytes of the SHA-256 of a text; nil if the system's library failed.
    package static func sha256(of text: String) -> [UInt8]? {
        var text = text
        var bytes = [UInt8](repeating: 0, count: 32)
        return text.withUTF8 { ccrypto_sha256($0.baseAddress, $0.count, &bytes) } ? bytes : nil
    }

    /// The algorithm and the hexadecimal digits.
    public var description: String { "\(kind.rawValue) \(hex)" }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// Computes a digest incrementally. Only one thread at a time may use it.
package final class DigestHasher {
    private let kind: Digest.Kind
    private let state: OpaquePointer
    private var isSound = true

    /// Nil if the system does not provide the algorithm.
    package init?(_ kind: Digest.Kind) {
        guard let state = ccrypto_digest_new(kind == .md5 ? CCRYPTO_MD5 : CCRYPTO_SHA256) else { return nil }
        self.kind = kind
        self.state = state
    }

    deinit {
        ccrypto_digest_free(state)
    }

    package func update(_ data: Data) {
        data.withUnsafeBytes { update($0) }
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        if !ccrypto_digest_update(state, start, bytes.count) { isSound = false }
    }

    /// The digest of all bytes; nil if the system's library failed. Call it only once.
    package func finish() -> Digest? {
        var bytes = [UInt8](repeating: 0, count: kind.length / 2)
        guard isSound, ccrypto_digest_final(state, &bytes) else { return nil }
        return Digest(kind, hex: Digest.hex(bytes))
    }
}
