#if Server && os(Linux)
import Foundation

/// Where starting a process differs from Darwin.
enum SpawnPlatform {
    /// No process that another thread starts at that moment gets the sockets.
    static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    static let extraFlags: Int32 = 0
    /// A process that is gone is an error to handle and no signal.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    static func emptyActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
    static func emptyAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }

    /// Lets the new process close every descriptor from a number on. Not everything that a library opens is marked as this
    /// process's alone.
    static func closeOthers(_ actions: inout posix_spawn_file_actions_t, from first: Int32) {
        typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        // Swift does not see the function, which glibc has since 2.34.
        if let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
            _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
        } else {
            keepDescriptors()
        }
    }

    /// Marks every open descriptor but the standard ones. One that another thread opens before the start is missed.
    private static func keepDescriptors() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }
}
#endif
