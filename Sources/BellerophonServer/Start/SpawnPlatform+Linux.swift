#if Server && os(Linux)
import Foundation

/// The differences from Darwin in starting a process.
enum SpawnPlatform {
    /// Close-on-exec from the start, so that a process started by another thread does not inherit the socket.
    static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    static let extraFlags: Int32 = 0
    /// Writing to a process that has ended returns an error instead of raising SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    static func emptyActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
    static func emptyAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }

    /// Closes every descriptor from a number on in the new process. Some libraries open descriptors without
    /// close-on-exec.
    static func closeOthers(_ actions: inout posix_spawn_file_actions_t, from first: Int32) {
        typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        // Swift does not import this function, which glibc has since 2.34.
        if let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
            _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
        } else {
            keepDescriptors()
        }
    }

    /// Sets close-on-exec on every open descriptor except the standard ones. Descriptors that other threads open before
    /// the start are missed.
    private static func keepDescriptors() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }
}
#endif
