import BellerophonBase
import Foundation

/// Serializes exports to a folder, with a lock on a hidden file in it. The file is removed after the export.
final class ExportLock {
    static let name = ".bellerophon-export.lock"

    private let lock: FileLock
    private let path: String

    private init(_ lock: FileLock, _ path: String) {
        self.lock = lock
        self.path = path
    }

    /// Creates the folder if necessary, and waits for other exports to it.
    /// - Throws: ``CommandError`` after the limit, or if the file can't be created.
    static func wait(_ folder: URL, limit: Duration) async throws -> ExportLock {
        let path = folder.appendingPathComponent(name).path
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandError(
                "can't make \(folder.path): \((error as NSError).localizedDescription)", exitCode: SystemExit.cantCreate)
        }
        let deadline = ContinuousClock.now + limit
        var isTold = false
        while true {
            if let lock = try attempt(path) { return lock }
            guard ContinuousClock.now < deadline else {
                throw CommandError(
                    "another export to \(folder.path) is running", hint: "try again when it is done; nothing was changed",
                    exitCode: SystemExit.temporary
                )
            }
            if !isTold {
                Output.writeError("waiting for another export to the same folder, at most \(limit.components.seconds) s")
            }
            isTold = true
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Nil if another process holds the lock.
    private static func attempt(_ path: String) throws -> ExportLock? {
        let lock: FileLock?
        do {
            lock = try FileLock(path)
        } catch {
            throw CommandError("\(error)", exitCode: SystemExit.cantCreate)
        }
        // The file's previous owner removes it at the end.
        guard let lock, lock.isFile(at: path) else { return nil }
        return ExportLock(lock, path)
    }

    /// Must be called once. The file is removed before the lock is released, so that a waiting process notices it and
    /// creates a new file.
    func release() {
        withExtendedLifetime(lock) { _ = unlink(path) }
    }
}
