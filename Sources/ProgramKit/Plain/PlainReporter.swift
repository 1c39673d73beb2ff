import Bellerophon
import BellerophonBase
import TerminalUI

/// Selects what a program without a screen reports. A pure value.
///
/// Every change of the stage or the message is reported. Of checks that fail one after the other for the same reason, only the
/// first is, so that a long outage does not fill a log. The end of a check that a person has asked for is always reported.
package struct PlainReporter: Sendable {
    private var lastFailure: String?
    private var failures = 0
    private var streamIsOpen = false
    /// What was last said of the rules.
    private var told = PlanReport.News(nil)
    /// The stage that was last reported.
    private var stage = Stage.unknown
    /// Whether a person waits for the end of a check.
    private var isAwaited = false

    /// The notices that were told and are not over, without the present time.
    private var notices: [OverlayNotice] = []

    private let phrases: PlainPhrases

    /// - Parameter phrases: the words of what it says itself.
    package init(_ phrases: PlainPhrases = PlainPhrases(.english)) { self.phrases = phrases }

    /// The notices that have begun or are over since the last call. One that was announced and now holds begins again.
    /// - Parameter counting: all that count for the person now.
    package mutating func events(for counting: [OverlayNotice]) -> [PlainEvent] {
        let ended = notices.filter { told in !counting.contains { $0.rule.id == told.rule.id } }
        let begun = counting.filter { notice in
            !notices.contains { $0.rule.id == notice.rule.id && $0.phase == notice.phase }
        }
        notices = counting
        for index in notices.indices { notices[index].date = nil }
        return ended.map { .noticeEnded($0.rule.id, $0.texts[0]) } + begun.map { .noticeBegan($0.rule.id, $0.texts[0]) }
    }

    /// A person has asked for a check. Its end is reported, also if nothing has changed.
    package mutating func awaitCheck() { isAwaited = true }

    /// The events of a report.
    /// - Parameters:
    ///   - machine: the stage machine after the report.
    ///   - content: what a view would show.
    ///   - actions: what the person can do at this stage.
    package mutating func events(
        for report: StatusReport, _ machine: StageMachine, _ content: OverlayContent, actions: [PlainAction]
    ) -> [PlainEvent] {
        switch report {
        case .stageChanged(let transition):
            stage = transition.to
            // What covers the program is told at once, with the rest of the plan.
            if transition.to.isBlocked { told = PlanReport.News(content.plan) }
            let details = transition.to.isBlocked ? PlainEvent.Details(content, actions: actions) : .init(plan: content.plan)
            return [.transition(transition, details)]
        case .planChanged(let plan): return planChanged(plan)
        case .messageChanged: return machine.stage == .active ? [] : [.message(content.message)]
        case .checkFailed(_, let error): return failed(error, machine)
        case .pushFailed(let error): return failed(error, machine)
        case .checkSucceeded, .pushed: return recovered() + unchanged(machine)
        case .stale(let age, let policy):
            return [.remark(phrases.stale.with(["age": age.briefText, "effect": phrases.policies[policy] ?? ""]))]
        case .stream(let report): return stream(report)
        case .remark(let text): return [.remark(text)]
        case .intervalClamped(let clamp):
            let values: KeyValuePairs = ["requested": ClockText.requested(clamp.requested), "used": clamp.used.briefText]
            return [.remark(phrases.clamped.with(values))]
        case .checkStarted, .replyOutdated, .pushOutdated, .checkAlreadyPending, .replyDropped, .scheduled: return []
        }
    }

    private mutating func planChanged(_ plan: PlanReport) -> [PlainEvent] {
        let news = PlanReport.News(plan)
        guard news != told else { return [] }
        told = news
        return [.plan(plan)]
    }

    private mutating func failed(_ error: StatusError, _ machine: StageMachine) -> [PlainEvent] {
        failures += 1
        let reason = phrases.views.words(for: error)
        guard reason != lastFailure || isAwaited else { return [] }
        (lastFailure, isAwaited) = (reason, false)
        return [.failed(reason, kept: machine.stage, next: machine.nextCheck?.wait)]
    }

    /// Says that the stage is the same after a check that was awaited. A change is reported by itself.
    private mutating func unchanged(_ machine: StageMachine) -> [PlainEvent] {
        defer { isAwaited = false }
        return isAwaited && machine.stage == stage ? [.notice(phrases.stillText(stage))] : []
    }

    private mutating func recovered() -> [PlainEvent] {
        guard failures > 0 else { return [] }
        defer { (failures, lastFailure) = (0, nil) }
        return [.recovered(failures: failures)]
    }

    private mutating func stream(_ report: StreamReport) -> [PlainEvent] {
        switch report {
        case .opened where !streamIsOpen:
            streamIsOpen = true
            return [.stream(phrases.streamOpen)]
        case .closed(let error, _) where streamIsOpen:
            streamIsOpen = false
            let reason = phrases.views == .english ? error.shortText : phrases.views.words(for: error)
            return [.stream(phrases.streamClosed.with(["reason": reason]))]
        case .opened, .closed, .connecting, .retryScheduled, .event: return []
        }
    }
}
