import Barricade
import ScenarioKit
import TerminalUI

/// A timeline that is presented to an audience, step by step, with its notes as captions.
package struct Presentation: Equatable, Sendable {
    /// What a key of the presenter does. Remote controls for slides send Page Down, Page Up and the period.
    enum Action: Equatable, Sendable {
        case next, previous
        /// Hides the caption, and shows it again.
        case caption
    }

    package let timeline: Timeline
    /// Whether the presenter has hidden the captions.
    var hidesCaption = false

    package init(_ timeline: Timeline) {
        self.timeline = timeline
    }

    static let keys = KeyMap<Action>([
        KeyBinding(
            .right, .pageDown, .character(" "), .enter, does: .next, hint: "next", help: "show the next step of the presentation"),
        KeyBinding(.left, .pageUp, .backspace, does: .previous, hint: "back", help: "show the step before again"),
        KeyBinding(.character("."), does: .caption, hint: "caption", help: "hide the caption, and show it again"),
    ])

    /// The commands that go to the next step, or to the one before. Without a playback the timeline begins, on hold.
    func commands(for action: Action, _ playback: Playback?) -> [BarricadeCommand] {
        guard let playback else { return [.play(timeline.name), .pause(request: timeline.request)] }
        let request = timeline.request
        switch action {
        case .caption: return []
        case .previous: return [.jump(to: max(0, playback.stepIndex - 1), request: request)]
        case .next where playback.stepIndex + 1 < timeline.steps.count: return [.step(request: request)]
        // The last response stays in effect.
        case .next: return timeline.repeats ? [.step(request: request)] : []
        }
    }

    /// `2/6`
    static func place(of playback: Playback) -> String { "\(playback.stepIndex + 1)/\(playback.timeline.steps.count)" }
}

/// The rows for the caption at the lower edge of the screen.
///
/// Their number depends only on the timeline and the size, so that the view above does not move from step to step.
struct CaptionBand: Equatable {
    /// The most lines of a caption.
    private static let mostLines = 3
    /// The most columns of a caption, for readability.
    private static let mostColumns = 96
    /// The rows that the view keeps beside a caption of several rows, and beside one of one row.
    private static let roomyView = 16, smallestView = 7
    private static let fewestColumns = 20

    let rows: Int
    private let columns: Int

    init(_ timeline: Timeline, _ size: Size) {
        columns = min(Self.mostColumns, max(1, size.columns - 4))
        let lines = timeline.steps.map { [columns] in CellText.wrap($0.note, columns: columns).count }.max() ?? 1
        let roomy = 1 + min(max(1, lines), Self.mostLines)
        let hasColumns = size.columns >= Self.fewestColumns
        rows =
            hasColumns && size.rows - roomy >= Self.roomyView
            ? roomy : hasColumns && size.rows - 1 >= Self.smallestView ? 1 : 0
    }

    /// - Parameter playback: nil if the timeline was ended.
    func draw(_ playback: Playback?, _ timeline: Timeline, in frame: inout Frame, _ rect: Rect) {
        let place = playback.map(Presentation.place) ?? "0/\(timeline.steps.count)"
        let caption = playback?.caption ?? timeline.summary
        guard rows > 1 else {
            let line = TextLine([.init("\(place) ", Theme.accent.with(.bold)), .init(caption, Theme.strong)])
            frame.write(line, in: rect.inset(columns: 1))
            return
        }
        frame.rule(rect.row(0), label: "\(timeline.name) · \(place)", style: Theme.accent, labelStyle: Theme.accent.with(.bold))
        var lines = CellText.wrapEvenly(caption, columns: columns)
        if lines.count >= rows {
            lines = CellText.wrap(caption, columns: columns)
            lines = lines[..<(rows - 2)] + [CellText.truncate(lines[rows - 2] + " …", columns: columns)]
        }
        frame.write(lines.map { TextLine($0, Theme.strong) }, in: rect.split(top: 1).rest, alignment: .center)
    }
}

extension DashboardModel {
    /// The size of the dashboard, above the caption.
    var size: Size { Size(columns: screen.size.columns, rows: screen.size.rows - captionRows(screen.size)) }

    /// The rows of the caption on a screen of this size; 0 if nothing is presented.
    package func captionRows(_ screen: Size) -> Int {
        simulation.presentation.map { $0.hidesCaption ? 0 : CaptionBand($0.timeline, screen).rows } ?? 0
    }

    /// Draws the caption into the rows that it has.
    package func drawCaption(in frame: inout Frame, _ rect: Rect) {
        guard let presentation = simulation.presentation else { return }
        CaptionBand(presentation.timeline, frame.size).draw(presented, presentation.timeline, in: &frame, rect)
    }

    /// The playback of the timeline that is presented; nil if it was ended.
    private var presented: Playback? { simulation.presentation.flatMap { simulation.known.playback(of: $0.timeline) } }

    func isPresenterKey(_ key: Key) -> Bool { simulation.presentation != nil && Presentation.keys.action(for: key) != nil }

    /// Performs a key of the presenter; nil if it is none.
    mutating func handleInPresentation(_ key: Key) -> [DashboardEffect]? {
        guard simulation.presentation != nil, let action = Presentation.keys.action(for: key) else { return nil }
        if action == .caption {
            simulation.presentation?.hidesCaption.toggle()
            return []
        }
        return simulation.presentation?.commands(for: action, presented).map { .barricade($0) } ?? []
    }
}
