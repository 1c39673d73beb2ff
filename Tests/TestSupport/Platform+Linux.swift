#if os(Linux)
import Foundation

/// The Linux versions of system calls that differ from Darwin.
enum Platform {
    static let stream = Int32(SOCK_STREAM.rawValue)
    /// A closed peer is reported as an error instead of SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)
    static let locale = "C.UTF-8"
    static let terminal = "tmux-256color"
    static let howToGetTmux = "apt-get install tmux"

    static func preventSignalOnBrokenPipe(_ descriptor: Int32) {}

    /// The folder that contains this test program.
    static var productsFolder: URL? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return path.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    }

    typealias SpawnActions = posix_spawn_file_actions_t
    typealias SpawnAttributes = posix_spawnattr_t
    static func emptyActions() -> SpawnActions { posix_spawn_file_actions_t() }
    static func emptyAttributes() -> SpawnAttributes { posix_spawnattr_t() }
    static let extraSpawnFlags: Int32 = 0
}
#endif
