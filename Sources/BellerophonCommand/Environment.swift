import Foundation

/// The variables that the process was started with.
enum Environment {
    /// Read once: `ProcessInfo` makes the table anew each time, which takes as long as parsing the arguments.
    static let variables = ProcessInfo.processInfo.environment
}
