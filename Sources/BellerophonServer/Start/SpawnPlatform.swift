#if Server
import Foundation

extension SpawnPlatform {
    /// Starts a program with the listed descriptors and no others. Signals have their default handlers and are unblocked.
    /// - Parameters:
    ///   - arguments: the program's path first.
    ///   - environment: nil for this process's.
    ///   - descriptors: pairs of a number here and the number there.
    ///   - firstFree: every descriptor from this number on is closed.
    ///   - leadsGroup: whether the process leads a process group of its own.
    /// - Returns: an error number; 0 on success.
    static func spawn(
        _ process: inout pid_t, _ arguments: [String], environment: [String: String]? = nil, descriptors: [(Int32, Int32)],
        firstFree: Int32, leadsGroup: Bool = false
    ) -> Int32 {
        var actions = emptyActions()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in descriptors { posix_spawn_file_actions_adddup2(&actions, from, to) }
        closeOthers(&actions, from: firstFree)
        var attributes = emptyAttributes()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? Int32(POSIX_SPAWN_SETPGROUP) : 0
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | group | extraFlags
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        let path = arguments[0]
        let present = environment ?? ProcessInfo.processInfo.environment
        return withCStrings(arguments) { arguments in
            withCStrings(present.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&process, path, &actions, &attributes, arguments, environment)
            }
        }
    }

    private static func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
        let copies = strings.map { strdup($0) } + [nil]
        defer { copies.forEach { free($0) } }
        return body(copies)
    }
}
#endif
