import TerminalUI

/// A part of the dashboard with its own box.
enum Pane: String, Equatable, Sendable, CaseIterable {
    case state, latency, scenarios, services, transitions, resources, events, inspector

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// Whether the pane has content to move through.
    var isFocusable: Bool { self != .state && self != .latency }
}

/// The positions of all parts for a terminal size.
struct DashboardLayout: Equatable {
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
    /// The area between header and footer.
    let body: Rect
    /// The state in up to two lines, above the single pane.
    let strip: Rect
    let areas: [(pane: Pane, rect: Rect)]

    /// Below this size, one line is shown.
    static let smallest = Size(columns: 24, rows: 6)

    /// Below this number of columns, two columns of panes would truncate their lines.
    static let narrow = 76

    static func == (left: DashboardLayout, right: DashboardLayout) -> Bool {
        left.form == right.form && left.areas.elementsEqual(right.areas) { $0 == $1 }
    }

    /// The panes that exist in addition to state and events.
    struct Panes: Equatable {
        /// What the person chooses from, at the lower left; nil if there is nothing to choose.
        var choices: Pane?
        /// The number of resources; 0 hides the pane.
        var resources = 0
        var hasLatency = true
        var hasTransitions = true
    }

    /// - Parameter focus: the pane that is shown if there is room for only one.
    init(_ size: Size, panes: Panes, focus: Pane) {
        let screen = Rect(size)
        let (header, rest) = screen.split(top: 1)
        let (body, footer) = rest.split(bottom: 1)
        self.header = header
        self.footer = footer
        self.body = body
        var strip = Rect(Size(columns: 0, rows: 0))
        if size.columns < Self.smallest.columns || size.rows < Self.smallest.rows {
            form = .line
            areas = []
        } else if size.columns < Self.narrow || size.rows < 16 {
            form = .single
            (strip, areas) = Self.one(body, focus.isFocusable && focus != .inspector ? focus : .events, panes)
        } else {
            form = .columns
            areas = size.columns < 120 ? Self.two(body, panes) : Self.three(body, panes)
        }
        self.strip = strip
    }

    /// The state pane if there is room, else a strip of two lines or nothing; the given pane is below it.
    private static func one(_ body: Rect, _ pane: Pane, _ panes: Panes) -> (strip: Rect, areas: [(Pane, Rect)]) {
        if body.rows >= 17 {
            let (state, rest) = body.split(top: 9)
            let (latency, last) = rest.split(top: body.rows >= 22 && panes.hasLatency ? 4 : 0)
            let areas = [(.state, state), (pane, last)] + (latency.isEmpty ? [] : [(Pane.latency, latency)])
            return (Rect(Size(columns: 0, rows: 0)), areas)
        }
        let (strip, rest) = body.split(top: body.rows >= 7 ? 2 : 0)
        return (strip, [(pane, rest)])
    }

    /// State, latency, and scenarios, services or inspector on the left; transitions, resources and events on the right.
    private static func two(_ body: Rect, _ panes: Panes) -> [(Pane, Rect)] {
        let (left, right) = body.split(left: min(38 + max(0, body.columns - 80) / 4, 48))
        let heights = Heights(body.rows, panes)
        return presence(left, heights, panes, last: panes.choices ?? .inspector)
            + past(right, heights, panes)
    }

    /// Like two columns, with an additional column for the inspector. Without choices, the transitions are on the left.
    private static func three(_ body: Rect, _ panes: Panes) -> [(Pane, Rect)] {
        let (left, rest) = body.split(left: min(38 + (body.columns - 120) / 4, 64))
        let (middle, inspector) = rest.split(left: (rest.columns + 1) / 2)
        let heights = Heights(body.rows, panes)
        if let choices = panes.choices {
            return presence(left, heights, panes, last: choices) + past(middle, heights, panes)
                + [(.inspector, inspector)]
        }
        var others = panes
        others.hasTransitions = false
        let last: [(Pane, Rect)] =
            panes.hasTransitions
            ? presence(left, heights, panes, last: .transitions) + past(middle, heights, others)
            : presence(left, heights, panes, last: nil) + past(middle, heights, others)
        return last + [(.inspector, inspector)]
    }

    /// The left column: state, latency, and a pane that takes the remaining rows.
    private static func presence(_ column: Rect, _ heights: Heights, _ panes: Panes, last: Pane?) -> [(Pane, Rect)] {
        var parts: [(Pane, Int)] = [(.state, heights.state)]
        if panes.hasLatency { parts.append((.latency, heights.latency)) }
        return stack(column, parts, last: last)
    }

    /// The right or middle column: transitions, resources, and events in the remaining rows.
    private static func past(_ column: Rect, _ heights: Heights, _ panes: Panes) -> [(Pane, Rect)] {
        var parts: [(Pane, Int)] = []
        if panes.hasTransitions { parts.append((.transitions, heights.transitions)) }
        if panes.resources > 0 { parts.append((.resources, heights.resources)) }
        return stack(column, parts, last: .events)
    }

    /// Panes of fixed heights from the top. `last` takes the remaining rows; without it, the lowest pane does.
    private static func stack(_ column: Rect, _ parts: [(pane: Pane, rows: Int)], last: Pane?) -> [(Pane, Rect)] {
        var areas: [(Pane, Rect)] = []
        var rest = column
        for (index, part) in parts.enumerated() {
            let isLowest = last == nil && index == parts.count - 1
            let (area, below) = rest.split(top: isLowest ? rest.rows : part.rows)
            areas.append((part.pane, area))
            rest = below
        }
        if let last { areas.append((last, rest)) }
        return areas
    }

    /// The rows of the panes, borders included, in a body with a number of rows.
    private struct Heights {
        let state: Int
        let latency: Int
        let transitions: Int
        let resources: Int

        init(_ rows: Int, _ panes: Panes) {
            let isTall = rows >= 34
            let hasResources = panes.resources > 0
            latency = isTall ? 9 : 4
            state = isTall ? 12 : min(max(rows - latency - 5, 5), 9)
            resources = isTall ? 9 : min(panes.resources + 2, max(4, rows - 16), 7)
            // The bottom borders align with those of state and latency if there is room.
            transitions = hasResources ? (isTall ? state : max(4, state - 2)) : (isTall ? state + latency : state)
        }
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

extension DashboardModel {
    func layout(_ size: Size) -> DashboardLayout {
        DashboardLayout(size, panes: shownPanes, focus: focus)
    }

    /// The panes that Tab cycles through: with one column, those that can be shown in it; else the visible panes.
    var panes: [Pane] {
        let layout = layout(size)
        guard layout.form == .columns else {
            let shown = shownPanes
            return (shown.choices.map { [$0] } ?? []) + (shown.hasTransitions ? [.transitions] : [])
                + (shown.resources > 0 ? [.resources] : []) + [.events]
        }
        return layout.areas.map(\.pane)
    }
}
