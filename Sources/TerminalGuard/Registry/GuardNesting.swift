import BellerophonBase

/// The mark in the environment of a guarded program. A guard that is started below it with the same settings does not cover
/// the screen a second time.
///
/// The variable leaks into programs that outlive the guard, such as a tmux server, and anybody can set it. Therefore it counts only
/// if the process that it names is a living ancestor, and replies as a guard of this user with these settings
/// (``GuardRegistry/hasGuard(among:fingerprint:within:)``).
package struct GuardNesting: Equatable, Sendable {
    /// The environment variable.
    package static let variable = "BELLEROPHON_GUARD"

    /// The process of the guard.
    package let process: Int32
    /// The fingerprint of the settings that decide which status counts: 1 to 16 lowercase hexadecimal digits.
    package let fingerprint: String

    package init(process: Int32, fingerprint: String) {
        self.process = process
        self.fingerprint = fingerprint
    }

    /// Parses the value of the variable, `PID:FINGERPRINT`; nil for anything else.
    package init?(_ value: String) {
        guard let match = value.wholeMatch(of: /([1-9][0-9]*):([0-9a-f]{1,16})/), let process = Int32(match.1) else { return nil }
        self.init(process: process, fingerprint: String(match.2))
    }

    /// The value of the variable.
    package var value: String { "\(process):\(fingerprint)" }

    /// The fingerprint of what decides which status counts. The order of the keys does not matter.
    /// - Parameters:
    ///   - trustKeys: the public keys; empty if unsigned statuses are accepted.
    ///   - audience: whom a signed status must be for; nil without keys.
    package static func fingerprint(statusURL: String, trustKeys: [String], audience: String?) -> String {
        ([statusURL, audience ?? ""] + Set(trustKeys).sorted()).joined(separator: "\n").fingerprint
    }

    /// Whether a guard with the same fingerprint runs above this process.
    /// - Parameters:
    ///   - isAncestor: whether a process is a living ancestor of this one.
    ///   - isGuard: whether a process is a guard with these settings. It is asked last, because it may take a moment.
    package static func isNested(
        environment: [String: String], isAncestor: (_ process: Int32) -> Bool, isGuard: (_ process: Int32) -> Bool,
        fingerprint: String
    ) -> Bool {
        guard let value = environment[variable], let outer = GuardNesting(value) else { return false }
        return outer.fingerprint == fingerprint && isAncestor(outer.process) && isGuard(outer.process)
    }
}
