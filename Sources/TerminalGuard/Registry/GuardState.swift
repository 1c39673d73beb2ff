import Foundation

/// The state of a guard, as it replies it to other processes of this machine.
package struct GuardState: Codable, Equatable, Sendable {
    /// The guarded program.
    package struct Program: Codable, Equatable, Sendable {
        /// The last part of the program's path.
        package var name: String
        package var arguments: [String]
        /// `notStarted`, `running`, `paused` (by the status or a stop), `stopped` (by somebody else), `ending` or `ended`.
        package var state: String
    }

    /// The stop on this machine.
    package struct Stop: Codable, Equatable, Sendable {
        package var by: String
        package var reason: String?
        package var since: Date
        /// Whether a process of the guarded program has asked for it.
        package var fromInside: Bool
    }

    /// Who blocks the program.
    package enum Blocker: String, Codable, Sendable {
        case server, local
    }

    package var pid: Int32
    /// The user of the guard.
    package var user: String
    package var program: Program
    /// The version of the program; nil if it is not known.
    package var version: String?
    /// What the version was taken from, such as `dpkg-query`; nil if it was stated.
    package var versionFrom: String?
    /// When the guard was started.
    package var started: Date
    /// Whether the program has a terminal that can be covered.
    package var terminal: Bool
    package var stage: String
    package var blockedBy: [Blocker]
    package var localStop: Stop?
    /// The seconds since the status was last confirmed; nil if no status is known.
    package var statusAge: Double?
    /// Whether the status is older than it should be.
    package var stale: Bool
    /// The host of the status.
    package var server: String
    /// Whether the last check has reached the server and given a valid status; nil before the first one.
    package var reachable: Bool?
    /// Why the last check has failed.
    package var problem: String?
    package var simulated: Bool
    package var tree: TreeSummary
    /// The fingerprint of the settings that decide which status counts (`GuardNesting`).
    package var fingerprint: String

    /// What `guard ps` judges.
    package enum Health: String, Codable, Sendable {
        case ok
        /// The last check has failed.
        case blind
        /// The status is older than it should be.
        case stale
        /// The guard does not reply.
        case notResponding
    }

    package var health: Health { problem != nil || reachable == false ? .blind : stale ? .stale : .ok }
}
