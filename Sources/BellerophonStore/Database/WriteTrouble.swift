import Foundation
import GRDB
import Synchronization

/// The last write to this machine's disk, if the disk refused it.
final class WriteTrouble: Sendable {
    private let state = Mutex<StoreError?>(nil)

    /// Nil if the last write succeeded, or was refused for another reason than the disk.
    var present: StoreError? { state.withLock { $0 } }

    func record(_ error: any Error, in folder: URL) {
        guard Self.isOfDisk(error) else { return }
        state.withLock { $0 = StoreError(error, in: folder) }
    }

    func end() { state.withLock { $0 = nil } }

    /// Whether the database could not be written, as opposed to a change that a rule refused.
    private static func isOfDisk(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [
            .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_CORRUPT, .SQLITE_NOTADB,
        ].contains(error.resultCode)
    }

    /// Whether the disk of a folder had no room. A token whose quota is used up is not meant.
    static func isFull(_ error: any Error, _ folder: URL) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_FULL || (error.resultCode == .SQLITE_IOERR && DiskSpace(folder).isFull)
    }
}
