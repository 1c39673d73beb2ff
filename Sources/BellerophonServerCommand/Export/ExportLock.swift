import BellerophonBase
import Foundation

/// Serializes exports to a folder, with a lock on a hidden file in it.
enum ExportLock {
    /// Creates the folder if necessary, waits for other exports to it, and exports while it holds the lock.
    /// - Throws: ``CommandError`` after the limit, or if the file can't be created.
    static func hold<Result>(_ folder: URL, limit: Duration, _ export: () async throws -> Result) async throws -> Result {
        let path = folder.appendingPathComponent(".bellerophon-export.lock").path
        let lock = try await wait(path, folder, limit)
        // The file is removed before the lock is released, so that a waiting process notices it and creates a new file.
        defer { withExtendedLifetime(lock) { _ = unlink(path) } }
        return try await export()
    }

    private static func wait(_ path: String, _ folder: URL, _ limit: Duration) async throws -> FileLock {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandError(
                "can't make \(folder.path): \((error as NSError).localizedDescription)", exitCode: SystemExit.cantCreate)
        }
        let deadline = ContinuousClock.now + limit
        var isTold = false
        while true {
            do {
                // The file's previous owner removes it at the end.
                if let lock = try FileLock(path), lock.isFile(at: path) { return lock }
            } catch {
                throw CommandError("\(error)", exitCode: SystemExit.cantCreate)
            }
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
}
