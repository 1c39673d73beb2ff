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

    fileprivate init(_ url: URL) throws {
        file = try OpenFile(url.path, followsLinks: false) { FileReadError("can't open a stored file", $0.code) }
        guard let stamp = FileStamp(file.facts) else { throw FileReadError("a stored file is not a regular file", 0) }
        self.stamp = stamp
    }

    /// Reads at least one and at most `count` bytes at an offset; throws if the file ends before it.
    fileprivate func read(_ count: Int, at offset: Int64) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let got = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            while true {
                let got = pread(file.descriptor.number, bytes.baseAddress, count, off_t(offset))
                if got > 0 { return got }
                if got == 0 { throw FileReadError("a stored file ended early", 0) }
                guard errno == EINTR else { throw FileReadError("can't read a stored file", errno) }
            }
        }
        precondition(got > 0)
        return buffer
    }
}

/// A failed system call on a file.
struct FileReadError: Error, CustomStringConvertible {
    let description: String
    /// There is no file, or it is a link, a folder or a pipe.
    let isUnfit: Bool

    init(_ what: String, _ code: Int32) {
        isUnfit = [ENOENT, ELOOP, 0].contains(code)
        description = code == 0 ? what : "\(what): \(String(cString: strerror(code)))"
    }
}

/// A part of a response's body.
enum FilePiece: Sendable {
    case text(String)
    case bytes(Range<Int64>)

    var size: Int64 {
        switch self {
        case .text(let text): Int64(text.utf8.count)
        case .bytes(let range): Int64(range.count)
        }
    }
}

/// Threads for files and for long reads of the store, so that neither event loops nor tasks block on the disk.
final class FilePool: Sendable {
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

    func open(_ url: URL) async throws -> StoredFile {
        try await run { try StoredFile(url) }
    }
}

/// Runs the tasks of requests that read the store: a disk that hangs then holds these threads and no others.
extension FilePool: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
        // A pool that is shut down runs it at once.
        threads.submit { _ in job.runSynchronously(on: executor) }
    }
}

/// A body of several pieces. Each is read after the client has taken the one before.
struct FileBody: AsyncSequence, Sendable {
    /// In bytes.
    let size: Int
    private let file: StoredFile
    private let pieces: [FilePiece]
    private let pool: FilePool

    init(_ file: StoredFile, _ pieces: [FilePiece], _ pool: FilePool) {
        (self.file, self.pieces, self.pool) = (file, pieces, pool)
        size = Int(pieces.reduce(0) { $0 + $1.size })
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file, pool: pool, pieces: pieces[...]) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let file: StoredFile
        fileprivate let pool: FilePool
        /// What was not read yet.
        fileprivate var pieces: ArraySlice<FilePiece>

        mutating func next() async throws -> ByteBuffer? {
            while let piece = pieces.popFirst() {
                switch piece {
                case .text(let text): return ByteBuffer(string: text)
                case .bytes(let range) where range.isEmpty: continue
                case .bytes(let range):
                    let (file, count) = (file, Swift.min(range.count, FilePool.pieceSize))
                    let bytes = try await pool.run { try file.read(count, at: range.lowerBound) }
                    pieces.insert(.bytes(range.lowerBound + Int64(bytes.readableBytes)..<range.upperBound), at: pieces.startIndex)
                    return bytes
                }
            }
            return nil
        }
    }
}
