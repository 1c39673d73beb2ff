#if Server && canImport(Darwin)
import Foundation

/// The differences from Linux in starting a process.
enum SpawnPlatform {
    static let stream = SOCK_STREAM
    /// The new process inherits only the listed descriptors.
    static let extraFlags = POSIX_SPAWN_CLOEXEC_DEFAULT
    /// The server ignores SIGPIPE.
    static let sendFlags: Int32 = 0

    static func emptyActions() -> posix_spawn_file_actions_t? { nil }
    static func emptyAttributes() -> posix_spawnattr_t? { nil }
    /// Empty: `extraFlags` already closes the others.
    static func closeOthers(_ actions: inout posix_spawn_file_actions_t?, from first: Int32) {}
}
#endif
