#if canImport(Darwin)
import Foundation

/// The Darwin versions of system calls that differ from Linux.
enum Platform {
    static let stream = SOCK_STREAM
    static let sendFlags: Int32 = 0
    static let locale = "en_US.UTF-8"
    static let terminal = "screen-256color"
    static let howToGetTmux = "brew install tmux"

    /// Turns SIGPIPE for a closed peer into an error.
    static func preventSignalOnBrokenPipe(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The folder that contains this test bundle.
    static var productsFolder: URL? {
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
    }

    typealias SpawnActions = posix_spawn_file_actions_t?
    typealias SpawnAttributes = posix_spawnattr_t?
    static func emptyActions() -> SpawnActions { nil }
    static func emptyAttributes() -> SpawnAttributes { nil }
    static let extraSpawnFlags = POSIX_SPAWN_CLOEXEC_DEFAULT
}
#endif
