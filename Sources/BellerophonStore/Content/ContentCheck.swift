import BellerophonBase
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
    /// Nil before the first step.
    private var reading: (file: OpenFile, stamp: FileStamp, hasher: DigestHasher)?
    private var offset: Int64 = 0

    /// Bytes that one step reads.
    private static let stepSize = 4 << 20

    /// - Parameter size: in bytes; nil if it is unknown.
    init(_ file: URL, sha256: String, size: Int64?) {
        (self.file, self.sha256, self.size) = (file, sha256, size)
    }

    /// Reads at most 4 MiB.
    /// - Returns: nil if there is more to read.
    /// - Throws: ``StoreError`` if the file can't be opened for another reason than its absence.
    package func step() throws(StoreError) -> Outcome? {
        if reading == nil, let outcome = try begin() { return outcome }
        guard let (file, stamp, hasher) = reading else { throw StoreError(.failed, "this system offers no SHA-256") }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.stepSize, alignment: 16)
        defer { buffer.deallocate() }
        var count = 0
        repeat {
            count = pread(file.descriptor.number, buffer.baseAddress, buffer.count, off_t(offset))
        } while count < 0 && errno == EINTR
        // A sector that can't be read any more.
        if count < 0 { return .damaged(stamp, found: "unreadable (\(String(cString: strerror(errno))))") }
        if count > 0 {
            hasher.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer).prefix(count)))
            offset += Int64(count)
            return nil
        }
        guard FileStamp(descriptor: file.descriptor.number) == stamp, let digest = hasher.finish()?.hex else { return .changed }
        return digest == sha256 ? .sound(stamp) : .damaged(stamp, found: "other bytes of the same size")
    }

    private func begin() throws(StoreError) -> Outcome? {
        let opened: OpenFile
        do {
            opened = try OpenFile(file.path, followsLinks: false)
        } catch {
            if error.code == ENOENT { return .damaged(nil, found: "no file") }
            if error.code == ELOOP { return .damaged(nil, found: "a link") }
            throw .system(error.code, "can't open \(file.path)")
        }
        guard let stamp = FileStamp(opened.facts) else { return .damaged(nil, found: "no regular file") }
        if let size, size != stamp.size { return .damaged(stamp, found: "\(stamp.size)") }
        reading = DigestHasher(.sha256).map { (opened, stamp, $0) }
        return nil
    }
}
