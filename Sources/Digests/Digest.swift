import CCrypto
public import Foundation

/// A digest of a resource's bytes, as lower-case hexadecimal text.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable, CaseIterable {
        /// What the original's servers send; it finds accidents, not attacks.
        case md5
        case sha256

        /// Hexadecimal digits.
        public var length: Int { self == .md5 ? 32 : 64 }
    }

    public let kind: Kind
    public let hex: String

    /// A digest as a server or a manifest states it; nil where the text is none of that kind.
    public init?(_ kind: Kind, hex: String) {
        let lowered = hex.lowercased()
        guard lowered.utf8.count == kind.length, lowered.utf8.allSatisfy(Self.isHexadecimal) else { return nil }
        self.kind = kind
        self.hex = lowered
    }

    /// The digest of bytes in memory; nil where the system does not offer that kind.
    public init?(_ kind: Kind, of data: Data) {
        guard let hasher = DigestHasher(kind) else { return nil }
        hasher.update(data)
        guard let digest = hasher.finish() else { return nil }
        self = digest
    }

    /// The digest of a file's bytes, read 256 KiB at a time; nil where it can't be read, or the system does not offer that kind.
    package init?(_ kind: Kind, ofFile file: URL) {
        guard let handle = try? FileHandle(forReadingFrom: file), let hasher = DigestHasher(kind) else { return nil }
        defer { try? handle.close() }
        do {
            while let piece = try handle.read(upToCount: 256 << 10), !piece.isEmpty { hasher.update(piece) }
        } catch {
            return nil
        }
        guard let digest = hasher.finish() else { return nil }
        self = digest
    }

    package var bytes: [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
        }
    }

    public var description: String { "\(kind.rawValue) \(hex)" }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// A digest that takes its bytes piece by piece. It belongs to one thread at a time.
package final class DigestHasher {
    private let kind: Digest.Kind
    private let state: OpaquePointer
    private var isSound = true

    /// Nil where the system does not offer that kind.
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

    /// The digest of all bytes so far; nil where the system's library failed. Call it once.
    package func finish() -> Digest? {
        var bytes = [UInt8](repeating: 0, count: kind.length / 2)
        guard isSound, ccrypto_digest_final(state, &bytes) else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        return Digest(kind, hex: String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
    }
}
