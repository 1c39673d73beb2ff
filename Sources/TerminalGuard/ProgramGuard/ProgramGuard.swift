public import Bellerophon
public import Foundation

/// A guard that a program starts around itself, in one line:
/// ```swift
/// struct Program {
///     static func main() throws {
///         try ProgramGuard.start(statusURL: URL(string: "https://status.example.com/status")!)
///         // The program as it was.
///     }
/// }
/// ```
/// The process that makes the call becomes a relay: it starts the same executable again, in a pseudo-terminal or with its own
/// standard descriptors, and covers it while the status says so. The call returns only in the second process, which needs no run
/// loop and no curses. When the second process ends, the first one ends in the same way.
///
/// The call needs to be the first statement of `main`: everything before it happens in both processes.
public enum ProgramGuard {
    /// Starts this program under a guard, and returns in the second process.
    ///
    /// It also returns, without a guard of its own, if a guard with the same status address already covers this process. The first
    /// process never returns from a call that succeeds.
    /// - Parameters:
    ///   - statusURL: the `http` or `https` address of the status document. If the server names a stream, it is used too.
    ///   - app: the program's name, version and update information. The name is also the name of the folder of the stored
    ///     status, in `$XDG_STATE_HOME` or `~/.local/state`. `KillSwitch` of BellerophonCurses stores it in the same file.
    ///   - verifier: accepts only signed statuses. Statuses accepted without a verifier are stored in another file.
    ///   - options: what the guard does besides covering the program.
    ///   - configure: changes the configuration before the first check, such as the poll policy or the views. The window is the
    ///     guard's own. It is called in the first process only.
    /// - Throws: why there is no guard. The program may then end, or go on without one.
    public static func start(
        statusURL: URL, app: AppInfo = .current, verifier: (any StatusVerifier)? = nil, options: Options = Options(),
        configure: @MainActor (inout BellerophonConfig) -> Void = { _ in }
    ) throws(ProgramGuardError) {
        guard Thread.isMainThread else {
            if ProcessMark.remove() == .thisProcess { return }
            try RelayProcess.verify(statusURL, isAsync: false)
            throw .threadsExist(OwnProcess.threads ?? 2)
        }
        let outcome = MainActor.assumeIsolated {
            Result { () throws(ProgramGuardError) in
                try RelayProcess(statusURL, app, verifier, options, isAsync: false, configure: configure)?.run()
            }
        }
        _ = try outcome.get()
    }

    /// Starts this program under a guard, and returns in the second process. For an `async` main, whose task serves the guard.
    ///
    /// It also returns, without a guard of its own, if a guard with the same status address already covers this process. The first
    /// process never returns from a call that succeeds.
    /// - Parameters:
    ///   - statusURL: the `http` or `https` address of the status document. If the server names a stream, it is used too.
    ///   - app: the program's name, version and update information. The name is also the name of the folder of the stored
    ///     status, in `$XDG_STATE_HOME` or `~/.local/state`. `KillSwitch` of BellerophonCurses stores it in the same file.
    ///   - verifier: accepts only signed statuses. Statuses accepted without a verifier are stored in another file.
    ///   - options: what the guard does besides covering the program.
    ///   - configure: changes the configuration before the first check, such as the poll policy or the views. The window is the
    ///     guard's own. It is called in the first process only.
    /// - Throws: why there is no guard. The program may then end, or go on without one.
    @MainActor
    public static func start(
        statusURL: URL, app: AppInfo = .current, verifier: (any StatusVerifier)? = nil, options: Options = Options(),
        configure: (inout BellerophonConfig) -> Void = { _ in }
    ) async throws(ProgramGuardError) {
        try await RelayProcess(statusURL, app, verifier, options, isAsync: true, configure: configure)?.run()
    }
}
