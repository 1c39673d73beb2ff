import BellerophonBase
import Foundation
import GRDB

extension StoreError {
    /// Converts any error. Errors of the database get a text that a person can act on.
    init(_ error: any Error, in folder: URL) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self.init(database: error, in: folder)
        default: self.init(.failed, "the store \(folder.path) failed: \((error as NSError).localizedDescription)")
        }
    }

    /// Runs work on the store in a folder, and converts its errors.
    static func converting<Value>(in folder: URL, _ work: () throws -> Value) throws(StoreError) -> Value {
        do { return try work() } catch { throw StoreError(error, in: folder) }
    }

    private init(database error: DatabaseError, in folder: URL) {
        let path = folder.path
        switch error.resultCode {
        case _ where WriteTrouble.isFull(error, folder):
            self.init(.full, "the disk that holds \(path) is full", hint: "make room and try again; nothing was changed")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "the store \(path) is locked by another process", hint: "try again; nothing was changed")
        case .SQLITE_NOTADB:
            self.init(.notAStore, "\(path)/store.sqlite is not a store", hint: "name the folder that the server uses")
        case .SQLITE_CORRUPT:
            self.init(.damaged, "the store \(path) is damaged", hint: "bring the folder back from a backup")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(.notPermitted, "the store \(path) can't be written", hint: "run this as the user that owns the folder")
        default:
            self.init(.failed, "the store \(path) failed: \(error.message ?? "\(error.resultCode)")")
        }
    }

    /// A failed system call.
    /// - Parameters:
    ///   - number: `errno` directly after the call.
    ///   - action: what failed, such as "can't write /srv/store/content".
    static func system(_ number: Int32, _ action: String) -> StoreError {
        let reason = String(cString: strerror(number))
        switch number {
        case ENOSPC, EDQUOT:
            return StoreError(.full, "\(action): the disk is full", hint: "make room and try again; nothing was changed")
        case EACCES, EPERM, EROFS:
            return StoreError(.notPermitted, "\(action): \(reason)", hint: "run this as the user that owns the folder")
        default:
            return StoreError(.failed, "\(action): \(reason)")
        }
    }

    /// Waits for a lock of the store, for at most ``Store/busyLimit``.
    static func lock(_ file: URL, _ kind: FileLock.Kind) throws(StoreError) -> FileLock {
        let lock = try onDisk { () throws(FileError) in try FileLock.wait(file.path, kind, limit: Store.busyLimit) }
        if let lock { return lock }
        let folder = file.deletingLastPathComponent().path
        throw StoreError(.busy, "the store \(folder) is locked by another process", hint: "try again; nothing was changed")
    }

    /// Runs file operations and converts their errors.
    static func onDisk<Result>(_ calls: () throws(FileError) -> Result) throws(StoreError) -> Result {
        do throws(FileError) {
            return try calls()
        } catch {
            throw .system(error.code, "can't \(error.action) \(error.path)")
        }
    }
}
