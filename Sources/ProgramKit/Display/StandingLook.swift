import Bellerophon
import BellerophonBase
import TerminalUI

/// Age, origin or authentication of the current status, in words.
package enum StandingLook {
    /// How the status is authenticated: `signed by kPrK_qmx`, `not signed, plain http`.
    package static func trust(_ machine: StageMachine, _ security: TransportSecurity?, verifies: Bool) -> TextLine.Span {
        if let proof = machine.proof { return .init("signed by \(proof.keyID.prefix(8)), serial \(proof.serial)") }
        let isOpen = security == .plain && !verifies
        return .init(PlainPhrases.english.trust(security, verifies: verifies), isOpen ? Theme.warning : Theme.text)
    }

    /// What the stage is based on; nil for a recent status of this run, and before the first check has ended.
    package static func basis(_ machine: StageMachine, at now: MonotonicInstant) -> TextLine.Span? {
        let age = machine.confirmedAt.map { "\(ClockText.compact($0.duration(to: now))) old" }
        switch machine.basis {
        case .nothing:
            guard machine.stageSince != nil || machine.failures > 0 else { return nil }
            return .init("no status yet; \(words(machine.freshness.whenUnknown))", Theme.unknown)
        case .status where machine.isStale(at: now):
            return .init("! \(age ?? "old"); \(words(machine.freshness.whenUnknown))", Theme.warning)
        case .status: return nil
        case .lastRun: return .init("the last run, \(age ?? "of unknown age")", Theme.warning)
        case .bundled: return .init("the status that ships with the app", Theme.warning)
        case .policy: return .init("policy: \(words(machine.freshness.whenUnknown))", Theme.warning)
        case .dismissal: return .init("taken away by the app", Theme.warning)
        }
    }

    /// The effect of a policy, in a few words.
    package static func words(_ policy: UnknownPolicy) -> String {
        PlainPhrases.english.policies[policy] ?? ""
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
