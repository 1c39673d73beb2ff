import Foundation
import LocalControl

/// A request to a guard: one line of JSON.
///
/// ```text
/// {"command":"state"}
/// {"command":"stop","reason":"it deletes the wrong files"}
/// {"command":"continue"}
/// ```
package struct GuardRequest: GuardLine, Equatable, Sendable {
    enum Command: String, Codable, Sendable { case state, stop, release = "continue" }

    let command: Command
    var reason: String?
    /// Who has asked, if root asks for another user.
    var person: String?

    package static let state = GuardRequest(command: .state)

    /// Pauses the program.
    package static func stop(reason: String?, person: String?) -> GuardRequest {
        GuardRequest(command: .stop, reason: reason, person: person)
    }

    /// Releases a stop on this machine.
    package static func release(person: String?) -> GuardRequest { GuardRequest(command: .release, person: person) }
}

/// What is exchanged with a guard: a line of JSON.
package protocol GuardLine: Codable {}

extension GuardLine {
    /// Parses a line; nil if it is of another kind.
    package init?(line: String) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let value = try? decoder.decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = value
    }

    /// The line, without its terminator.
    package var line: String { WireLine.text(self) }
}

/// What a guard has done.
package enum GuardOutcome: String, Codable, Sendable {
    /// Only the state was asked for.
    case reported
    /// The program is stopped on this machine from now on.
    case stopped
    /// It was stopped before.
    case alreadyStopped
    /// The stop is released.
    case released
    /// There was no stop on this machine.
    case notStopped
    /// The guard refuses: a process of the guarded program can't release its own stop, and only root releases a stop by root.
    case notPermitted
}

/// The reply of a guard: one line of JSON.
package struct GuardReply: GuardLine, Equatable, Sendable {
    package var ok: Bool
    /// Why the request was refused, in one sentence.
    package var error: String?
    package var outcome: GuardOutcome?
    /// The state after the request.
    package var state: GuardState?

    static func refused(_ reason: String, _ outcome: GuardOutcome? = nil, _ state: GuardState? = nil) -> GuardReply {
        GuardReply(ok: false, error: reason, outcome: outcome, state: state)
    }
}
