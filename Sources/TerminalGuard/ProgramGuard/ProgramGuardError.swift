/// Why a program can't be started under a guard.
///
/// The program may then go on without a guard, or end. Only after ``notStarted(_:)`` threads of the attempt may still run.
public enum ProgramGuardError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The status address can't be used. The text says what is wrong with it.
    case unusableAddress(String)
    /// Other threads run already. They would not exist in the second process.
    /// - Parameter count: the number of threads of this process, with the main thread.
    case threadsExist(_ count: Int)
    /// The synchronous form was called in a task, whose executor would not be served.
    case calledInTask
    /// The system has refused something that the guard needs. The text says what.
    case notStarted(String)

    /// The reason and what to do, in one line.
    public var description: String {
        switch self {
        case .unusableAddress(let problem): "the status URL \(problem)"
        case .threadsExist(let count):
            """
            \(count) threads run in this process: make ProgramGuard.start the first statement of main, before anything that \
            starts a thread
            """
        case .calledInTask:
            """
            ProgramGuard.start was called in a task without await: write `try await ProgramGuard.start(…)` as the first \
            statement of the async main
            """
        case .notStarted(let reason): "the program can't be started under its guard: \(reason)"
        }
    }
}
