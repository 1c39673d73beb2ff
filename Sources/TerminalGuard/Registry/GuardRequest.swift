import Foundation
import LocalControl

/// A request to a guard: one line of JSON.
///
/// ```text
/// {"command":"state"}
/// {"command":"stop","reason":"it deletes the wrong files"}
/// {"command":"continue"}
/// ```
package enum GuardRequest: Equatable, Sendable {
    case state
    /// Pauses the program. `person`: who has asked, if root asks for another user.
    case stop(reason: String?, person: String?)
    /// Releases a stop on this machine.
    case release(person: String?)

    private struct Wire: Codable {
        var command: String
        var reason: String?
        var person: String?
    }

    /// Parses a line; nil if it is no request.
    package init?(line: String) {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(line.utf8)) else { return nil }
        switch wire.command {
        case "state": self = .state
        case "stop": self = .stop(reason: wire.reason, person: wire.person)
        case "continue": self = .release(person: wire.person)
        default: return nil
        }
    }

    /// The request as a line, without its terminator.
    package var line: String {
        switch self {
        case .state: WireLine.text(Wire(command: "state"))
        case .stop(let reason, let person): WireLine.text(Wire(command: "stop", reason: reason, person: person))
        case .release(let person): WireLine.text(Wire(command: "continue", person: person))
        }
    }
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
package struct GuardReply: Codable, Equatable, Sendable {
    package var ok: Bool
    /// Why the request was refused, in one sentence.
    package var error: String?
    package var outcome: GuardOutcome?
    /// The state after the request.
    package var state: GuardState?

    static func refused(_ reason: String, _ outcome: GuardOutcome? = nil, _ state: GuardState? = nil) -> GuardReply {
        GuardReply(ok: false, error: reason, outcome: outcome, state: state)
    }

    /// Parses a line; nil if it is no reply.
    package init?(line: String) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let reply = try? decoder.decode(GuardReply.self, from: Data(line.utf8)) else { return nil }
        self = reply
    }

    init(ok: Bool, error: String? = nil, outcome: GuardOutcome? = nil, state: GuardState? = nil) {
        (self.ok, self.error, self.outcome, self.state) = (ok, error, outcome, state)
    }

    /// The reply as a line, without its terminator.
    package var line: String { WireLine.text(self) }
}
