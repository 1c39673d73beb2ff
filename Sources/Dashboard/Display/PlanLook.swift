import Bellerophon
import Foundation
import ProgramKit
import TerminalUI

/// The appearance of rules: glyphs, words and colours.
enum PlanLook {
    /// Marks what the rules say.
    static let glyph = "◷"

    /// What the rules say, in a line of the event log: `min-15 holds; next 22:00, mw-1205 begins`.
    static func news(_ plan: PlanReport, _ time: (Date) -> String) -> String {
        guard plan.hasRules else { return "the status has no rules any longer" }
        let begun = (plan.coveringRule.map { ["\($0) holds"] } ?? [])
        let announced = plan.notices.map { notice in
            notice.phase == .announced ? "\(notice.rule.id) announced" : "\(notice.rule.id) holds"
        }
        let unread = plan.isUnreadable ? ["rules unreadable"] : plan.undecided.map { "\($0.label) not understood" }
        let next = plan.nextText(time).map { "next \($0)" }
        let texts = begun + announced + unread + (next.map { [$0] } ?? [])
        return texts.isEmpty ? "no rule holds" : texts.joined(separator: "; ")
    }

    /// The same for the inspector, with the reason and the notices in full.
    static func lines(_ plan: PlanReport, _ time: (Date) -> String) -> [Inspection.Line] {
        guard plan.hasRules else { return [.init("The status has no rules any longer.")] }
        let notices = plan.notices.map { Inspection.Line($0.text(time)) }
        let unread = plan.undecided.map { Inspection.Line("! \($0.label): \($0.problem)", Theme.warning) }
        let next =
            plan.nextText(time).map { Inspection.Line("next change at \($0)") }
            ?? .init("nothing changes by itself", Theme.muted)
        return [.init(plan.reason)] + notices + unread + [next]
    }

    /// A rule with its state and reason: `▲ min-15 update, holds: 1.4.0 is below 1.5.2`.
    static func line(_ outcome: RuleOutcome, _ time: (Date) -> String) -> Inspection.Line {
        let (glyph, style) = mark(outcome)
        let effect = outcome.rule.map { " \($0.effect.rawValue)," } ?? ""
        return .init(
            "\(glyph) \(outcome.label)\(effect) \(outcome.stateText(time)): \(outcome.because)",
            outcome.isPresent ? style : outcome.state == .undecided ? Theme.warning : Theme.muted)
    }

    /// What a rule does to the app now.
    static func mark(_ outcome: RuleOutcome) -> (glyph: String, style: Style) {
        switch outcome.state {
        case .holds:
            switch outcome.rule?.effect {
            case .pause: (Stage.killed.glyph, Theme.paused)
            case .update: (Stage.updateRequired.glyph, Theme.update)
            case .notice, .offer, nil: ("i", Theme.accent)
            }
        case .announced: (glyph, Theme.warning)
        case .waits: ("·", Theme.muted)
        case .over: ("✓", Theme.muted)
        case .noMatch, .exempt: ("○", Theme.muted)
        case .undecided: ("!", Theme.warning)
        }
    }
}

extension RuleOutcome {
    /// Whether the rule says something to the app now.
    var isPresent: Bool {
        switch state {
        case .holds, .announced: true
        case .waits, .over, .noMatch, .exempt, .undecided: false
        }
    }
}
