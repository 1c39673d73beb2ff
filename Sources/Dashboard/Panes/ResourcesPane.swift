import Bellerophon
import CloudBox
import TerminalUI

/// The resources that servers can update.
struct ResourcesPane: ListPane {
    let pane = Pane.resources
    let slot = PaneSlot.right
    let isHideable = true

    func isShown(in model: DashboardModel) -> Bool { !model.screen.resources.isEmpty }

    func height(in room: PaneRoom, _ model: DashboardModel) -> Int {
        room.isTall ? 9 : min(model.screen.resources.count + 2, max(4, room.rows - 16), 7)
    }

    func items(in model: DashboardModel) -> [ResourceRow] { model.screen.resources }

    func text(of row: ResourceRow, in model: DashboardModel) -> String {
        ResourceColumns([row], columns: 1000).line(row).text
    }

    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        selectedRow(in: model).map { [.sync($0.item.name)] } ?? []
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let resources = model.screen.resources
        let (right, empty) = (Self.counts(resources), "No content is registered.")
        guard let inner = drawBox(model, in: &frame, rect, right: right, empty: empty) else { return }
        let columns = ResourceColumns(resources, columns: inner.columns - 3)
        drawRows(model, in: &frame, inner) { row, _ in columns.line(row) }
    }

    /// `6 ok  1 kept`: the number of resources without a problem, and of those that could not be updated.
    private static func counts(_ resources: [ResourceRow]) -> String {
        let problems = resources.count(where: \.hasProblem)
        guard !resources.isEmpty else { return "" }
        return "\(resources.count - problems) ok" + (problems > 0 ? "  \(problems) kept" : "")
    }
}

/// The columns of the Resources pane; if there is no room, the least important ones are omitted first.
private struct ResourceColumns {
    private let columns: Int
    private let name: Int
    private let version: Int
    /// What there is room for behind the version.
    private let facts: [(ResourceRow) -> TextLine.Span?]

    private static let gap = 2
    /// The width of `bundled`, the longest origin.
    private static let origin = 7
    /// The width of `sha 9f3c02ab`.
    private static let digest = 12
    private static let shortestBar = 6
    private static let shortestName = 12

    init(_ rows: [ResourceRow], columns: Int) {
        let widest = rows.map { CellText.width(of: $0.name) }.max() ?? 0
        let version = rows.map { CellText.width(of: Self.version($0)) }.max() ?? 0
        let size = rows.map { CellText.width(of: Self.size($0)) }.max() ?? 0
        let fixed = 2 + version + Self.gap
        // A long name is shortened in favour of origin and size.
        let wanted = columns - fixed - Self.origin - size - 2 * Self.gap
        let name = max(0, min(widest, columns - fixed, max(wanted, Self.shortestName)))
        var left = columns - fixed - name
        let known: [(width: Int, span: (ResourceRow) -> TextLine.Span?)] = [
            (
                Self.origin,
                { row in
                    let origin = CellText.padded(row.origin?.rawValue ?? "", columns: Self.origin)
                    return .init("  " + origin, row.origin == .fresh ? Theme.live : Theme.muted)
                }
            ),
            (size, { .init("  " + CellText.padded(Self.size($0), columns: size, alignment: .right)) }),
            (Self.digest, { $0.digest.map { .init("  sha \($0.prefix(8))", Theme.muted) } }),
        ]
        facts = known.compactMap { width, span in
            guard left >= width + Self.gap else { return nil }
            left -= width + Self.gap
            return span
        }
        (self.columns, self.name, self.version) = (columns, name, version)
    }

    /// `✓ help.txt   v2  fresh    1.2 KB  sha 9f3c02ab`, with a progress bar during a transfer, or with the problem.
    func line(_ row: ResourceRow) -> TextLine {
        let (glyph, style) = Self.mark(row)
        let head = TextLine([
            .init("\(glyph) ", style.with(.bold)), .init(CellText.padded(row.name, columns: name)),
            .init("  " + CellText.padded(Self.version(row), columns: version), Theme.muted),
        ])
        let room = columns - head.width - Self.gap
        switch row.activity {
        case .idle, .checking: return head + TextLine(facts.compactMap { $0(row) })
        case .receiving(let share): return head + TextLine("  ") + Self.bar(share, columns: room)
        case .problem(let text): return head + TextLine("  " + CellText.truncate(text, columns: max(0, room)), Theme.warning)
        }
    }

    private static func bar(_ share: Double?, columns: Int) -> TextLine {
        guard let share else { return TextLine("receiving", Theme.accent) }
        let percent = "\(Int((min(max(share, 0), 1) * 100).rounded(.down)))%"
        let width = min(columns - 5, 24)
        guard width >= shortestBar else { return TextLine(percent, Theme.accent) }
        let space = String(repeating: " ", count: 5 - percent.count)
        return TextLine.progressBar(share, columns: width) + TextLine(space + percent, Theme.accent)
    }

    private static func mark(_ row: ResourceRow) -> (String, Style) {
        switch row.activity {
        case .problem: ("!", Theme.warning)
        case .checking: ("·", Theme.accent)
        case .receiving: ("↓", Theme.accent)
        case .idle: row.version == nil ? ("○", Theme.muted) : ("✓", Theme.live)
        }
    }

    private static func version(_ row: ResourceRow) -> String { row.version.map { "v\($0)" } ?? "—" }

    private static func size(_ row: ResourceRow) -> String { row.size.map { ClockText.bytes($0) } ?? "" }
}
