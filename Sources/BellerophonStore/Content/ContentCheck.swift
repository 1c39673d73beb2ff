import Digests
import Foundation

/// Reads a resource's file once, piece by piece, and compares its digest.
///
/// It is unchecked because a digest that is updated with bytes from outside can't be in a `Mutex`. One thread at a time uses it.
package final class ContentCheck: @unchecked Sendable {
    package enum Outcome: Equatable, Sendable {
        /// The bytes have the digest.
        case sound(FileStamp)
        /// The bytes are others. The text says what was found; the stamp is nil for a missing file.
        case damaged(FileStamp?, found: String)
        /// The file was replaced or changed meanwhile.
        case changed
    }

    private let file: URL
    private let sha256: String
    private let size: Int64?
    private var descriptor: Int32 = -1
    private var stamp: FileStamp?
    private var hasher: DigestHasher?
    private var offset: Int64 = 0

    /// Bytes that one step reads.
    private static let stepSize = 4 << 20
    private static let pieceSize = 256 << 10

    /// - Parameter size: in bytes; nil if it is unknown.
    init(_ file: URL, sha256: String, size: Int64?) {
        (self.file, self.sha256, self.size) = (file, sha256, size)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads at most 4 MiB.
    /// - Returns: nil if there is more to read.
    /// - Throws: ``StoreError`` if the file can't be opened for another reason than its absence.
    package func step() throws(StoreError) -> Outcome? {
        if descriptor < 0, let outcome = try begin() { return outcome }
        guard let stamp, let hasher else { throw StoreError(.failed, "this system offers no SHA-256") }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        let end = offset + Int64(Self.stepSize)
        while offset < end {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            // A sector that can't be read any more.
            if count < 0 { return .damaged(stamp, found: "unreadable (\(String(cString: strerror(errno))))") }
            guard count > 0 else { return finished(stamp, hasher) }
            hasher.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer).prefix(count)))
            offset += Int64(count)
        }
        return nil
    }

    private func begin() throws(StoreError) -> Outcome? {
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return .damaged(nil, found: "no file") }
            if errno == ELOOP { return .damaged(nil, found: "a link") }
            throw .system(errno, "can't open \(file.path)")
        }
        guard let stamp = FileStamp(descriptor: descriptor) else { return .damaged(nil, found: "no regular file") }
        if let size, size != stamp.size { return .damaged(stamp, found: "\(stamp.size)") }
        (self.stamp, hasher) = (stamp, DigestHasher(.sha256))
        return nil
    }

    private func finished(_ before: FileStamp, _ hasher: DigestHasher) -> Outcome {
        guard let after = FileStamp(descriptor: descriptor), after == before else { return .changed }
        guard let digest = hasher.finish()?.hex else { return .changed }
        return digest == sha256 ? .sound(after) : .damaged(after, found: "other bytes of the same size")
    }
}
