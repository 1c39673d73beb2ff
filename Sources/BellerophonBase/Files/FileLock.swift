internal import Foundation

/// A lock between processes on a file, held until the object or the process ends.
///
/// The locks are those of flock(2): a child process that inherits the descriptor shares the lock.
package final class FileLock: Sendable {
    package enum Kind: Sendable {
        /// Any number of holders at the same time.
        case shared
        /// One holder, and no shared one.
        case exclusive
    }

    package let descriptor: Int32

    /// Takes the lock, without waiting. The file is made where there is none.
    /// - Returns: nil where another holder has it.
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

    /// Waits for the lock.
    /// - Parameters:
    ///   - limit: how long.
    ///   - interval: how often it is tried.
    /// - Returns: nil where another holder had it all the time.
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

    deinit {
        close(descriptor)
    }

    /// Locks an open file, without waiting.
    /// - Returns: false where another holder has it, or with another error in `errno`.
    package static func lock(_ descriptor: Int32, _ kind: Kind = .exclusive) -> Bool {
        flock(descriptor, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }
}
