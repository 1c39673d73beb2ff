import Foundation

/// What a test of `withKillSwitch` replaces.
struct LineSeams: Sendable {
    var clock: any ManagerClock = DispatchClock()
    /// Writes a line for the person at the terminal or for the log.
    var say: @Sendable (String) -> Void = LineOutput.standardError()
    /// Whether a person reads the lines. Otherwise no notices are told.
    var hasReader = isatty(STDERR_FILENO) == 1
    /// Ends the process with this status after calling the closure, which saves the last status. Returns only in a test.
    var end: @Sendable (Int32, @Sendable () -> Void) -> Void = { ProcessEnd.end(with: $0, after: $1) }
    /// Keeps the last status; nil for the file that the options describe.
    var store: (any StatusStore)?
}
