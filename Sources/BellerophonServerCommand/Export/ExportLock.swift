import BellerophonBase
import Foundation

/// Serializes exports to a folder, with a lock on a hidden file in it.
enum ExportLock {
    /// Creates the folder if necessary, waits for other exports to it, and exports while it holds the lock.
    /// - Throws: ``CommandError`` after the limit, or if the file can't be created.
    static func hold<Result>(_ folder: URL, limit: Duration, _ export: () async throws -> Result) async throws -> Result {
        let path = folder.appendingPathComponent(".bellerophon-export.lock").path
        let deadline = ContinuousClock.now + limit
        var lock: FileLock?
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            repeat {
                lock = try FileLock(path)
                guard lock == nil, limit > .zero else { continue }
                Output.writeError("waiting for another export to the same folder, at most \(limit.components.seconds) s")
                lock = try FileLock.wait(path, limit: deadline - .now)
                // The file's previous owner removes it at the end.
            } while lock.map { !$0.isFile(at: path) } ?? false
        } catch {
            let reason = (error as? FileError)?.description ?? (error as NSError).localizedDescription
            throw CommandError("can't export to \(folder.path): \(reason)", exitCode: SystemExit.cantCreate)
        }
        guard let lock else {
            throw CommandError(
                "another export to \(folder.path) is running", hint: "try again when it is done; nothing was changed",
                exitCode: SystemExit.temporary)
        }
        // The file is removed before the lock is released, so that a waiting process notices it and creates a new file.
        defer { withExtendedLifetime(lock) { _ = unlink(path) } }
        return try await export()
    }
}
