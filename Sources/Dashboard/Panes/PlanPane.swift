import Bellerophon
import Foundation
import ProgramKit
import TerminalUI

/// Every rule of the status: what it does now, when that changes, and why.
struct PlanPane: ListPane {
    let pane = Pane.plan
    let slot = PaneSlot.right
    let isHideable = true

    func isShown(in model: DashboardModel) -> Bool { model.service.machine.plan?.hasRules == true }

    func height(in room: PaneRoom, _ model: DashboardModel) -> Int {
        min(max(model.rules.count, 1) + 2, room.isTall ? 9 : max(4, room.rows - 18))
    }

    func items(in model: DashboardModel) -> [RuleOutcome] { model.rules }

    func text(of rule: RuleOutcome, in model: DashboardModel) -> String { "\(rule.label)  \(rule.words(model.planTime))" }

    /// Inspects the status that has the rules.
    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        let status = model.service.history.events.last { if case .answer = $0.kind { true } else { false } }
        if let status { model.inspect(event: status.id) }
        return []
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let rules = model.rules
        let (right, empty) = ("\(rules.count(where: \.isPresent)) of \(rules.count)", "The rules can't be read; none counts.")
        guard let inner = drawBox(model, in: &frame, rect, right: right, empty: empty) else { return }
        let time = model.planTime
        let name = min(rules.map { CellText.width(of: $0.label) }.max() ?? 0, inner.columns / 3)
        drawRows(model, in: &frame, inner) { rule, _ in
            let (glyph, style) = PlanLook.mark(rule)
            let label = CellText.padded(rule.label, columns: name)
            return TextLine([
                .init("\(glyph) ", style.with(.bold)), .init(label, rule.isPresent ? Theme.text : Theme.muted),
                .init("  " + rule.words(time), rule.isPresent ? Theme.text : Theme.muted),
            ])
        }
    }
}

extension RuleOutcome {
    /// The place in the list; rules with a lower one stand above.
    fileprivate var rank: Int {
        switch state {
        case .holds, .announced: 0
        case .waits: 1
        case .undecided: 2
        case .noMatch, .exempt, .over: 3
        }
    }

    /// What the rule does now, and why: `holds: 1.4.0 is below 1.5.2`.
    fileprivate func words(_ time: (Date) -> String) -> String { "\(stateText(time)): \(told)" }

    /// What a notice says while it is to be seen, and why the rule does what it does otherwise; in a line.
    private var told: String {
        guard isPresent, let message = rule?.message, state != .holds || rule?.effect.isNotice == true else { return because }
        return TextSanitizer.sanitize(message, keepingNewlines: false)
    }
}

extension Rule.Effect {
    fileprivate var isNotice: Bool { self == .notice || self == .offer }
}

extension DashboardModel {
    /// What every rule of the present status does now: first those that say something to the app now, then those that will, and
    /// the others in the order of the document.
    var rules: [RuleOutcome] {
        guard let document = service.machine.document else { return [] }
        let rules = service.machine.outcomes(of: document, at: service.machine.planDate(at: screen.now))
        return rules.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    }
}
