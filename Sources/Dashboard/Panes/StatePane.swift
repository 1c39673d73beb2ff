import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import TerminalUI

extension DashboardModel {
    private static let diagramSize = Size(columns: 34, rows: 3)

    func drawState(in frame: inout Frame, _ rect: Rect) {
        let inner = drawBox(.state, in: &frame, rect, right: content.title ?? "").inset(columns: 1)
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
        let present = StageLook(of: machine)
        let start = machine.stage == .unknown ? present : StageLook(glyph: "○", word: "start", style: Theme.muted)
        let startWidth = write(
            StageLook(glyph: start.glyph, word: start == .starting ? "start" : start.word, style: start.style),
            isPresent: machine.stage == .unknown, in: &frame, origin)
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
            write(StageLook(stage), isPresent: machine.stage == stage, in: &frame, place)
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
        let look = StageLook(of: machine)
        return TextLine([.init(look.badge, look.style.with(.bold)), .init(sinceText.map { "  since \($0)" } ?? "")])
    }

    /// Label and text of each fact about the current state, most important first.
    private func factLines(columns: Int) -> [TextLine] {
        var rows: [(label: String, text: TextLine.Span)] = [("since", .init(sinceText ?? "—"))]
        if let basis = StandingLook.basis(machine, at: now) { rows.append(("based on", .init(basis.words, basis.style))) }
        rows.append(("checks", freshness))
        if stream == nil || machine.failures > 0 { rows.append(("failures", failures)) }
        if stream != nil { rows += streamFacts(columns: columns - 10) }
        if stream != nil, machine.failures == 0 { rows.append(("failures", failures)) }
        rows.append(("interval", interval))
        if !isSimulated {
            let trust = StandingLook.trust(machine, security, verifies: verifies)
            rows.append(("trust", .init(trust.words, trust.style)))
        }
        rows.append(("source", .init(isSimulated ? "simulated, no network" : source)))
        if stream == nil, !isSimulated { rows += streamFacts(columns: columns - 10) }
        return rows.map { row in
            let label = TextLine.Span(CellText.padded(row.label, columns: 10), Theme.muted)
            return TextLine([label, .init(CellText.truncate(row.text.text, columns: max(0, columns - 10)), row.text.style)])
        }
    }

    /// The state of the stream, and the latency of the last painted change.
    private func streamFacts(columns: Int) -> [(label: String, text: TextLine.Span)] {
        let look = StreamLook(stream, isOnly: machine.polling == .off, at: now, columns: columns)
        let paint = publishLatency.map { TextLine.Span("publish → paint \(ClockText.latency($0))") }
        return [("stream", .init(look.words, look.style))] + (paint.map { [("latency", $0)] } ?? [])
    }

    /// When the stage began and how long ago: `13:58:40, 3m31s ago`.
    private var sinceText: String? {
        guard let since = machine.stageSince else { return nil }
        let age = since.duration(to: now)
        let begin =
            history.transitions.last { $0.transition.to == machine.stage }?.date
            ?? date.addingTimeInterval(-age.inSeconds)
        return "\(ClockText.time(begin, in: timeZone)), \(ClockText.compact(age)) ago"
    }

    /// The number of checks in this stage, and the age of the last reply: `5, last reply 6s ago`.
    private var freshness: TextLine.Span {
        guard let answered = machine.lastReplyAt else {
            return machine.stage == .unknown
                ? .init("no valid status yet", Theme.muted) : .init("none yet, from the last run", Theme.warning)
        }
        let age = answered.duration(to: now)
        let when = age < .seconds(1) ? "just now" : "\(ClockText.compact(age)) ago"
        return .init("\(machine.attempts), last reply \(when)", machine.failures > 0 ? Theme.warning : Theme.text)
    }

    private var failures: TextLine.Span {
        guard let failure = machine.failure else { return .init("none") }
        return .init("! \(machine.failures), \(failure.shortText)", Theme.warning)
    }

    /// The wait that was scheduled last and its origin, or a warning if it differs from the requested one.
    private var interval: TextLine.Span {
        guard let next = machine.nextCheck ?? history.lastCheck?.next else { return .init("—") }
        if let clamp = next.clamp {
            return .init("! \(next.wait.briefText), not \(ClockText.requested(clamp.requested))", Theme.warning)
        }
        return .init(Inspection.interval(next))
    }

    /// Draws the state in two lines, for a terminal with one column. Facts that do not fit completely are omitted.
    func drawStrip(in frame: inout Frame, _ rect: Rect) {
        let inner = rect.inset(columns: 1)
        let rows: [[(label: String, text: TextLine.Span)]] = [
            [("since", .init(sinceText ?? "—")), stream == nil ? ("interval", interval) : streamFacts(columns: 26)[0]],
            machine.failure == nil
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
