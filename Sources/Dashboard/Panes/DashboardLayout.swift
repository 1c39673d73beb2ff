import TerminalUI

/// A part of the dashboard with a box of its own.
enum Pane: String, Equatable, Sendable, CaseIterable {
    case state, latency, scenarios, transitions, events, inspector

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// Whether there is something in it to move through.
    var isFocusable: Bool { self != .state && self != .latency }
}

/// Where everything stands for a terminal's size.
struct DashboardLayout: Equatable {
    enum Form: Equatable {
        /// No room for more than the state.
        case line
        /// The state, as a pane or a strip, and one other pane.
        case single
        case columns
    }

    let form: Form
    let header: Rect
    let footer: Rect
    /// Between header and footer.
    let body: Rect
    /// The state in a line or two, above the single pane.
    let strip: Rect
    let areas: [(pane: Pane, rect: Rect)]

    /// Below this there is one line only.
    static let smallest = Size(columns: 24, rows: 6)

    /// Below this number of columns two columns of panes would cut their lines.
    static let narrow = 76

    static func == (left: DashboardLayout, right: DashboardLayout) -> Bool {
        left.form == right.form && left.areas.elementsEqual(right.areas) { $0 == $1 }
    }

    /// - Parameter focus: the pane that is shown where there is room for one only.
    init(_ size: Size, hasScenarios: Bool, focus: Pane) {
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
            (strip, areas) = Self.one(body, focus.isFocusable && focus != .inspector ? focus : .events)
        } else {
            form = .columns
            areas = size.columns < 120 ? Self.two(body, hasScenarios) : Self.three(body, hasScenarios)
        }
        self.strip = strip
    }

    /// With room for it the state's pane, else a strip of two lines or nothing; below it the pane of the moment.
    private static func one(_ body: Rect, _ pane: Pane) -> (strip: Rect, areas: [(Pane, Rect)]) {
        if body.rows >= 17 {
            let (state, rest) = body.split(top: 9)
            let (latency, last) = rest.split(top: body.rows >= 22 ? 4 : 0)
            let areas = [(.state, state), (pane, last)] + (latency.isEmpty ? [] : [(Pane.latency, latency)])
            return (Rect(Size(columns: 0, rows: 0)), areas)
        }
        let (strip, rest) = body.split(top: body.rows >= 7 ? 2 : 0)
        return (strip, [(pane, rest)])
    }

    /// State, latency and the scenarios at the left; the past at the right.
    private static func two(_ body: Rect, _ hasScenarios: Bool) -> [(Pane, Rect)] {
        let (left, right) = body.split(left: min(38 + max(0, body.columns - 80) / 4, 48))
        let heights = Heights(body.rows)
        let (state, belowState) = left.split(top: heights.state)
        let (latency, third) = belowState.split(top: heights.latency)
        let (transitions, events) = right.split(top: heights.transitions)
        return [
            (.state, state), (.latency, latency), (hasScenarios ? .scenarios : .inspector, third),
            (.transitions, transitions), (.events, events),
        ]
    }

    /// As two columns, and the inspector with a column of its own.
    private static func three(_ body: Rect, _ hasScenarios: Bool) -> [(Pane, Rect)] {
        let (left, rest) = body.split(left: min(38 + (body.columns - 120) / 8, 48))
        let (middle, inspector) = rest.split(left: (rest.columns + 1) / 2)
        let heights = Heights(body.rows)
        let (state, belowState) = left.split(top: heights.state)
        let (latency, third) = belowState.split(top: heights.latency)
        guard hasScenarios else {
            return [
                (.state, state), (.latency, latency), (.transitions, third), (.events, middle), (.inspector, inspector),
            ]
        }
        let (transitions, events) = middle.split(top: heights.transitions)
        return [
            (.state, state), (.latency, latency), (.scenarios, third),
            (.transitions, transitions), (.events, events), (.inspector, inspector),
        ]
    }

    /// Rows of the panes in a body of that many rows; borders included.
    private struct Heights {
        let state: Int
        let latency: Int
        let transitions: Int

        init(_ rows: Int) {
            let isTall = rows >= 34
            latency = isTall ? 9 : 4
            state = isTall ? 12 : min(max(rows - latency - 5, 5), 9)
            transitions = isTall ? state + latency : state
        }
    }

    func area(of pane: Pane) -> Rect? {
        areas.first { $0.pane == pane }?.rect
    }

    /// The room inside a pane's box.
    func content(of pane: Pane) -> Rect? {
        area(of: pane).map { $0.inset(columns: 1, rows: 1) }
    }

    /// Whether the inspector has a column of its own, so that it needs no page.
    var hasInspectorColumn: Bool {
        area(of: .inspector).map { $0.rows == body.rows } ?? false
    }

    func pane(at point: Point) -> Pane? {
        areas.first { $0.rect.contains(point) }?.pane
    }
}

extension DashboardModel {
    func layout(_ size: Size) -> DashboardLayout {
        DashboardLayout(size, hasScenarios: hasScenarios, focus: focus)
    }

    /// The panes that Tab goes through: in one column those that take turns, else those that stand on the screen.
    var panes: [Pane] {
        let layout = layout(size)
        guard layout.form == .columns else {
            return (hasScenarios ? [.scenarios] : []) + [.transitions, .events]
        }
        return layout.areas.map(\.pane)
    }
}
