public import Foundation

/// Runs the body of a program without a screen under a kill switch. A kill or a required update ends the process.
///
/// ```swift
/// try await withKillSwitch(statusURL: url, onKill: { _ in await job.save() }) {
///     try await job.run()
/// }
/// ```
/// Before the body starts, the status of the last run and a first check decide. If the status blocks the program, one line on
/// standard error says so, and the process ends with ``LineOptions/exitStatus``; neither `onKill` nor the body is called. If no
/// status has arrived after ``LineOptions/startTimeout``, or the first check has failed, the last known status applies; without
/// one the body starts, unless ``LineOptions/freshness`` says otherwise.
///
/// While the body runs, a status that blocks the program has these effects, in this order:
/// 1. One line on standard error says what the status says.
/// 2. `onKill` is called. The body continues meanwhile, so it finds the state of the program as it is.
/// 3. The task of the body is cancelled. The caller's task is not.
/// 4. The process ends with the exit status when the body has ended, and in any case when ``LineOptions/grace`` has passed since
///    the kill: output of stdio is written, and handlers of `atexit` are called.
///
/// A kill is final: if the status clears within the grace period, the process still ends. A body that ends by itself before a kill
/// returns its result, and no later status has an effect.
///
/// The body keeps the isolation of the caller. It must not block its thread for long; for such work use the form whose body takes a
/// ``KillSignal``. Checks need neither a terminal nor the main queue.
/// - Parameters:
///   - statusURL: the `http` or `https` address of the status document. If the server names a stream, it is used too.
///   - app: the program's name, version and update information. The name is also the name of the folder of the stored status, in
///     `$XDG_STATE_HOME` or `~/.local/state`.
///   - options: how the status is checked, and how the process ends.
///   - onKill: saves what must not be lost. It may be called while the body runs, on another thread, and is called at most once.
///   - isolation: the isolation of the caller.
///   - body: the work of the program. It runs in a task of its own, which is cancelled with the caller's task.
/// - Returns: what the body returns.
/// - Throws: ``StatusAddressError`` before anything starts, what the body throws, or `CancellationError` if the caller was cancelled
///   before the body started.
public func withKillSwitch<Value>(
    statusURL: URL, app: AppInfo = .current, options: LineOptions = LineOptions(),
    onKill: @escaping @Sendable (KillNotice) async -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation,
    body: () async throws -> Value
) async throws -> Value {
    let run = try LineRun(statusURL, app, options, killHandler: LineRun.killHandler(onKill))
    return try await run.run(body, isolation: isolation)
}

/// Runs the body of a synchronous program without a screen under a kill switch, on the calling thread. A kill or a required
/// update ends the process.
///
/// ```swift
/// func convertLines() throws {
///     try withKillSwitch(statusURL: url, onKill: { _ in journal.save() }) { signal in
///         while let line = readLine(), !signal.isKilled { print(convert(line)) }
///     }
/// }
/// ```
/// It does the same as the asynchronous form, but a body that is not asynchronous can't be cancelled. Step 3 sets
/// ``KillSignal/isKilled``; a body that does not look at it, for example because a system call blocks it, is ended when
/// ``LineOptions/grace`` has passed. The start blocks the calling thread for at most ``LineOptions/startTimeout``.
///
/// It may be called on any thread, also on the main thread of a program that never serves its main queue.
/// - Parameters:
///   - statusURL: the `http` or `https` address of the status document. If the server names a stream, it is used too.
///   - app: the program's name, version and update information. The name is also the name of the folder of the stored status, in
///     `$XDG_STATE_HOME` or `~/.local/state`.
///   - options: how the status is checked, and how the process ends.
///   - onKill: saves what must not be lost. It is called at most once, on another thread, while the body runs.
///   - body: the work of the program.
/// - Returns: what the body returns.
/// - Throws: ``StatusAddressError`` before anything starts, or what the body throws.
@available(*, noasync, message: "use the form with an asynchronous body: its start does not block the thread")
public func withKillSwitch<Value>(
    statusURL: URL, app: AppInfo = .current, options: LineOptions = LineOptions(),
    onKill: @escaping @Sendable (KillNotice) -> Void = { _ in },
    body: (KillSignal) throws -> Value
) throws -> Value {
    let run = try LineRun(statusURL, app, options, killHandler: LineRun.killHandler(onKill))
    return try run.run(body)
}

/// The address of a status is not an `http` or `https` address with a host.
public struct StatusAddressError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// One line that states the problem and a remedy.
    public let description: String

    /// - Parameter problem: as ``StatusAddress/problem(of:)`` describes it.
    init(_ problem: String) {
        description = "the status URL \(problem)"
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
