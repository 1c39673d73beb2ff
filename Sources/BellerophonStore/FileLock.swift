#if Server
import Foundation

/// A lock that processes share through a file; it ends with the object, or with the process.
final class FileLock {
    enum Kind {
        /// Any number at once.
        case shared
        /// One, and no shared one.
        case exclusive
    }

    private let descriptor: Int32

    /// - Parameter limit: how long to wait for others.
    /// - Throws: ``StoreError`` of kind `busy` after the limit.
    static func wait(_ file: URL, _ kind: Kind, limit: Duration = Store.busyLimit) throws(StoreError) -> FileLock {
        let deadline = ContinuousClock.now + limit
        while true {
            if let lock = try FileLock(trying: file, kind) { return lock }
            guard ContinuousClock.now < deadline else {
                let folder = file.deletingLastPathComponent().path
                throw StoreError(.busy, "the store \(folder) is locked by another process", hint: "try again; nothing was changed")
            }
            usleep(10_000)
        }
    }

    /// Nil where another holds it.
    init?(trying file: URL, _ kind: Kind) throws(StoreError) {
        descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, "can't open \(file.path)") }
        guard flock(descriptor, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }
}
#endif
