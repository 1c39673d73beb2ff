internal import CPty
import Foundation

/// A mark in the environment that names one process, by its number and its start time: `PID:START`.
///
/// The process itself writes it between fork and exec. A copy in the environment of another process does not count there.
package enum ProcessMark {
    /// The environment variable of the process that a ``ProgramGuard`` has started.
    package static let variable = "BELLEROPHON_SECOND"

    /// The mark of this process; nil if the system does not say when it started.
    package static var own: String? {
        var start: UInt64 = 0
        return cpty_start_time(getpid(), &start) == 0 ? "\(getpid()):\(start)" : nil
    }

    /// Whom the mark in an environment names.
    package enum Owner: Equatable, Sendable {
        /// There is no mark.
        case nobody
        /// The mark names the process that has found it.
        case thisProcess
        /// The mark names another process, or none.
        case another
    }

    /// Whom the value of the variable names, for the process with the mark `own`.
    package static func owner(of value: String?, own: String?) -> Owner {
        guard let value else { return .nobody }
        return value == own ? .thisProcess : .another
    }

    /// Removes the mark from the environment of this process, so that no child inherits it.
    /// - Returns: whom it named.
    package static func remove() -> Owner {
        guard let value = getenv(variable).map({ String(cString: $0) }) else { return .nobody }
        unsetenv(variable)
        return owner(of: value, own: own)
    }
}
