internal import Foundation

/// A lock on a file between processes, held until the object or the process ends.
///
/// It uses flock(2), so a child process that inherits the descriptor shares the lock, until this object releases it for both.
package final class FileLock: Sendable {
    package enum Kind: Sendable {
        /// Any number of processes can hold it.
        case shared
        /// One process can hold it, and no other lock is held meanwhile.
        case exclusive
    }

    package let descriptor: Int32

    /// Takes the lock without waiting. Creates the file if it does not exist.
    /// - Returns: nil if another process holds the lock.
    package init?(_ path: String, _ kind: Kind = .exclusive) throws(FileError) {
        let descriptor = try FileCalls.open(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        guard Self.lock(descriptor, kind) else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw FileError("lock", path, code: code)
        }
        self.descriptor = descriptor
    }

    /// Waits for the lock. It blocks the thread.
    /// - Parameters:
    ///   - limit: the longest wait.
    ///   - interval: the time between two attempts.
    /// - Returns: nil if another process still holds the lock at the end.
    package static func wait(
        _ path: String, _ kind: Kind = .exclusive, limit: Duration, interval: Duration = .milliseconds(10)
    ) throws(FileError) -> FileLock? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let lock = try FileLock(path, kind) { return lock }
            guard ContinuousClock.now < deadline else { return nil }
            usleep(UInt32(interval / .microseconds(1)))
        }
    }

    /// Whether the locked file is the one at a path: another process may have removed it since it was opened.
    package func isFile(at path: String) -> Bool {
        guard let held = FileFacts(descriptor: descriptor), let found = FileFacts(path: path, followsLinks: false) else {
            return false
        }
        return held.isSameFile(as: found)
    }

    deinit {
        // Closing alone would leave the lock with a child process that has not yet started its program.
        Self.unlock(descriptor)
        close(descriptor)
    }

    /// Releases the lock for every process that has a copy of the descriptor.
    package static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

    /// Locks an open file without waiting.
    /// - Returns: false if another process holds the lock, or for another error; `errno` contains the reason.
    package static func lock(_ descriptor: Int32, _ kind: Kind = .exclusive) -> Bool {
        flock(descriptor, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }
}
