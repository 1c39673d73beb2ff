import ProgramKit
import ScenarioKit
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
        /// A command for the bookmarks; the picker stays open.
        case bookmarks(DashboardCommand)
        /// A change of who the app is or what time it is; the panel stays open.
        case effect(DashboardEffect)
        /// Close the picker, or the panel in it; nothing was picked.
        case closed
    }

    /// All scenarios and timelines; after a change the cursor stays on its item.
    var all: ScenarioList {
        didSet { show(all.filtered(by: filter.text)) }
    }
    /// Those that the filter matches.
    private(set) var list: ScenarioList
    private(set) var cursor: Int
    /// The first visible row after a click; nil keeps the cursor in the middle.
    private(set) var keptTop: Int?
    private(set) var filter = TextFilter()
    /// Whether the keys are listed in place of the scenarios.
    private(set) var showsKeys = false
    /// The panel in place of the list, in which the tester changes who the app is; nil while it is closed.
    private(set) var client: ClientPanel?

    private let keySettings: KeySettings
    private var playerKeys: PlayerKeys { keySettings.player }

    /// Opens with the cursor on the timeline that plays, or on the current response.
    init(_ list: ScenarioList, keys: KeySettings = KeySettings()) {
        (all, self.list) = (list, list)
        keySettings = keys
        cursor = list.firstSelected ?? 0
    }

    private mutating func show(_ next: ScenarioList) {
        let kept = highlighted.flatMap { next.place(of: $0) }
        if next.items.count != list.items.count { keptTop = nil }
        list = next
        cursor = min(kept ?? cursor, max(0, list.items.count - 1))
    }

    /// The item that Enter picks.
    var highlighted: Scenario? {
        list.items.indices.contains(cursor) ? list.items[cursor] : nil
    }

    /// Handles a key.
    /// - Parameters:
    ///   - size: the size of the frame with the picker, for mouse clicks.
    ///   - subject: the app and the time as they are now.
    mutating func handle(_ key: Key, size: Size, _ subject: ClientPanel.Subject) -> Outcome {
        if case .mouse(let event) = key { return handle(event, size: size, subject) }
        if client != nil { return handleInClient(key, subject) }
        if showsKeys {
            // Any key returns to the list.
            showsKeys = false
            return .handled
        }
        if filter.isEditing, edit(key) { return .handled }
        guard let command = Self.keys.action(for: key) else {
            if let action = playerKeys.action(for: key) { return .player(action) }
            let command = keySettings.dashboard(withScenarios: true).action(for: key)
            if let command, Self.bookmarkCommands.contains(command) { return .bookmarks(command) }
            return .handled
        }
        defer { followCursor(size) }
        return perform(command)
    }

    private mutating func handleInClient(_ key: Key, _ subject: ClientPanel.Subject) -> Outcome {
        let outcome = client?.handle(key, subject) ?? .handled
        guard outcome == .closed else { return outcome }
        client = nil
        return .handled
    }

    /// Follows the cursor after a click has kept the first row.
    private mutating func followCursor(_ size: Size) {
        guard keptTop != nil else { return }
        let layout = PickerLayout(self, size: size)
        keptTop = layout.rows.top(in: layout.content)
    }

    /// Changes the filter; the cursor goes to the best match. Returns false for a key that has its usual meaning.
    private mutating func edit(_ key: Key) -> Bool {
        if key == .enter { return false }
        let before = filter.text
        guard filter.handle(key) else { return false }
        guard filter.text != before else { return true }
        show(all.filtered(by: filter.text))
        if filter.isActive { cursor = list.bestMatch(for: filter.text) ?? 0 }
        return true
    }

    private mutating func close() -> Outcome {
        guard filter.isActive else { return .closed }
        filter.clear()
        show(all)
        return .handled
    }

    private mutating func perform(_ command: Command) -> Outcome {
        switch command {
        case .filter: filter.edit()
        case .help: showsKeys = true
        case .client: client = ClientPanel()
        case .down: move(by: 1)
        case .up: move(by: -1)
        case .nextGroup: moveToGroup(after: true)
        case .previousGroup: moveToGroup(after: false)
        case .top: cursor = 0
        case .bottom: cursor = max(0, list.items.count - 1)
        case .pick: return pick()
        case .close: return close()
        }
        return .handled
    }

    private func pick() -> Outcome {
        highlighted.map { .picked($0.command) } ?? .handled
    }

    private mutating func move(by lines: Int) {
        cursor = min(max(cursor + lines, 0), max(0, list.items.count - 1))
    }

    /// Moves to the first item of the next group, or of the current or previous one.
    private mutating func moveToGroup(after: Bool) {
        let groups = list.items.indices.map { list.heading(of: $0) }
        let starts = groups.indices.filter { $0 == 0 || groups[$0] != groups[$0 - 1] }
        if after {
            cursor = starts.first { $0 > cursor } ?? max(0, groups.count - 1)
        } else {
            cursor = starts.last { $0 < cursor } ?? 0
        }
    }

    private func button(at point: Point, size: Size, _ subject: ClientPanel.Subject) -> Key? {
        var frame = Frame(size)
        PickerLayout(self, size: size).draw(in: &frame, stage: .starting, subject)
        return frame.key(at: point)
    }

    /// A click moves the cursor to an item, a click on the cursor picks it, and one outside the box closes the picker; the wheel
    /// moves the cursor.
    private mutating func handle(_ event: MouseEvent, size: Size, _ subject: ClientPanel.Subject) -> Outcome {
        switch event.kind {
        case .wheelDown: return handle(.down, size: size, subject)
        case .wheelUp: return handle(.up, size: size, subject)
        case .release: break
        case .press:
            if let key = button(at: event.at, size: size, subject) { return handle(key, size: size, subject) }
            let layout = PickerLayout(self, size: size)
            guard layout.box.contains(event.at) else { return .closed }
            if let client {
                let area = layout.content
                guard area.contains(event.at), let row = client.row(at: event.at.row - area.row, height: area.rows, subject)
                else { return .handled }
                self.client?.click(row, subject)
            } else if let hit = layout.rows.index(at: event.at, in: layout.content) {
                if hit == cursor { return pick() }
                keptTop = layout.rows.top(in: layout.content)
                cursor = hit
            }
        }
        return .handled
    }
}

extension ScenarioPicker {
    enum Command: Equatable, Sendable {
        case down, up, nextGroup, previousGroup, top, bottom, pick, filter, client, help, close
    }

    static let keys = KeyMap<Command>([
        KeyBinding(.up, .character("k"), .backTab, does: .up, hint: "move", help: "previous scenario"),
        KeyBinding(.down, .character("j"), .tab, does: .down, hint: "move", help: "next scenario"),
        KeyBinding(.home, .character("g"), does: .top, help: "first scenario"),
        KeyBinding(.end, .character("G"), does: .bottom, help: "last scenario"),
        KeyBinding(
            .enter, .character(" "), does: .pick, hint: "apply", help: "apply the response; play the timeline"),
        KeyBinding(.escape, .character("s"), .character("q"), does: .close, hint: "close", help: "leave it as it is"),
        KeyBinding(
            .character("/"), does: .filter, hint: "find", help: "show only what contains a text; Enter applies the best match"),
        KeyBinding(
            .character("c"), does: .client, hint: "app", help: "change who the simulated app is, and what time it is"),
        KeyBinding(.left, .character("h"), .pageUp, does: .previousGroup, hint: "group", help: "previous group"),
        KeyBinding(.right, .character("l"), .pageDown, does: .nextGroup, hint: "group", help: "next group"),
        KeyBinding(.character("?"), .function(1), does: .help, hint: "keys", help: "show this list"),
    ])

    /// The commands of the dashboard that act in the picker too.
    static let bookmarkCommands: [DashboardCommand] = [.bookmark, .nextBookmark]

    /// The keys of the picker, the bookmarks and the player, for the list of keys.
    var help: [KeyHint] {
        let bindings = keySettings.dashboard(withScenarios: true).bindings
        return Self.keys.help + KeyMap(bindings.filter { Self.bookmarkCommands.contains($0.action) }).help + playerKeys.help
    }

    var hints: [KeyHint] {
        if let client { return client.input.isEditing ? ClientPanel.inputHints : ClientPanel.keys.joinedHints }
        var hints = Self.keys.joinedHints
        guard let playback = shownPlayback else { return hints }
        hints.insert(contentsOf: playerKeys.hints(isPlaying: playback.phase == .playing), at: hints.count - 1)
        return hints
    }

    /// The timeline whose player is shown and controlled.
    var shownPlayback: Playback? { list.shownPlayback(at: cursor) }
}
