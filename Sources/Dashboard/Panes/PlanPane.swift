import Bellerophon
import ProgramKit
import TerminalUI

extension Pane {
    static let plan = Pane("plan")
}

/// Every rule of the status: what it does now, when that changes, and why.
struct PlanPane: PaneContent {
    let pane = Pane.plan
    let slot = PaneSlot.right
    let isHideable = true

    func isShown(in model: DashboardModel) -> Bool { model.service.machine.plan?.hasRules == true }

    func height(in room: PaneRoom, _ model: DashboardModel) -> Int {
        min(max(count(in: model), 1) + 2, room.isTall ? 9 : max(4, room.rows - 18))
    }

    func count(in model: DashboardModel) -> Int { model.rules.count }

    /// Inspects the status that has the rules.
    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        let status = model.service.history.events.last { if case .answer = $0.kind { true } else { false } }
        model.view.filter.clear()
        let events = model.shownEvents.map(\.id)
        guard let row = events.firstIndex(where: { $0 == status?.id }) else { return [] }
        model.view[.events].record.select(row, in: events)
        model.view.focus = .events
        model.inspect()
        return []
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let rules = model.rules
        let present = rules.count(where: \.isPresent)
        let inner = model.drawBox(pane, in: &frame, rect, right: "\(present) of \(rules.count)")
        if rules.isEmpty { return model.drawEmpty("The rules can't be read; none counts.", in: &frame, inner) }
        let time = model.planTime
        let name = min(rules.map { CellText.width(of: $0.label) }.max() ?? 0, inner.columns / 3)
        drawRows(model, count: rules.count, selected: selected(in: model), in: &frame, inner) { row in
            let rule = rules[row]
            let (glyph, style) = PlanLook.mark(rule)
            let label = CellText.padded(CellText.truncate(rule.label, columns: name), columns: name)
            let words = "\(rule.stateText(time)): \(rule.told)"
            return TextLine([
                .init("\(glyph) ", style.with(.bold)), .init(label, rule.isPresent ? Theme.text : Theme.muted),
                .init("  " + words, rule.isPresent ? Theme.text : Theme.muted),
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

    /// What a notice says while it is to be seen, and why the rule does what it does otherwise; in a line.
    fileprivate var told: String {
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
