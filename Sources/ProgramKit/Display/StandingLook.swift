import Bellerophon
import BellerophonBase
import TerminalUI

/// Age, origin or authentication of the current status, in words.
package struct StandingLook: Equatable {
    package let words: String
    package let style: Style

    /// How the status is authenticated: `signed by kPrK_qmx`, `not signed, plain http`.
    package static func trust(_ machine: StageMachine, _ security: TransportSecurity?, verifies: Bool) -> StandingLook {
        if let proof = machine.proof {
            return StandingLook(words: "signed by \(proof.keyID.prefix(8)), serial \(proof.serial)", style: Theme.text)
        }
        if verifies { return StandingLook(words: "signed statuses only", style: Theme.text) }
        switch security {
        case .plain: return StandingLook(words: "! not signed, plain http", style: Theme.warning)
        case .encrypted: return StandingLook(words: "TLS, not signed", style: Theme.text)
        case .loopback: return StandingLook(words: "this machine, not signed", style: Theme.text)
        case nil: return StandingLook(words: "not signed", style: Theme.text)
        }
    }

    /// What the stage is based on; nil for a recent status of this run, and before the first check has ended.
    package static func basis(_ machine: StageMachine, at now: MonotonicInstant) -> StandingLook? {
        let age = machine.confirmedAt.map { "\(ClockText.compact($0.duration(to: now))) old" }
        switch machine.basis {
        case .nothing:
            guard machine.stageSince != nil || machine.failures > 0 else { return nil }
            return StandingLook(words: "no status yet; \(words(machine.freshness.whenUnknown))", style: Theme.unknown)
        case .status where machine.isStale(at: now):
            return StandingLook(words: "! \(age ?? "old"); \(words(machine.freshness.whenUnknown))", style: Theme.warning)
        case .status: return nil
        case .lastRun: return StandingLook(words: "the last run, \(age ?? "of unknown age")", style: Theme.warning)
        case .bundled: return StandingLook(words: "the status that ships with the app", style: Theme.warning)
        case .policy: return StandingLook(words: "policy: \(words(machine.freshness.whenUnknown))", style: Theme.warning)
        case .dismissal: return StandingLook(words: "taken away by the app", style: Theme.warning)
        }
    }

    /// The effect of a policy, in a few words.
    package static func words(_ policy: UnknownPolicy) -> String {
        switch policy {
        case .stay: "state unchanged"
        case .open: "app runs"
        case .closed: "app closed"
        }
    }

    package static func explanation(_ age: Duration, _ policy: UnknownPolicy) -> String {
        let rule =
            switch policy {
            case .stay: "The configuration keeps the state as it was (status.whenUnknown: stay)."
            case .open: "The configuration lets the app run (status.whenUnknown: open)."
            case .closed: "The configuration closes the app (status.whenUnknown: closed)."
            }
        return "No valid status has come for \(age.briefText), longer than one may be relied on (status.maximumAge). \(rule) "
            + "The next valid status decides again."
    }
}
