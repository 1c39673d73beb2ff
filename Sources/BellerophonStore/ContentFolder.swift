#if Server
import CloudBox
import Foundation

/// The files of a store's resources, each named by the SHA-256 of its bytes: `content/ab/abcdef…`.
struct ContentFolder: Sendable {
    /// Where files are.
    let content: URL
    /// Where files come in.
    let incoming: URL
    private let lock: URL

    /// Files that nobody needs are kept this long, for a put that is still under way.
    static let garbageAge: TimeInterval = 3600

    init(_ store: URL) throws(StoreError) {
        content = store.appendingPathComponent("content", isDirectory: true)
        incoming = store.appendingPathComponent("incoming", isDirectory: true)
        lock = store.appendingPathComponent("content.lock")
        for folder in [content, incoming] { try Self.make(folder) }
    }

    func file(_ sha256: String) -> URL {
        shard(sha256).appendingPathComponent(sha256)
    }

    /// Runs work while no file is removed.
    func keepingFiles<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let lock = try FileLock.wait(lock, .shared)
        return try withExtendedLifetime(lock) { () throws(StoreError) in try work() }
    }

    /// Gives what came in its place for good: on the disk, file and name, when this returns.
    func place(_ summary: IncomingContent.Summary, from file: URL) throws(StoreError) {
        let (folder, target) = (shard(summary.sha256.hex), self.file(summary.sha256.hex))
        try Self.make(folder)
        if Self.size(of: target) != summary.size {
            guard rename(file.path, target.path) == 0 else { throw .system(errno, "can't write \(target.path)") }
        }
        // Also where both are there: whoever made them may have ended, or may still be, before this step.
        try Self.synchronize(folder)
        try Self.synchronize(content)
    }

    static func size(of file: URL) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    static func make(_ folder: URL) throws(StoreError) {
        if mkdir(folder.path, 0o700) == 0 || errno == EEXIST { return }
        throw .system(errno, "can't make \(folder.path)")
    }

    private func shard(_ sha256: String) -> URL {
        content.appendingPathComponent(String(sha256.prefix(2)), isDirectory: true)
    }

    private static func synchronize(_ folder: URL) throws(StoreError) {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno, "can't open \(folder.path)") }
        defer { close(descriptor) }
        guard BellerophonStore.synchronize(descriptor) == 0 else { throw .system(errno, "can't write \(folder.path)") }
    }
}

extension ContentFolder {
    /// Removes files that are old and that no version names; does nothing while a resource is being put.
    /// - Parameter needed: the digests that versions name, asked for while nothing can be put.
    func removeGarbage(before now: Date, needed: () throws(StoreError) -> Set<String>) throws(StoreError) {
        guard let lock = try FileLock(trying: lock, .exclusive) else { return }
        try withExtendedLifetime(lock) { () throws(StoreError) in
            let limit = now.addingTimeInterval(-Self.garbageAge)
            for file in Self.files(in: incoming, olderThan: limit) { unlink(file.path) }
            let old = Self.folders(in: content).flatMap { Self.files(in: $0, olderThan: limit) }
            guard !old.isEmpty else { return }
            let needed = try needed()
            for file in old where !needed.contains(file.lastPathComponent) { unlink(file.path) }
        }
    }

    private static func folders(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0, isDirectory: true) }
    }

    private static func files(in folder: URL, olderThan limit: Date) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0) }.filter { file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return false }
            return (attributes?[.modificationDate] as? Date).map { $0 < limit } ?? false
        }
    }
}
#endif
