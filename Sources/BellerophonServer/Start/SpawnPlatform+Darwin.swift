#if Server && canImport(Darwin)
import Foundation

/// Where starting a process differs from Linux.
enum SpawnPlatform {
    static let stream = SOCK_STREAM
    /// No descriptor is handed on but those that are named.
    static let extraFlags = POSIX_SPAWN_CLOEXEC_DEFAULT
    /// The server ignores SIGPIPE.
    static let sendFlags: Int32 = 0

    static func emptyActions() -> posix_spawn_file_actions_t? { nil }
    static func emptyAttributes() -> posix_spawnattr_t? { nil }
    /// The flag closes them.
    static func closeOthers(_ actions: inout posix_spawn_file_actions_t?, from first: Int32) {}
}
#endif
