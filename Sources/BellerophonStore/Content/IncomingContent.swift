import BellerophonBase
import Digests
import Foundation

/// An upload in progress: a temporary file and both digests. The bytes are never held in memory.
///
/// The file is removed with the object unless it was moved into the store.
///
/// It is unchecked because a `Mutex` can't hold a digest that is updated with bytes from outside; `lock` protects all
/// mutable state.
package final class IncomingContent: @unchecked Sendable {
    /// The free space is checked every 4 MiB.
    private static let checkShift = 22

    /// The complete upload.
    struct Summary: Equatable, Sendable {
        let size: Int64
        let md5: Digest
        let sha256: Digest
    }

    private struct State {
        /// Open and locked until the file is moved or discarded; nil once closed.
        var descriptor: Descriptor?
        var size: Int64 = 0
        let md5: DigestHasher
        let sha256: DigestHasher
        var summary: Summary?
    }

    let file: URL
    private let space: DiskSpace
    private let lock = NSLock()
    private var state: State

    /// - Parameter space: checked regularly during the upload.
    init(in folder: URL, space: DiskSpace) throws(StoreError) {
        guard let md5 = DigestHasher(.md5), let sha256 = DigestHasher(.sha256) else {
            throw StoreError(.failed, "this system offers no MD5 or SHA-256")
        }
        let (file, descriptor) = try Self.make(in: folder)
        self.file = file
        self.space = space
        state = State(descriptor: descriptor, md5: md5, sha256: sha256)
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

    /// Bytes received so far.
    package var size: Int64 {
        lock.lock()
        defer { lock.unlock() }
        return state.size
    }

    package func write(_ data: Data) throws(StoreError) {
        let result = data.withUnsafeBytes { bytes in Result { () throws(StoreError) in try write(bytes) } }
        try result.get()
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        lock.lock()
        defer { lock.unlock() }
        guard let descriptor = state.descriptor, state.summary == nil else {
            throw StoreError(.failed, "the resource was complete already")
        }
        if (state.size + Int64(bytes.count)) >> Self.checkShift != state.size >> Self.checkShift {
            try space.require(Int64(bytes.count))
        }
        try StoreError.onDisk { () throws(FileError) in
            try FileCalls.write(bytes, to: descriptor.number, path: file.path)
        }
        state.md5.update(bytes)
        state.sha256.update(bytes)
        state.size += Int64(bytes.count)
    }

    /// Copies a file, 256 KiB at a time.
    /// - Parameter offset: where the bytes begin that are copied.
    package func copy(_ source: URL, from offset: Int64 = 0) throws(StoreError) {
        let descriptor = open(source.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .invalid("can't read \(source.path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw .system(errno, "can't read \(source.path)") }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR { continue }
                throw .invalid("can't read \(source.path): \(String(cString: strerror(errno)))")
            }
            try write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer).prefix(count)))
        }
    }

    /// Discards the upload and removes its file.
    package func discard() {
        lock.lock()
        defer { lock.unlock() }
        state.descriptor = nil
        unlink(file.path)
    }

    /// Completes the upload: everything is durable. Repeated calls return the same result.
    func finish() throws(StoreError) -> Summary {
        lock.lock()
        defer { lock.unlock() }
        if let summary = state.summary { return summary }
        guard let descriptor = state.descriptor else { throw StoreError(.failed, "the resource was discarded") }
        try StoreError.onDisk { () throws(FileError) in
            try FileCalls.synchronize(descriptor.number, path: file.path)
        }
        guard let md5 = state.md5.finish(), let sha256 = state.sha256.finish() else {
            throw StoreError(.failed, "the resource's digest can't be computed")
        }
        let summary = Summary(size: state.size, md5: md5, sha256: sha256)
        state.summary = summary
        return summary
    }
}
