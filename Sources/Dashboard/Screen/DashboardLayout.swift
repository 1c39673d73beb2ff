import Bellerophon
import TerminalUI

/// The part of the body in which a pane stands, if there are columns.
enum PaneSlot {
    /// At the upper left. In one column it is above the pane with the focus, as two lines if there is little room.
    case summary
    /// Below the summary.
    case left
    /// At the lower left, with the remaining rows: what a person chooses from.
    case choices
    /// At the upper right. With three columns and nothing to choose from, at the lower left.
    case past
    /// At the upper right.
    case right
    /// At the lower right, with the remaining rows. In one column it is shown if no other pane has the focus.
    case log
    /// In the third column. With two columns, at the lower left if there is nothing to choose from.
    case detail
}

/// The body's rows, and how the panes with fixed heights share them.
struct PaneRoom {
    let rows: Int
    /// Whether the column has several panes of fixed height.
    var isShared = false

    var isTall: Bool { rows >= 34 }
    /// The height of the upper pane of the left column.
    var upper: Int { isTall ? 12 : min(max(rows - lower - 5, 5), 9) }
    /// The height of the pane below it.
    var lower: Int { isTall ? 9 : 4 }
}

/// The positions of all parts for a terminal size.
struct DashboardLayout {
    enum Form: Equatable {
        /// There is room for the state only.
        case line
        /// The state, as a pane or a strip, and one other pane.
        case single
        case columns
    }

    let form: Form
    let header: Rect
    let footer: Rect
    /// The row of a notice, below the header; empty without one, and where there is no room.
    let notice: Rect
    /// The area between header, or notice, and footer.
    let body: Rect
    /// The state in up to two lines, above the single pane.
    let strip: Rect
    let areas: [(pane: Pane, rect: Rect)]

    /// Below this size, one line is shown.
    static let smallest = Size(columns: 24, rows: 6)

    /// Below this number of columns, two columns of panes would truncate their lines.
    static let narrow = 76

    /// The layout of a model's panes. That with the focus is shown if there is room for only one.
    init(_ size: Size, _ model: DashboardModel) {
        let hasNotice = !model.listsServices && model.service.notice?.form == .line
        let screen = Rect(size)
        let (header, rest) = screen.split(top: 1)
        let (middle, footer) = rest.split(bottom: 1)
        let (notice, body) = middle.split(top: hasNotice && size.rows >= Self.smallest.rows ? 1 : 0)
        self.notice = notice
        self.header = header
        self.footer = footer
        self.body = body
        var strip = Rect(Size(columns: 0, rows: 0))
        if size.columns < Self.smallest.columns || size.rows < Self.smallest.rows {
            form = .line
            areas = []
        } else if size.columns < Self.narrow || size.rows < 16 {
            form = .single
            (strip, areas) = Self.one(body, model)
        } else {
            form = .columns
            areas = Self.columns(body, model)
        }
        self.strip = strip
    }

    /// The summary if there is room, else a strip of two lines or nothing; below it the pane with the focus, and at the bottom
    /// another pane of the left column if there is room.
    private static func one(_ body: Rect, _ model: DashboardModel) -> (strip: Rect, areas: [(Pane, Rect)]) {
        let places = model.places
        let chosen =
            places.first { $0.pane == model.view.focus && $0.isFocusable && $0.slot != .detail } ?? places.first(in: .log)
        guard let summary = places.first(in: .summary), let chosen, body.rows >= 17 else {
            let (strip, rest) = body.split(top: body.rows >= 7 ? 2 : 0)
            return (strip, chosen.map { [($0.pane, rest)] } ?? [])
        }
        let (upper, rest) = body.split(top: 9)
        let lowest = body.rows >= 22 ? places.first(in: .left) : nil
        let (lower, last) = rest.split(top: lowest == nil ? 0 : 4)
        let areas = [(summary.pane, upper), (chosen.pane, last)] + (lowest.map { [($0.pane, lower)] } ?? [])
        return (Rect(Size(columns: 0, rows: 0)), areas)
    }

    /// Two columns, or three if there is room for the details beside them.
    private static func columns(_ body: Rect, _ model: DashboardModel) -> [(Pane, Rect)] {
        let places = model.places
        let isWide = body.columns >= 120
        let (left, rest) = body.split(
            left: isWide ? min(38 + (body.columns - 120) / 4, 64) : min(38 + max(0, body.columns - 80) / 4, 48))
        let (middle, right) = rest.split(left: isWide ? (rest.columns + 1) / 2 : rest.columns)
        let last = places.first(in: .choices) ?? places.first(in: isWide ? .past : .detail)
        let past = places.filter([.past, .right]).filter { $0.pane != last?.pane }
        return stack(left, places.filter([.summary, .left]), last: last, body, model)
            + stack(middle, past, last: places.first(in: .log), body, model)
            + (isWide ? places.first(in: .detail).map { [($0.pane, right)] } ?? [] : [])
    }

    /// Panes of fixed heights from the top. `last` takes the remaining rows; without it, the lowest pane does.
    private static func stack(
        _ column: Rect, _ places: [any PaneContent], last: (any PaneContent)?, _ body: Rect, _ model: DashboardModel
    ) -> [(Pane, Rect)] {
        var room = PaneRoom(rows: body.rows)
        room.isShared = places.count > 1
        var areas: [(Pane, Rect)] = []
        var rest = column
        for (index, place) in places.enumerated() {
            let isLowest = last == nil && index == places.count - 1
            let (area, below) = rest.split(top: isLowest ? rest.rows : place.height(in: room, model))
            areas.append((place.pane, area))
            rest = below
        }
        if let last { areas.append((last.pane, rest)) }
        return areas
    }

    func area(of pane: Pane) -> Rect? {
        areas.first { $0.pane == pane }?.rect
    }

    /// The area inside a pane's box.
    func content(of pane: Pane) -> Rect? {
        area(of: pane).map { $0.inset(columns: 1, rows: 1) }
    }

    /// Whether the inspector has its own column and needs no page.
    var hasInspectorColumn: Bool {
        area(of: .inspector).map { $0.rows == body.rows } ?? false
    }

    func pane(at point: Point) -> Pane? {
        areas.first { $0.rect.contains(point) }?.pane
    }
}

extension [any PaneContent] {
    fileprivate func first(in slot: PaneSlot) -> (any PaneContent)? { first { $0.slot == slot } }

    fileprivate func filter(_ slots: [PaneSlot]) -> [any PaneContent] { filter { slots.contains($0.slot) } }
}
