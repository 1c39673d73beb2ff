import BellerophonBase
import Digests
import Foundation

/// The file that a transfer writes to, with the digests of its content.
///
/// Unchecked because only one thread at a time uses it: the sync's task before and after a transfer, the callback queue
/// during it.
final class PartFile: @unchecked Sendable {
    let path: String
    let descriptor: Int32
    private(set) var count: Int64 = 0
    private var hashers: [DigestHasher] = []
    private let kinds: [Digest.Kind]

    /// - Parameters:
    ///   - kinds: the digests to compute.
    ///   - keepsBytes: whether to keep the file's bytes, which are then read once for the digests.
    init(_ path: String, kinds: [Digest.Kind], keepsBytes: Bool) throws(FileError) {
        self.path = path
        self.kinds = kinds
        descriptor = try FileCalls.open(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        hashers = kinds.compactMap { DigestHasher($0) }
        if keepsBytes { try readAll() } else { try restart() }
    }

    deinit {
        close(descriptor)
    }

    func append(_ data: Data) throws(FileError) {
        try FileCalls.write(data, to: descriptor, path: path)
        for hasher in hashers { data.withUnsafeBytes(hasher.update) }
        count += Int64(data.count)
    }

    /// Removes all bytes.
    func restart() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw FileError("write", path)
        }
        count = 0
        hashers = kinds.compactMap { DigestHasher($0) }
    }

    /// The digests of all bytes. Must be called only once.
    func finish() -> [Digest] {
        hashers.compactMap { $0.finish() }
    }

    private func readAll() throws(FileError) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let got = read(descriptor, &buffer, buffer.count)
            if got == 0 { return }
            guard got > 0 else {
                if errno == EINTR { continue }
                throw FileError("read", path)
            }
            buffer.withUnsafeBytes { bytes in
                for hasher in hashers { hasher.update(UnsafeRawBufferPointer(rebasing: bytes[..<got])) }
            }
            count += Int64(got)
        }
    }
}

/// The source of a part file's bytes, so that a transfer can be resumed after an interruption or a restart.
struct PartFacts: StoredFacts, Equatable, Sendable {
    var url: String
    var version: Int64
    /// The strong entity tag (RFC 9110, section 8.8.1); nil if the server sent none.
    var tag: String?
    var digest: String?
    /// The run of the program that wrote the file.
    var run: String

    /// The current run. Without a digest, data loss after a power failure is undetectable, so a transfer is only
    /// resumed in the same run.
    static let thisRun = UUID().uuidString
    /// In bytes.
    static let sizeLimit = 16 << 10

    /// Whether the part file is the beginning of the file that the meta document describes.
    func isPart(of meta: ResourceMeta) -> Bool {
        guard version == meta.version else { return false }
        if let digest = meta.digest { return digest.description == self.digest }
        return digest == nil && tag != nil && url == meta.url.absoluteString && run == Self.thisRun
    }
}
