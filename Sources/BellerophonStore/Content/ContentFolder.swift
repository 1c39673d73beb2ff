import BellerophonBase
import Digests
import Foundation

/// The files of a store's resources, each named by the SHA-256 of its bytes: `content/ab/abcdef…`.
struct ContentFolder: Sendable {
    /// The folder of complete files.
    let content: URL
    /// The folder of uploads in progress.
    let incoming: URL
    private let lock: URL
    /// What this process knows of the files.
    let verified = VerifiedContent()

    init(_ store: URL) throws(StoreError) {
        content = store.appendingPathComponent("content", isDirectory: true)
        incoming = store.appendingPathComponent("incoming", isDirectory: true)
        lock = store.appendingPathComponent("content.lock")
        for folder in [content, incoming] { try Self.make(folder) }
    }

    func file(_ sha256: String) -> URL {
        shard(sha256).appendingPathComponent(sha256)
    }

    /// Runs work while no file can be removed.
    func keepingFiles<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let lock = try StoreError.lock(lock, .shared)
        return try withExtendedLifetime(lock) { () throws(StoreError) in try work() }
    }

    /// Begins to receive bytes, however little space remains.
    func receive() throws(StoreError) -> IncomingContent {
        try IncomingContent(in: incoming, space: DiskSpace(content) { nil })
    }

    /// Moves an upload to its final place. The file and its name are durable when this returns.
    ///
    /// A file that is there already is replaced: it has the same bytes, unless it was damaged.
    func place(_ summary: IncomingContent.Summary, from file: URL) throws(StoreError) {
        let (folder, target) = (shard(summary.sha256.hex), self.file(summary.sha256.hex))
        try Self.make(folder)
        try StoreError.onDisk { () throws(FileError) in try FileCalls.rename(file.path, to: target.path) }
        // What has just been written and computed need not be read again.
        if let stamp = FileStamp(target), stamp.size == summary.size { verified.add(summary.sha256.hex, stamp) }
        for folder in [folder, content] {
            try StoreError.onDisk { () throws(FileError) in try FileCalls.synchronizeFolder(folder.path) }
        }
    }

    static func size(of file: URL) -> Int64? {
        FileFacts(path: file.path, followsLinks: false).map { Int64($0.st_size) }
    }

    static func make(_ folder: URL) throws(StoreError) {
        if mkdir(folder.path, 0o700) == 0 || errno == EEXIST { return }
        throw .system(errno, "can't make \(folder.path)")
    }

    private func shard(_ sha256: String) -> URL {
        content.appendingPathComponent(String(sha256.prefix(2)), isDirectory: true)
    }

    /// Removes the files of interrupted uploads. Files of uploads in progress are locked by their writers.
    func removeLeftovers() {
        for file in Self.files(in: incoming) {
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if FileLock.lock(descriptor) { unlink(file.path) }
        }
    }

    /// Removes files that no version uses. Nothing can be published in the meantime.
    /// - Parameters:
    ///   - candidates: the digests to check; nil for all files.
    ///   - isNeeded: whether a version uses the bytes; called while nothing can be published.
    /// - Returns: the number of freed bytes.
    func removeGarbage(
        _ candidates: [String]? = nil, isNeeded: (String) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int64 {
        let lock = try StoreError.lock(lock, .exclusive)
        return try withExtendedLifetime(lock) { () throws(StoreError) in
            var freed: Int64 = 0
            for digest in candidates ?? files.map(\.lastPathComponent) {
                guard try !isNeeded(digest) else { continue }
                let file = file(digest)
                let size = Self.size(of: file) ?? 0
                if unlink(file.path) == 0 { freed += size }
                verified.remove(digest)
            }
            return freed
        }
    }

    /// Whether there are no resource files.
    var isEmpty: Bool { files.isEmpty }

    private var files: [URL] { Self.entries(of: content).flatMap { Self.files(in: $0) } }

    private static func files(in folder: URL) -> [URL] {
        entries(of: folder).filter { FileFacts(path: $0.path, followsLinks: false)?.isRegularFile == true }
    }

    private static func entries(of folder: URL) -> [URL] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).map { folder.appendingPathComponent($0) }
    }
}
