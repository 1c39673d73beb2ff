import Bellerophon
import BellerophonCurses
import ProgramKit
import ScenarioKit
import TerminalUI

extension DashboardModel {
    /// The whole dashboard, including the picker and the caption, for a terminal size.
    package func frame(size: Size) -> Frame {
        let below = captionRows(size)
        var frame = Frame(Size(columns: size.columns, rows: size.rows - below))
        frame.glyphs = screen.live.glyphs
        let layout = layout(frame.size)
        if layout.form == .line {
            drawLine(in: &frame)
        } else {
            listsServices ? drawServiceHeader(in: &frame, layout.header) : drawHeader(in: &frame, layout.header)
            drawNotice(in: &frame, layout)
            drawBody(in: &frame, layout)
            drawFooter(in: &frame, layout.footer)
        }
        if let palette = screen.palette {
            frame.restyle(frame.bounds) { $0 = $0.with(.dim) }
            palette.draw(in: &frame)
        }
        if hasPicker {
            frame.restyle(frame.bounds) { $0 = $0.with(.dim) }
            frame.cursor = nil
            drawPicker(in: &frame)
        }
        guard below > 0 else { return frame }
        var whole = frame.extended(by: below)
        drawCaption(in: &whole, whole.bounds.split(top: frame.size.rows).rest)
        return whole
    }

    /// Draws only the picker, over the frame's content; draws nothing while it is closed.
    package func drawPicker(in frame: inout Frame) {
        if hasPicker { PickerLayout(self, size: frame.size).draw(self, in: &frame) }
    }

    /// Draws the notice of the open service in its row. A mark is in the last cell of the header, which is free.
    private func drawNotice(in frame: inout Frame, _ layout: DashboardLayout) {
        guard let notice = service.notice, !listsServices else { return }
        guard notice.form == .line else {
            NoticeWords.banner(notice, size: frame.size).draw(in: &frame)
            return
        }
        guard !layout.notice.isEmpty else { return }
        let banner = NoticeWords.banner(notice, size: Size(columns: frame.size.columns, rows: 1), room: .whole)
        frame.write(banner.rows, in: layout.notice)
    }

    private func drawBody(in frame: inout Frame, _ layout: DashboardLayout) {
        switch view.page {
        case .help: drawHelp(in: &frame, layout.body)
        case .inspector: drawInspectorPage(in: &frame, layout.body)
        case .services: drawServiceList(in: &frame, layout.body)
        case .panes:
            if !layout.strip.isEmpty { drawStrip(in: &frame, layout.strip) }
            for (pane, rect) in layout.areas { pane.content.draw(self, in: &frame, rect) }
        }
    }

    /// Draws a pane's box, highlighted if it has the focus. Returns the area inside.
    func drawBox(_ pane: Pane, in frame: inout Frame, _ rect: Rect, right: String = "") -> Rect {
        let isFocused = hasFocus(pane)
        return frame.box(
            rect, title: pane.title, rightTitle: right, style: isFocused ? Theme.accent : Theme.rule,
            titleStyle: isFocused ? Theme.accent.with(.bold) : Theme.strong
        )
    }

    /// Draws the text of a pane that has no content.
    func drawEmpty(_ text: String, in frame: inout Frame, _ area: Rect) {
        let lines = TextLine.wrapped(text, columns: max(0, area.columns - 2), style: Theme.muted)
        frame.write(lines, in: area.inset(columns: 1))
    }

    /// Draws what fits on a very small terminal: the state, whether it is simulated, the countdown, the required size.
    private func drawLine(in frame: inout Frame) {
        guard !frame.size.isEmpty else { return }
        let look = StageLook(of: service.machine)
        let row = frame.bounds.centered(Size(columns: frame.size.columns, rows: 1))
        let needed = "needs \(DashboardLayout.smallest.columns)×\(DashboardLayout.smallest.rows)"
        let badge = TextLine.Span(look.badge, look.style.with(.bold))
        let label = simulation.isSimulated ? [TextLine.Span(" "), TextLine.Span(" SIM ", Theme.simulated)] : []
        let next = TextLine.Span("  \(nextText)")
        let candidates: [[TextLine.Span]] = [
            [badge] + label + [next, .init("  \(needed)", Theme.muted)],
            [badge] + label + [next], [badge] + label, [badge], [.init(look.glyph, look.style.with(.bold))],
        ]
        let fitting = candidates.map { TextLine($0) }.first { $0.width <= row.columns }
        let line = fitting ?? TextLine(candidates[4])
        frame.write(line, in: row)
        var below: [TextLine] = []
        if simulation.isSimulated, !line.text.contains("SIM") { below.append(TextLine("SIM", Theme.simulated)) }
        if !line.text.contains(needed) { below.append(TextLine(needed, Theme.muted)) }
        frame.write(below, in: frame.bounds.split(top: row.endRow).rest)
    }

    private func drawFooter(in frame: inout Frame, _ rect: Rect) {
        if view.filter.isEditing {
            let hints = DashboardCommand.filterHints.map { "   \(frame.glyphs.keys($0.key)) \($0.word)" }.joined()
            return drawFilter(of: view.focus, hints: hints, in: &frame, rect)
        }
        if let notice = view.notice { return draw(notice, above: rect, in: &frame) }
        frame.keyHints(pageHints, in: rect)
    }

    /// Draws a notice into the footer; a long one also takes rows above it.
    private func draw(_ notice: ServiceView.Notice, above footer: Rect, in frame: inout Frame) {
        let style = notice.isProblem ? Theme.warning : Theme.accent
        let text = TextLine.wrapped(notice.text, columns: max(1, footer.columns - 4), style: style)
        let lines = text.prefix(max(1, frame.size.rows / 3))
        let top = footer.row - lines.count + 1
        for (index, line) in lines.enumerated() {
            let row = Rect(column: 0, row: top + index, columns: footer.columns, rows: 1)
            frame.fill(row)
            let mark = index == 0 ? (notice.isProblem ? " ! " : " ✓ ") : "   "
            frame.write(TextLine([TextLine.Span(mark, style)] + line.spans), in: row)
        }
    }

    private var pageHints: [KeyHint] {
        switch view.page {
        case .panes: hints
        case .inspector: back + [KeyHint(.left, .right, word: "newer, older")] + keyMap.hint(.copy, word: "copy")
        case .help: back
        case .services: serviceHints
        }
    }

    private var back: [KeyHint] { keyMap.hint(.close, word: "back") + [KeyHint(.up, .down, word: "scroll")] }

    /// The footer's hints for the panes, with the player's keys while a timeline is shown.
    private var hints: [KeyHint] {
        var hints = keyMap.joinedHints
        if simulation.presentation != nil { return Presentation.keys.hints + hints }
        guard let playback = shownPlayback, hasScenarios else { return hints }
        let picking = keyMap.hint(.pickScenario, word: "scenario").first
        let place = hints.firstIndex { $0.keys == picking?.keys }.map { $0 + 1 } ?? hints.count
        hints.insert(contentsOf: screen.keys.player.hints(isPlaying: playback.phase == .playing), at: place)
        return hints
    }

    /// Draws the text that filters a list, with the number of rows that it leaves.
    func drawFilter(of pane: Pane, hints: String = "", in frame: inout Frame, _ rect: Rect) {
        let filter = view[pane].filter
        let used = frame.write(TextLine([.init(" /", Theme.accent.with(.bold)), .init(filter.text)]), in: rect)
        if filter.isEditing, used < rect.columns { frame.cursor = Point(column: rect.column + used, row: rect.row) }
        let rest = rect.split(left: used + 2).rest
        let matches = "\(pane.content.count(in: self)) of \(pane.content.total(in: self) ?? 0)"
        let line = TextLine([.init(matches, Theme.muted), .init("\(hints) ", Theme.text)])
        if line.width <= rest.columns { frame.write(line, in: rest, alignment: .right) }
    }
}
