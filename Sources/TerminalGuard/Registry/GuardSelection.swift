import Foundation
import LocalControl

/// Which guards a command is for.
package enum GuardSelection: Equatable, Sendable {
    /// A process id or the name of a program. Several guards may have programs of the same name.
    case named(String)
    case all
    /// The nearest guard above this process.
    case own

    /// The guards that were meant, in order.
    /// - Parameter ancestors: the ancestors of this process, the nearest first.
    package func pick(_ guards: [GuardListing], ancestors: [Int32], mark: GuardNesting?) -> [GuardListing] {
        switch self {
        case .all: return guards
        case .named(let text):
            let numbered = guards.filter { "\($0.pid)" == text }
            return numbered.isEmpty ? guards.filter { $0.name == text } : numbered
        case .own:
            let above = ancestors.lazy.compactMap { process in guards.first { $0.pid == process } }.first
            // For a process whose parents have ended, the guard that its environment names.
            let own = above ?? guards.first { $0.pid == mark?.process && $0.state?.fingerprint == mark?.fingerprint }
            return own.map { [$0] } ?? []
        }
    }
}
