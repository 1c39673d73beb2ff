import Foundation
import Synchronization

/// Makes file descriptors that children do not inherit.
///
/// Swift imports neither `pipe2` nor `accept4`, so a new descriptor has no close-on-exec flag at first. The lock
/// prevents a spawn before the flag is set.
enum Descriptors {
    private static let lock = Mutex(())

    static func whileNoneIsBorn<Result>(_ body: () throws -> sending Result) rethrows -> sending Result {
        try lock.withLock { _ in try body() }
    }

    /// Runs a call that returns a descriptor, and throws the error of `errno` if it fails.
    static func make(_ call: () -> Int32) throws -> Int32 {
        try whileNoneIsBorn {
            let descriptor = call()
            guard descriptor >= 0 else { throw TestError("no descriptor", detail: lastError) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return descriptor
        }
    }

    static func pipe() throws -> (read: Int32, write: Int32) {
        try whileNoneIsBorn {
            var ends: [Int32] = [0, 0]
            guard Foundation.pipe(&ends) == 0 else { throw TestError("no pipe", detail: lastError) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    static var lastError: String { String(cString: strerror(errno)) }
}
