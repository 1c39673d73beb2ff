public import Foundation

/// Why a ``KillSwitch`` cannot start. Each description is one line that states a remedy.
public enum KillSwitchError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The address of the status is not an `http` or `https` address with a host. The text says what is missing.
    case unusableAddress(String)
    /// The program has not opened its ncurses screen yet.
    case noScreen
    /// Neither standard output nor standard error is a terminal.
    case noTerminal

    /// One line that states the problem and a remedy.
    public var description: String {
        switch self {
        case .unusableAddress(let problem): "the status URL \(problem)"
        case .noScreen: "there is no ncurses screen; call initscr() or newterm() before KillSwitch.start"
        case .noTerminal: "standard output and standard error are files or pipes; run the program in a terminal window"
        }
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
