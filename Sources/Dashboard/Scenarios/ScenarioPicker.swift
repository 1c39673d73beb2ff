import TerminalUI

/// The box in which a tester picks the simulated server's response. It opens over everything, including a kill view.
struct ScenarioPicker: Equatable, Sendable {
    /// The result of a key. While open, the picker takes every key except Ctrl-C and Ctrl-L.
    enum Outcome: Equatable, Sendable {
        /// The picker used the key, or the key has no meaning in it.
        case handled
        /// A scenario or a timeline was picked; close the picker.
        case picked(BarricadeCommand)
        /// A command for the timeline that is shown; the picker stays open.
        case player(PlayerKey)
        /// Close the picker; nothing was picked.
        case closed
        /// The key is for the host: quit or redraw.
        case passed
    }

    /// The current list; after a change the cursor stays on its item.
    var list: ScenarioList {
        didSet {
            let kept = oldValue.items.indices.contains(cursor) ? list.place(of: oldValue.items[cursor]) : nil
            cursor = min(kept ?? cursor, max(0, list.items.count - 1))
        }
    }
    private(set) var cursor: Int

    /// Opens with the cursor on the timeline that plays, or on the current response.
    init(_ list: ScenarioList) {
        self.list = list
        cursor = list.firstSelected ?? 0
    }

    /// The item that Enter picks.
    var highlighted: ScenarioList.Item? {
        list.items.indices.contains(cursor) ? list.items[cursor] : nil
    }

    /// Handles a key.
    /// - Parameter size: the size of the frame with the picker, for mouse clicks.
    mutating func handle(_ key: Key, size: Size) -> Outcome {
        if case .mouse(let event) = key { return handle(event, size: size) }
        guard let command = Self.keys.action(for: key) else {
            if let action = PlayerKeys.action(for: key) { return .player(action) }
            return key == .control("c") || key == .control("l") || key == .resize ? .passed : .handled
        }
        return perform(command)
    }

    private mutating func perform(_ command: Command) -> Outcome {
        switch command {
        case .down: move(by: 1)
        case .up: move(by: -1)
        case .nextGroup: moveToGroup(after: true)
        case .previousGroup: moveToGroup(after: false)
        case .top: cursor = 0
        case .bottom: cursor = max(0, list.items.count - 1)
        case .pick: return pick()
        case .close: return .closed
        }
        return .handled
    }

    private func pick() -> Outcome {
        highlighted.map { .picked($0.command) } ?? .closed
    }

    private mutating func move(by lines: Int) {
        cursor = min(max(cursor + lines, 0), max(0, list.items.count - 1))
    }

    /// Moves to the first item of the next group, or of the current or previous one.
    private mutating func moveToGroup(after: Bool) {
        let groups = list.items.map(\.group)
        let starts = groups.indices.filter { $0 == 0 || groups[$0] != groups[$0 - 1] }
        if after {
            cursor = starts.first { $0 > cursor } ?? max(0, groups.count - 1)
        } else {
            cursor = starts.last { $0 < cursor } ?? 0
        }
    }

    /// A click picks an item, or closes the picker if it is outside the box; the wheel moves the cursor.
    private mutating func handle(_ event: MouseEvent, size: Size) -> Outcome {
        switch event.kind {
        case .wheelDown: move(by: 1)
        case .wheelUp: move(by: -1)
        case .release: break
        case .press:
            let layout = PickerLayout(list, cursor: cursor, size: size)
            guard layout.box.contains(event.at) else { return .closed }
            guard let hit = layout.rows.index(at: event.at, in: layout.list) else { return .handled }
            cursor = hit
            return pick()
        }
        return .handled
    }
}

extension ScenarioPicker {
    enum Command: Equatable, Sendable { case down, up, nextGroup, previousGroup, top, bottom, pick, close }

    static let keys = KeyMap<Command>([
        KeyBinding(.up, .character("k"), .backTab, does: .up, hint: "move", help: "previous scenario"),
        KeyBinding(.down, .character("j"), .tab, does: .down, hint: "move", help: "next scenario"),
        KeyBinding(.home, .character("g"), does: .top, help: "first scenario"),
        KeyBinding(.end, .character("G"), does: .bottom, help: "last scenario"),
        KeyBinding(
            .enter, .character(" "), does: .pick, hint: "apply", help: "apply the response; play the timeline"),
        KeyBinding(.escape, .character("s"), .character("q"), does: .close, hint: "close", help: "leave it as it is"),
        KeyBinding(.left, .character("h"), .pageUp, does: .previousGroup, hint: "group", help: "previous group"),
        KeyBinding(.right, .character("l"), .pageDown, does: .nextGroup, hint: "group", help: "next group"),
    ])

    /// Draws the picker as a box in the middle; the rest of the frame stays unchanged.
    /// - Parameter stage: the app's stage, which the picker shows because it may cover the only other indication.
    func draw(in frame: inout Frame, stage: StageLook) {
        PickerLayout(list, cursor: cursor, size: frame.size).draw(in: &frame, stage: stage, hints: hints)
    }

    private var hints: [KeyHint] {
        var hints = Self.keys.joinedHints
        guard let playback = shownPlayback else { return hints }
        hints.insert(contentsOf: PlayerKeys.hints(isPlaying: playback.phase == .playing), at: hints.count - 1)
        return hints
    }

    /// The timeline whose player is shown and controlled.
    var shownPlayback: Playback? { list.shownPlayback(at: cursor) }
}
