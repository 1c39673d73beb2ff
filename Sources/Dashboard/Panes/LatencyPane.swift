import Bellerophon
import BellerophonBase
import TerminalUI

/// How long the last checks took, as a chart.
struct LatencyPane: PaneContent {
    let pane = Pane.latency
    let slot = PaneSlot.left
    let isFocusable = false
    let isHideable = true

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let samples = model.service.history.samples
        let failed = samples.count { $0 == nil }
        let right = samples.isEmpty ? "" : "\(samples.count - failed) ok  \(failed) failed"
        let inner = model.drawBox(pane, in: &frame, rect, right: right)
        if samples.isEmpty { return model.drawEmpty("Every check leaves a mark here.", in: &frame, inner) }
        let (chart, foot) = inner.inset(columns: 1).split(bottom: 1)
        drawChart(samples, in: &frame, chart)
        frame.write(Self.statisticsLine(samples), in: foot)
    }

    private static func statisticsLine(_ samples: [Duration?]) -> TextLine {
        let facts = [("p50", 50), ("p95", 95), ("max", 100)].compactMap { name, percent in
            percentile(percent, of: samples).map { (name, $0) }
        }
        guard !facts.isEmpty else { return TextLine("no reply yet", Theme.warning) }
        return TextLine(
            facts.enumerated().flatMap { index, fact in
                [
                    TextLine.Span("\(index == 0 ? "" : "  ")\(fact.0) ", Theme.muted),
                    TextLine.Span(ClockText.latency(fact.1)),
                ]
            }
        )
    }

    /// A percentile of the latencies of answered checks, by the nearest-rank method; nil if no check was answered.
    static func percentile(_ percent: Int, of samples: [Duration?]) -> Duration? {
        let sorted = samples.compactMap(\.self).sorted()
        return sorted.isEmpty ? nil : sorted[(percent * sorted.count + 99) / 100 - 1]
    }

    /// Draws a sparkline in one row, or a bar chart in several, with the newest sample on the right.
    private func drawChart(_ samples: [Duration?], in frame: inout Frame, _ rect: Rect) {
        let values: [Double?] = samples.map { $0?.inSeconds }
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
