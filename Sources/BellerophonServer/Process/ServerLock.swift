#if Server
import Foundation

/// A store's mark that a server runs on it; it ends with the process, whatever ends that.
public final class ServerLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``ServerProblem`` with the other server's process.
    public init(folder: URL) throws {
        let path = folder.appendingPathComponent("server.lock").path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ServerProblem("can't write in the store \(folder.path): \(String(cString: strerror(errno)))", hint: "check who owns it")
        }
        guard Self.lock(descriptor) else {
            let owner = Self.owner(descriptor)
            close(descriptor)
            throw ServerProblem(
                "the store \(folder.path) is locked by another server\(owner)", hint: "stop that one, or choose another folder with --store"
            )
        }
        let mark = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = mark.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    deinit {
        close(descriptor)
    }

    /// Whether a server runs on a store.
    /// - Parameter folder: the store's.
    public static func isHeld(_ folder: URL) -> Bool {
        let descriptor = open(folder.appendingPathComponent("server.lock").path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// A command that only asks holds the lock for a moment; a server keeps it.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<10 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(10_000)
        }
        return false
    }

    private static func owner(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(count, 0)).prefix { $0 >= 0x30 && $0 <= 0x39 }
        return digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
    }
}
#endif
