import BellerophonBase
import Digests
import Foundation

/// An upload in progress: a temporary file and both digests. The bytes are never held in memory.
///
/// The file is removed with the object unless it was moved into the store.
///
/// It is unchecked because a `Mutex` can't hold a digest that is updated with bytes from outside. One thread at a time uses it.
package final class IncomingContent: @unchecked Sendable {
    /// The complete upload.
    struct Summary: Equatable, Sendable {
        let size: Int64
        let md5: Digest
        let sha256: Digest
    }

    let file: URL
    private let space: DiskSpace
    /// Open and locked until the file is moved or discarded; nil once closed.
    private var descriptor: Descriptor?
    private let md5: DigestHasher
    private let sha256: DigestHasher
    private var summary: Summary?
    /// Bytes received so far.
    package private(set) var size: Int64 = 0

    /// - Parameter space: checked before each part of the upload.
    init(in folder: URL, space: DiskSpace) throws(StoreError) {
        guard let md5 = DigestHasher(.md5), let sha256 = DigestHasher(.sha256) else {
            throw StoreError(.failed, "this system offers no MD5 or SHA-256")
        }
        (file, descriptor) = try Self.make(in: folder)
        (self.space, self.md5, self.sha256) = (space, md5, sha256)
    }

    deinit {
        discard()
    }

    /// Makes a file and locks it, which marks it as in use; see ``ContentFolder/removeLeftovers()``. Another process may
    /// remove the file before it is locked; then another one is made.
    private static func make(in folder: URL) throws(StoreError) -> (URL, Descriptor) {
        for _ in 0..<10 {
            let file = folder.appendingPathComponent(UUID().uuidString)
            let descriptor = try StoreError.onDisk { () throws(FileError) in
                Descriptor(try FileCalls.open(file.path, O_WRONLY | O_CREAT | O_EXCL))
            }
            if FileLock.lock(descriptor.number, .shared), let facts = FileFacts(descriptor: descriptor.number), facts.st_nlink > 0
            {
                return (file, descriptor)
            }
            unlink(file.path)
        }
        throw StoreError(.failed, "a file for the upload could not be made", hint: "try again")
    }

    package func write(_ data: Data) throws(StoreError) {
        let result = data.withUnsafeBytes { bytes in Result { () throws(StoreError) in try write(bytes) } }
        try result.get()
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard let descriptor, summary == nil else { throw StoreError(.failed, "the resource was complete already") }
        try space.require(Int64(bytes.count))
        try StoreError.onDisk { () throws(FileError) in
            try FileCalls.write(bytes, to: descriptor.number, path: file.path)
        }
        md5.update(bytes)
        sha256.update(bytes)
        size += Int64(bytes.count)
    }

    /// Copies a file, 256 KiB at a time.
    /// - Parameter offset: where the bytes begin that are copied.
    package func copy(_ source: URL, from offset: Int64 = 0) throws(StoreError) {
        func failure() -> StoreError { .invalid("can't read \(source.path): \(String(cString: strerror(errno)))") }
        let descriptor = open(source.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw failure() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            try write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer).prefix(count)))
        }
    }

    /// Discards the upload and removes its file.
    package func discard() {
        descriptor = nil
        unlink(file.path)
    }

    /// Completes the upload: everything is durable. Repeated calls return the same result.
    func finish() throws(StoreError) -> Summary {
        if let summary { return summary }
        guard let descriptor else { throw StoreError(.failed, "the resource was discarded") }
        try StoreError.onDisk { () throws(FileError) in
            try FileCalls.synchronize(descriptor.number, path: file.path)
        }
        guard let md5 = md5.finish(), let sha256 = sha256.finish() else {
            throw StoreError(.failed, "the resource's digest can't be computed")
        }
        let summary = Summary(size: size, md5: md5, sha256: sha256)
        self.summary = summary
        return summary
    }
}
