import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import TerminalUI

/// The stage, as a diagram and in facts.
struct StatePane: PaneContent {
    let pane = Pane.state
    let slot = PaneSlot.summary
    let isFocusable = false

    func height(in room: PaneRoom, _ model: DashboardModel) -> Int { room.upper }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) { model.drawState(in: &frame, rect) }
}

extension DashboardModel {
    private static let diagramSize = Size(columns: 34, rows: 3)

    fileprivate func drawState(in frame: inout Frame, _ rect: Rect) {
        let inner = drawBox(.state, in: &frame, rect, right: screen.content.title ?? "").inset(columns: 1)
        guard inner.columns >= Self.diagramSize.columns, inner.rows >= Self.diagramSize.rows else {
            frame.write([currentLine] + factLines(columns: inner.columns).dropFirst(sinceText == nil ? 0 : 1), in: inner)
            return
        }
        let hasAir = inner.rows >= 10
        let (_, below) = inner.split(top: hasAir ? 1 : 0)
        let (diagram, rest) = below.split(top: Self.diagramSize.rows)
        let centered = diagram.centered(Self.diagramSize)
        drawDiagram(in: &frame, Point(column: centered.column, row: diagram.row))
        frame.write(factLines(columns: inner.columns), in: hasAir ? rest.split(top: 1).rest : rest)
    }

    // MARK: Diagram

    /// Draws the states and the transitions between them; the current state is highlighted.
    ///
    /// ```
    /// ○ start ───▶ ● live ◀───▶ ■ paused
    ///                ▴              ▴
    ///                └─▶ ▲ update ◀─┘
    /// ```
    private func drawDiagram(in frame: inout Frame, _ origin: Point) {
        let present = StageLook(of: service.machine)
        let isUnknown = service.machine.stage == .unknown
        let startWidth = write(isUnknown && present != .starting ? present : .start, isPresent: isUnknown, in: &frame, origin)
        let shaft = String(repeating: "─", count: max(0, 10 - startWidth)) + "▶"
        let ways: [(String, Int, Int)] = [
            (shaft, startWidth + 1, 0), ("◀───▶", 20, 0),
            ("▴", 15, 1), ("▴", 30, 1), ("└─▶", 15, 2), ("◀─┘", 28, 2),
        ]
        for (text, column, row) in ways {
            frame.write(text, at: Point(column: origin.column + column, row: origin.row + row), style: Theme.rule)
        }
        for (stage, column, row) in [(Stage.active, 13, 0), (.killed, 26, 0), (.updateRequired, 19, 2)] {
            let place = Point(column: origin.column + column, row: origin.row + row)
            write(StageLook(stage), isPresent: service.machine.stage == stage, in: &frame, place)
        }
    }

    @discardableResult
    private func write(_ look: StageLook, isPresent: Bool, in frame: inout Frame, _ point: Point) -> Int {
        let style = isPresent ? look.style.with([.bold, .reverse]) : Theme.muted
        return frame.write("\(look.glyph) \(look.word)", at: point, style: style)
    }

    // MARK: Facts

    /// The current state in words, if there is no room for the diagram.
    var currentLine: TextLine {
        let look = StageLook(of: service.machine)
        return TextLine([.init(look.badge, look.style.with(.bold)), .init(sinceText.map { "  since \($0)" } ?? "")])
    }

    /// Label and text of each fact about the current state, most important first.
    private func factLines(columns: Int) -> [TextLine] {
        var rows: [(label: String, text: TextLine.Span)] = [("since", .init(sinceText ?? "—"))]
        if let basis = StandingLook.basis(service.machine, at: screen.now) { rows.append(("based on", basis)) }
        rows += planFacts
        rows.append(("checks", freshness))
        let stream = streamFacts(columns: columns - 10)
        let failed = [(label: "failures", text: failures)]
        rows += service.stream == nil ? failed : service.machine.failures > 0 ? failed + stream : stream + failed
        rows.append(("interval", interval))
        if !simulation.isSimulated {
            rows.append(("trust", StandingLook.trust(service.machine, service.security, verifies: service.verifies)))
        }
        rows.append(("source", .init(simulation.isSimulated ? "simulated, no network" : service.source)))
        if service.stream == nil, !simulation.isSimulated { rows += stream }
        return rows.map { row in
            let label = TextLine.Span(CellText.padded(row.label, columns: 10), Theme.muted)
            return TextLine([label, .init(CellText.truncate(row.text.text, columns: max(0, columns - 10)), row.text.style)])
        }
    }

    /// Why the app may or may not run, and what changes next, if the status has rules.
    private var planFacts: [(label: String, text: TextLine.Span)] {
        guard let plan = service.machine.plan, plan.hasRules else { return [] }
        let time = planTime
        let why = plan.cause.map { TextLine.Span((plan.coveringRule.map { "\($0): " } ?? "") + $0) }
        let end = plan.until ?? (service.machine.stage == .killed ? plan.backAt : nil)
        return [
            why.map { ("why", $0) }, end.map { ("until", .init(time($0))) },
            plan.nextText(time).map { ("next", .init($0)) },
            plan.usesWallClockOnly ? ("clock", .init("! this machine's; no Date from the server", Theme.warning)) : nil,
        ].compactMap(\.self)
    }

    /// A time of the plan in words.
    var planTime: (Date) -> String {
        let now = service.machine.planDate(at: screen.now) ?? screen.date
        return { [zone = screen.timeZone] in PlanTime.text($0, now: now, in: zone) }
    }

    /// The state of the stream, and the latency of the last painted change.
    private func streamFacts(columns: Int) -> [(label: String, text: TextLine.Span)] {
        let look = StreamLook.words(service.stream, isOnly: service.machine.polling == .off, at: screen.now, columns: columns)
        let glyphs = screen.live.glyphs
        let paint = service.publishLatency.map { TextLine.Span("\(glyphs.text("publish → paint")) \(ClockText.latency($0))") }
        return [("stream", .init(glyphs.text(look.text), look.style))] + (paint.map { [("latency", $0)] } ?? [])
    }

    /// When the stage began and how long ago: `13:58:40, 3m31s ago`.
    private var sinceText: String? {
        guard let since = service.machine.stageSince else { return nil }
        let age = since.duration(to: screen.now)
        let begin =
            service.history.transitions.last { $0.transition.to == service.machine.stage }?.date
            ?? screen.date.addingTimeInterval(-age.inSeconds)
        return "\(ClockText.time(begin, in: screen.timeZone)), \(ClockText.compact(age)) ago"
    }

    /// The number of checks in this stage, and the age of the last reply: `5, last reply 6s ago`.
    private var freshness: TextLine.Span {
        guard let answered = service.machine.lastReplyAt else {
            return service.machine.stage == .unknown
                ? .init("no valid status yet", Theme.muted) : .init("none yet, from the last run", Theme.warning)
        }
        let age = answered.duration(to: screen.now)
        let when = age < .seconds(1) ? "just now" : "\(ClockText.compact(age)) ago"
        return .init("\(service.machine.attempts), last reply \(when)", service.machine.failures > 0 ? Theme.warning : Theme.text)
    }

    private var failures: TextLine.Span {
        guard let failure = service.machine.failure else { return .init("none") }
        return .init("! \(service.machine.failures), \(failure.shortText)", Theme.warning)
    }

    /// The wait that was scheduled last and its origin, or a warning if it differs from the requested one.
    private var interval: TextLine.Span {
        guard let next = service.machine.nextCheck ?? service.history.lastCheck?.next else { return .init("—") }
        if let clamp = next.clamp {
            return .init("! \(next.wait.briefText), not \(ClockText.requested(clamp.requested))", Theme.warning)
        }
        return .init(Inspection.interval(next))
    }

    /// Draws the state in two lines, for a terminal with one column. Facts that do not fit completely are omitted.
    func drawStrip(in frame: inout Frame, _ rect: Rect) {
        let inner = rect.inset(columns: 1)
        let rows: [[(label: String, text: TextLine.Span)]] = [
            [("since", .init(sinceText ?? "—"))] + planFacts.filter { $0.label == "next" }
                + [service.stream == nil ? ("interval", interval) : streamFacts(columns: 26)[0]],
            service.machine.failure == nil
                ? [("checks", freshness), ("failures", failures)] : [("failures", failures), ("checks", freshness)],
        ]
        frame.write(rows.map { Self.line(of: $0, columns: inner.columns) }, in: inner)
    }

    private static func line(of facts: [(label: String, text: TextLine.Span)], columns: Int) -> TextLine {
        facts.reduce(into: TextLine.empty) { line, fact in
            let next = line + TextLine([.init("\(line.spans.isEmpty ? "" : "   ")\(fact.label) ", Theme.muted), fact.text])
            if line.spans.isEmpty || next.width <= columns { line = next }
        }
    }
}
