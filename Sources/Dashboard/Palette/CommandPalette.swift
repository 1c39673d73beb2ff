import ProgramKit
import ScenarioKit
import TerminalUI

/// A box in which a person finds a command, a scenario, a pane or a setting by a few letters of its name, or by words of its
/// description.
struct CommandPalette: Equatable, Sendable {
    /// Something to choose.
    struct Entry: Equatable, Sendable {
        enum Action: Equatable, Sendable {
            case command(DashboardCommand)
            case player(PlayerKey)
            case focus(Pane)
            case effect(DashboardEffect)
        }

        let title: String
        /// What it does, in a few words.
        var detail = ""
        /// The label of its key; empty for none.
        var key = ""
        let action: Action
        /// Where the choice is kept, and how; nil if there is nothing to keep.
        var kept: String?

        /// The theme that it selects.
        var theme: ColorTheme? { if case .effect(.theme(let theme)) = action { theme } else { nil } }
    }

    /// The result of a key. While open, the palette takes every key except Ctrl-C and Ctrl-L.
    enum Outcome: Equatable, Sendable {
        case handled
        /// An entry was chosen; close the palette.
        case chosen(Entry)
        case closed
    }

    private let entries: [Entry]
    private var filter = TextFilter()
    private var list = ListState()
    /// The entries that the text matches, the best first.
    private(set) var shown: [Entry]

    /// - Parameters:
    ///   - entries: what can be chosen.
    ///   - recent: the titles that were chosen lately, the latest first. They come first.
    init(_ entries: [Entry], recent: [String]) {
        let latest = recent.compactMap { title in entries.first { $0.title == title } }
        self.entries = latest + entries.filter { !recent.contains($0.title) }
        shown = self.entries
        filter.edit()
    }

    /// The entry that Enter chooses.
    var selected: Entry? { shown.indices.contains(list.selected) ? shown[list.selected] : nil }

    // MARK: Keys

    /// - Parameter size: the size of the frame with the palette, for mouse clicks.
    mutating func handle(_ key: Key, size: Size) -> Outcome {
        switch key {
        case .escape: return .closed
        case .backspace where filter.text.isEmpty: return .closed
        case .enter: return selected.map { .chosen($0) } ?? .handled
        case .down, .tab, .control("n"): list.move(by: 1, count: shown.count)
        case .up, .backTab, .control("p"): list.move(by: -1, count: shown.count)
        case .pageDown: list.move(by: 10, count: shown.count)
        case .pageUp: list.move(by: -10, count: shown.count)
        case .home: list.move(by: -shown.count, count: shown.count)
        case .end: list.move(by: shown.count, count: shown.count)
        case .mouse(let event): return handle(event, Layout(size, count: entries.count))
        default: edit(key)
        }
        return .handled
    }

    private mutating func edit(_ key: Key) {
        let before = filter.text
        guard filter.handle(key), filter.text != before else { return }
        let pattern = FuzzyPattern(filter.text)
        let scored = entries.enumerated().compactMap { place, entry in
            (pattern.score(of: entry.title) ?? (pattern.isFound(inDescription: entry.detail) ? 0 : nil))
                .map { (entry: entry, score: $0, place: place) }
        }
        shown = scored.sorted { $0.score > $1.score || $0.score == $1.score && $0.place < $1.place }.map(\.entry)
        list = ListState()
    }

    private mutating func handle(_ event: MouseEvent, _ layout: Layout) -> Outcome {
        switch event.kind {
        case .wheelDown: list.move(by: 1, count: shown.count)
        case .wheelUp: list.move(by: -1, count: shown.count)
        case .release: break
        case .press:
            guard layout.box.contains(event.at) else { return .closed }
            let row = event.at.row - layout.list.row
            guard let index = list.item(atRow: row, count: shown.count, rows: layout.list.rows) else { return .handled }
            return .chosen(shown[index])
        }
        return .handled
    }

    // MARK: Drawing

    /// The position of the palette's parts. The box keeps its size while the list becomes shorter.
    private struct Layout {
        let hasFrame: Bool
        let box: Rect
        let text: Rect
        let list: Rect
        /// The whole description of the selected entry, and where the choice is kept; empty without room.
        let foot: Rect

        init(_ size: Size, count: Int) {
            let screen = Rect(size)
            hasFrame = size.columns >= 20 && size.rows >= 6
            let footRows = hasFrame ? (size.rows >= 16 ? 2 : size.rows >= 10 ? 1 : 0) : 0
            let rows = min(count + footRows + (hasFrame ? 3 : 1), size.rows - (size.rows >= 16 ? 4 : 0))
            box = screen.centered(Size(columns: min(72, size.columns), rows: rows))
            let (text, rest) = (hasFrame ? box.inset(columns: 1, rows: 1) : box).split(top: 1)
            let (list, foot) = rest.split(bottom: footRows)
            (self.text, self.list, self.foot) = (text, list, foot)
        }
    }

    /// Where a choice is kept, below as much of its description as there is room for.
    private static func foot(of entry: Entry, in size: Size) -> [TextLine] {
        let detail = TextLine.wrapped(entry.detail, columns: size.columns, style: Theme.muted)
        guard let text = entry.kept else { return detail }
        let kept = TextLine.wrapped(text, columns: size.columns, style: Theme.muted)
        return (entry.detail.isEmpty ? [] : detail.prefix(max(0, size.rows - kept.count))) + kept
    }

    /// Draws the palette as a box in the middle; the rest of the frame stays unchanged.
    func draw(in frame: inout Frame) {
        let layout = Layout(frame.size, count: entries.count)
        frame.fill(layout.box)
        if layout.hasFrame {
            frame.box(layout.box, title: "Find", style: Theme.accent, titleStyle: Theme.accent.with(.bold))
        }
        let prompt = frame.write(TextLine([.init("> ", Theme.accent), .init(filter.text)]), in: layout.text)
        if !layout.text.isEmpty, layout.text.columns > prompt {
            frame.cursor = Point(column: layout.text.column + prompt, row: layout.text.row)
        }
        if let selected {
            let area = layout.foot.inset(columns: 1)
            frame.write(Self.foot(of: selected, in: area.size), in: area)
        }
        if shown.isEmpty { frame.write(TextLine("nothing has these letters", Theme.muted), in: layout.list) }
        let keys = shown.map { frame.glyphs.keys($0.key) }
        let keyWidth = keys.map { CellText.width(of: $0) }.max() ?? 0
        let room = max(0, layout.list.columns - 4 - keyWidth)
        let titleWidth = min(26, shown.map { CellText.width(of: $0.title) }.max() ?? 0)
        frame.list(count: shown.count, state: list, in: layout.list) { index in
            let entry = shown[index]
            let title = CellText.truncate(entry.title, columns: room)
            let text = CellText.padded(title, columns: min(room, titleWidth))
            let rest = room - CellText.width(of: text) - 2
            let detail = rest >= 8 ? "  " + CellText.truncate(entry.detail, columns: rest) : ""
            return TextLine([
                .init(text), .init(CellText.padded(detail, columns: max(0, room - CellText.width(of: text))), Theme.muted),
                .init(" "), .init(keys[index], Theme.accent),
            ])
        }
    }
}
