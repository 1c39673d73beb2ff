import Foundation

/// The environment variables of the process.
enum Environment {
    /// Read once: `ProcessInfo` builds the table on each access, which takes as long as parsing the arguments.
    static let variables = ProcessInfo.processInfo.environment
}
