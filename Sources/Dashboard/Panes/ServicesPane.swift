import Bellerophon
import ProgramKit
import TerminalUI

/// The watched services, if there are several.
struct ServicesPane: ListPane {
    let pane = Pane.services
    let slot = PaneSlot.choices

    func isShown(in model: DashboardModel) -> Bool { !model.hasScenarios && !model.screen.serviceList.isEmpty }

    func items(in model: DashboardModel) -> [ServiceRow] { model.screen.serviceList.rows }

    func text(of row: ServiceRow, in model: DashboardModel) -> String {
        "\(row.look.glyph) \(row.look.word) \(row.name) \(row.remark.text)"
    }

    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        selectedRow(in: model).map { [.open($0.index)] } ?? []
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let services = model.screen.serviceList
        guard let inner = drawBox(model, in: &frame, rect, right: "\(services.rows.count)", empty: "") else { return }
        let table = ServiceTable(services, columns: inner.columns - 3, isPage: false)
        drawRows(model, in: &frame, inner) { _, index in table.line(index) }
    }
}

extension DashboardModel {
    /// Draws the list of all services in place of the panes.
    func drawServiceList(in frame: inout Frame, _ rect: Rect) {
        frame.box(rect, title: "Services", style: Theme.accent, titleStyle: Theme.accent.with(.bold))
        let area = ServiceTable.rowsArea(in: rect)
        let table = ServiceTable(screen.serviceList, columns: area.columns - 3, isPage: true)
        frame.write(
            TextLine("  ") + table.heading, in: Rect(column: area.column, row: area.row - 1, columns: area.columns, rows: 1))
        let state = ListState(selected: view[.services].row, first: serviceTop(rows: area.rows))
        frame.list(count: screen.serviceList.rows.count, state: state, in: area, isFocused: false) { table.line($0) }
        frame.restyle(area.row(view[.services].row - state.first)) { $0 = Theme.selection }
    }

    /// ` 5 services   ■ 1 paused   ● 4 live`
    func drawServiceHeader(in frame: inout Frame, _ rect: Rect) {
        var line = TextLine([.init(" \(screen.serviceList.rows.count) services", Theme.strong)])
        for (look, count) in screen.serviceList.counts {
            line = line + TextLine([.init("   \(look.glyph) \(count) \(look.word)", look.style.with(.bold))])
        }
        frame.write(line, in: rect)
    }
}

/// The columns of the list of services. If there is no room, the least important ones are omitted first.
struct ServiceTable {
    private let services: ServiceList
    /// The columns beside the name, from left to right, with their widths.
    private let parts: [(part: Part, width: Int)]
    private let nameWidth: Int

    private struct Part: Sendable {
        let heading: String
        var isNumber = false
        let span: @Sendable (ServiceRow) -> TextLine.Span
    }

    private static let since = Part(heading: "for") { .init($0.since) }
    private static let freshness = Part(heading: "last reply", isNumber: true) { $0.freshness }
    private static let latency = Part(heading: "latency", isNumber: true) { .init($0.latency, Theme.muted) }
    private static let remark = Part(heading: "message") { $0.remark }

    /// Between two columns.
    private let gap: Int
    /// The mark of the open service, the digit of its key, and a space.
    private static let keyWidth = 3
    /// The glyph and the longest word of a state.
    private static let stateWidth = 10
    private static let shortestName = 10
    private static let shortestRemark = 12

    /// The area of the rows on the page: inside the box, below the heading.
    static func rowsArea(in body: Rect) -> Rect {
        body.inset(columns: 1, rows: 1).split(top: 1).rest
    }

    /// - Parameter isPage: whether the list has the whole screen and a heading.
    init(_ services: ServiceList, columns: Int, isPage: Bool) {
        self.services = services
        let gap = isPage ? 2 : 1
        self.gap = gap
        let widest = services.rows.map { CellText.width(of: $0.name) }.max() ?? 0
        var room = columns - Self.keyWidth - Self.stateWidth - gap - min(widest, Self.shortestName)
        var parts: [(part: Part, width: Int)] = []
        // In the order of importance.
        for part in isPage ? [Self.freshness, Self.since, Self.latency] : [Self.freshness, Self.latency] {
            let texts = services.rows.map { part.span($0).text } + (isPage ? [part.heading] : [])
            let width = texts.map { CellText.width(of: $0) }.max() ?? 0
            guard width > 0, room >= width + gap else { continue }
            parts.append((part, width))
            room -= width + gap
        }
        let name = min(widest, Self.shortestName) + max(0, min(room, widest - Self.shortestName))
        room -= name - min(widest, Self.shortestName)
        if isPage, room >= Self.shortestRemark + gap { parts.append((Self.remark, room - gap)) }
        nameWidth = max(0, name)
        self.parts = [Self.since, Self.freshness, Self.latency, Self.remark].compactMap { part in
            parts.first { $0.part.heading == part.heading }
        }
    }

    /// The names of the columns.
    var heading: TextLine {
        let head =
            String(repeating: " ", count: Self.keyWidth) + Self.padded("state", Self.stateWidth + gap)
            + Self.padded("service", nameWidth)
        return parts.reduce(TextLine(head, Theme.muted)) { line, column in
            let text = Self.padded(column.part.heading, column.width, toRight: column.part.isNumber)
            return line + TextLine(space + text, Theme.muted)
        }
    }

    /// `✓1 ■ paused    Payments    6s   41 ms`
    func line(_ index: Int) -> TextLine {
        let row = services.rows[index]
        let isOpen = index == services.opened
        let head = TextLine([
            .init(isOpen ? "✓" : " ", Theme.live), .init(index < 9 ? "\(index + 1) " : "  ", Theme.accent),
            .init(Self.padded("\(row.look.glyph) \(row.look.word)", Self.stateWidth), row.look.style.with(.bold)), .init(space),
            .init(Self.padded(row.name, nameWidth), isOpen ? Theme.strong : Theme.text),
        ])
        return parts.reduce(head) { line, column in
            let span = column.part.span(row)
            return line + TextLine(space)
                + TextLine(Self.padded(span.text, column.width, toRight: column.part.isNumber), span.style)
        }
    }

    private var space: String { String(repeating: " ", count: gap) }

    private static func padded(_ text: String, _ columns: Int, toRight: Bool = false) -> String {
        CellText.padded(text, columns: columns, alignment: toRight ? .right : .left)
    }
}
