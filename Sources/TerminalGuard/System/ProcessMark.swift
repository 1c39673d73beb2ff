internal import CPty
import Foundation

/// A mark in the environment that names one process, by its number and its start time.
///
/// The process itself writes it between fork and exec. A copy in the environment of another process does not count there.
package struct ProcessMark: Equatable, Sendable {
    /// The environment variable of the process that a ``ProgramGuard`` has started.
    package static let variable = "BELLEROPHON_SECOND"

    package let process: Int32
    /// When the process started, in a unit of the system.
    package let start: UInt64
}

extension ProcessMark {
    /// Parses the value of the variable, `PID:START`; nil for anything else.
    package init?(_ value: String) {
        let fields = value.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard fields.count == 2, let process = Self.number(fields[0]).flatMap({ Int32(exactly: $0) }), process > 0,
            let start = Self.number(fields[1])
        else { return nil }
        self.init(process: process, start: start)
    }

    /// A number in the only way in which it is written: digits without a leading zero.
    private static func number(_ digits: Substring.UTF8View) -> UInt64? {
        guard let first = digits.first, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.count == 1 || first != UInt8(ascii: "0")
        else { return nil }
        return UInt64(Substring(digits))
    }

    /// The value of the variable.
    package var value: String { "\(process):\(start)" }

    /// The mark of this process; nil if the system does not say when it started.
    package static var own: ProcessMark? {
        var start: UInt64 = 0
        return cpty_start_time(getpid(), &start) == 0 ? ProcessMark(process: getpid(), start: start) : nil
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
    package static func owner(of value: String?, own: ProcessMark?) -> Owner {
        guard let value else { return .nobody }
        guard let own, ProcessMark(value) == own else { return .another }
        return .thisProcess
    }

    /// Removes the mark from the environment of this process, so that no child inherits it.
    /// - Returns: whom it named.
    package static func remove() -> Owner {
        guard let value = getenv(variable).map({ String(cString: $0) }) else { return .nobody }
        unsetenv(variable)
        return owner(of: value, own: own)
    }
}
