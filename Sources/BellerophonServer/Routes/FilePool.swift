import BellerophonBase
import BellerophonStore
import Foundation
import NIOCore
import NIOPosix

/// An open file of the store.
struct StoredFile: Sendable {
    private let file: OpenFile
    /// The file's state when it was opened. Stored resources never change.
    let stamp: FileStamp
    /// In bytes.
    var size: Int64 { stamp.size }

    /// - Throws: ``FileError`` with the code `ENOENT` if there is no file, and `ELOOP` for a link, a folder or a pipe.
    init(_ url: URL) throws {
        file = try OpenFile(url.path, followsLinks: false)
        guard let stamp = FileStamp(file.facts) else { throw FileError("open", url.path, code: ELOOP) }
        self.stamp = stamp
    }

    /// Reads at least one and at most `count` bytes at an offset; throws if the file ends before it.
    fileprivate func read(_ count: Int, at offset: Int64) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            while true {
                let got = pread(file.descriptor.number, bytes.baseAddress, count, off_t(offset))
                if got > 0 { return got }
                guard got < 0, errno == EINTR else { throw FileError("read", "a stored file", code: got == 0 ? EIO : errno) }
            }
        }
        return buffer
    }
}

/// Threads for files and for long reads of the store, so that neither event loops nor tasks block on the disk.
final class FilePool: TaskExecutor {
    private let threads: NIOThreadPool
    /// Bytes per read, and so the memory of one response of any size.
    fileprivate static let pieceSize = 128 * 1024

    init(threads count: Int) {
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    func shutDown() async {
        try? await threads.shutdownGracefully()
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await threads.runIfActive(work)
    }

    /// Runs the tasks of requests that read the store: a disk that hangs then holds these threads and no others.
    func enqueue(_ job: consuming ExecutorJob) {
        let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
        // A pool that is shut down runs it at once.
        threads.submit { _ in job.runSynchronously(on: executor) }
    }
}

/// A part of a file as the body of a response. Each piece is read after the client has taken the one before.
struct FileBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let file: StoredFile
    /// What was not read yet.
    var range: Range<Int64>
    let pool: FilePool

    /// In bytes.
    var size: Int { range.count }

    func makeAsyncIterator() -> FileBody { self }

    mutating func next() async throws -> ByteBuffer? {
        guard !range.isEmpty else { return nil }
        let (file, offset, count) = (file, range.lowerBound, Swift.min(range.count, FilePool.pieceSize))
        let bytes = try await pool.run { try file.read(count, at: offset) }
        range = offset + Int64(bytes.readableBytes)..<range.upperBound
        return bytes
    }
}
