#if Server
import BellerophonBase
import Digests
import Foundation

/// The files of a store's resources, each named by the SHA-256 of its bytes: `content/ab/abcdef…`.
struct ContentFolder: Sendable {
    /// Where files are.
    let content: URL
    /// Where files come in.
    let incoming: URL
    private let lock: URL

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
        let lock = try StoreError.lock(lock, .shared)
        return try withExtendedLifetime(lock) { () throws(StoreError) in try work() }
    }

    /// Gives what came in its place for good: on the disk, file and name, when this returns.
    func place(_ summary: IncomingContent.Summary, from file: URL) throws(StoreError) {
        let (folder, target) = (shard(summary.sha256.hex), self.file(summary.sha256.hex))
        try Self.make(folder)
        if Self.size(of: target) != summary.size {
            try StoreError.onDisk { () throws(FileError) in try FileCalls.rename(file.path, to: target.path) }
        }
        // Also where both are there: whoever made them may have ended, or may still be, before this step.
        for folder in [folder, content] {
            try StoreError.onDisk { () throws(FileError) in try FileCalls.synchronizeFolder(folder.path) }
        }
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
}

extension ContentFolder {
    /// Removes what interrupted puts left where files come in. What is still coming in is locked by whoever writes it.
    func removeLeftovers() {
        for file in Self.files(in: incoming) {
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if FileLock.lock(descriptor) { unlink(file.path) }
        }
    }

    /// Removes files that no version names, while nothing is put.
    /// - Parameters:
    ///   - candidates: digests; nil for every file there is.
    ///   - isNeeded: asked while nothing can be put.
    /// - Returns: the bytes that were freed.
    func removeGarbage(
        _ candidates: [String]? = nil, isNeeded: (String) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int64 {
        let lock = try StoreError.lock(lock, .exclusive)
        return try withExtendedLifetime(lock) { () throws(StoreError) in
            var freed: Int64 = 0
            for digest in candidates ?? Self.folders(in: content).flatMap({ Self.files(in: $0) }).map(\.lastPathComponent) {
                guard try !isNeeded(digest) else { continue }
                let file = file(digest)
                let size = Self.size(of: file) ?? 0
                if unlink(file.path) == 0 { freed += size }
            }
            return freed
        }
    }

    /// Whether there is any file of a resource.
    var isEmpty: Bool {
        Self.folders(in: content).allSatisfy { Self.files(in: $0).isEmpty }
    }

    private static func folders(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0, isDirectory: true) }
    }

    private static func files(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0) }.filter { file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
    }
}
#endif
