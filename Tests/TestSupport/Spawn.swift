import Foundation

/// How a process ended.
public enum ExitStatus: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)

    /// Decodes the status of `waitpid`.
    init(waitStatus status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
    }

    /// Decodes a shell's `$?`.
    init(shellStatus status: Int32) {
        self = status > 128 ? .signalled(status - 128) : .exited(status)
    }
}

/// Starts processes with every signal unblocked and at its default action.
///
/// Foundation's `Process` passes the blocked signals of the test runner to its children, which SIGTERM then cannot end.
enum Spawn {
    /// Starts a program in its own process group.
    /// - Parameters:
    ///   - program: the name of one of this package's programs, or a path.
    ///   - environment: the complete environment of the child.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String],
        input: Int32, output: Int32, error: Int32
    ) throws -> pid_t {
        let executable = try Products.path(program)
        var actions = Platform.emptyActions()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (source, target) in [(input, 0), (output, 1), (error, 2)] as [(Int32, Int32)] {
            posix_spawn_file_actions_adddup2(&actions, source, target)
        }
        var attributes = Platform.emptyAttributes()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignals(&attributes)

        var pid: pid_t = 0
        let result = Descriptors.whileNoneIsBorn {
            withCStrings([executable] + arguments) { arguments in
                withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                    posix_spawn(&pid, executable, &actions, &attributes, arguments, environment)
                }
            }
        }
        guard result == 0 else {
            throw TestError("cannot start \(executable)", detail: String(cString: strerror(result)))
        }
        return pid
    }

    private static func setSignals(_ attributes: inout Platform.SpawnAttributes) {
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags | Platform.extraSpawnFlags))
    }

    /// The status of a child that has ended; nil while it runs. After a status the process identifier is invalid.
    static func poll(_ pid: pid_t) -> ExitStatus? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == pid ? ExitStatus(waitStatus: status) : nil
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) } + [nil]
        defer { copies.forEach { free($0) } }
        return body(copies)
    }
}

/// Runs blocking work on its own thread, so that tests do not wait for each other's processes.
public func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: work)) }
    }
}
