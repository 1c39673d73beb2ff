import Bellerophon
import BellerophonBase
import ProgramKit
import TerminalUI

extension DashboardModel {
    func drawLatency(in frame: inout Frame, _ rect: Rect) {
        let failed = history.samples.count { $0 == .failed }
        let answered = history.samples.count - failed
        let right = history.samples.isEmpty ? "" : "\(answered) ok  \(failed) failed"
        let inner = drawBox(.latency, in: &frame, rect, right: right)
        if history.samples.isEmpty { return drawEmpty("Every check leaves a mark here.", in: &frame, inner) }
        let (chart, foot) = inner.inset(columns: 1).split(bottom: 1)
        drawChart(in: &frame, chart)
        frame.write(statisticsLine, in: foot)
    }

    private var statisticsLine: TextLine {
        guard let statistics = LatencyStatistics(history.samples) else { return TextLine("no reply yet", Theme.warning) }
        let facts = [("p50", statistics.median), ("p95", statistics.p95), ("max", statistics.maximum)]
        return TextLine(
            facts.enumerated().flatMap { index, fact in
                [
                    TextLine.Span("\(index == 0 ? "" : "  ")\(fact.0) ", Theme.muted),
                    TextLine.Span(ClockText.latency(fact.1)),
                ]
            }
        )
    }

    private var values: [Double?] {
        history.samples.map { sample in
            if case .answered(let latency) = sample { latency.inSeconds } else { nil }
        }
    }

    /// Draws a sparkline in one row, or a bar chart in several, with the newest sample on the right.
    private func drawChart(in frame: inout Frame, _ rect: Rect) {
        guard rect.rows > 1 else { return frame.sparkline(values, in: rect) }
        let shown = values.suffix(rect.columns)
        let highest = max(shown.compactMap(\.self).max() ?? 0, 0.001)
        for (offset, value) in shown.enumerated() {
            let column = Rect(column: rect.column + offset, row: rect.row, columns: 1, rows: rect.rows)
            if let value {
                drawBar(share: value / highest, in: &frame, column)
            } else {
                frame.write("×", at: Point(column: column.column, row: rect.endRow - 1), style: Theme.paused)
            }
        }
    }

    /// Draws a bar upwards from the rectangle's last row, at least an eighth of a row high.
    private func drawBar(share: Double, in frame: inout Frame, _ rect: Rect) {
        var eighths = max(1, Int((min(max(share, 0), 1) * Double(rect.rows * 8)).rounded()))
        var row = rect.endRow - 1
        while eighths > 0, row >= rect.row {
            let glyph = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][min(eighths, 8) - 1]
            frame.write(glyph, at: Point(column: rect.column, row: row), style: Theme.accent)
            eighths -= 8
            row -= 1
        }
    }
}
