import ProgramKit
import ScenarioKit
import TerminalUI

/// The box in which a tester picks the simulated server's response. It opens over everything, including a kill view.
///
/// The selection and the filter of its list are the model's state of ``Pane/picker``.
struct ScenarioPicker: Equatable, Sendable {
    /// Whether the keys are listed in place of the scenarios.
    var showsKeys = false
    /// The panel in place of the list, in which the tester changes who the app is; nil while it is closed.
    var client: ClientPanel?

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
}

extension DashboardModel {
    /// Opens the picker if there are scenarios to pick from, with the cursor on the timeline that plays, or on the current
    /// response.
    mutating func openPicker() {
        guard let scenarios = simulation.scenarios, !hasPicker else { return }
        simulation.picker = ScenarioPicker()
        view[.picker] = PaneState(row: scenarios.firstSelected ?? 0)
    }

    // MARK: Keys

    /// Handles a key. While open, the picker takes every key except Ctrl-C and Ctrl-L.
    mutating func handleInPicker(_ key: Key) -> [DashboardEffect] {
        if case .mouse(let event) = key { return handleInPicker(event) }
        if simulation.picker?.client != nil { return handleInClient(key) }
        if simulation.picker?.showsKeys == true {
            // Any key returns to the list.
            simulation.picker?.showsKeys = false
            return []
        }
        if view[.picker].filter.isEditing, key != .enter, editFilter(key, of: .picker) { return [] }
        if let command = ScenarioPicker.keys.action(for: key) { return perform(command) }
        if let action = screen.keys.player.action(for: key) { return perform(action) }
        guard let command = keyMap.action(for: key), ScenarioPicker.bookmarkCommands.contains(command) else { return [] }
        return perform(command)
    }

    private mutating func handleInClient(_ key: Key) -> [DashboardEffect] {
        let subject = clientSubject
        if let effects = simulation.picker?.client?.handle(key, subject) { return effects }
        simulation.picker?.client = nil
        return []
    }

    private mutating func perform(_ command: ScenarioPicker.Command) -> [DashboardEffect] {
        switch command {
        case .filter: view[.picker].filter.edit()
        case .help: simulation.picker?.showsKeys = true
        case .client: simulation.picker?.client = ClientPanel()
        case .down: ScenariosPane.picker.move(by: 1, in: &self)
        case .up: ScenariosPane.picker.move(by: -1, in: &self)
        case .nextGroup: moveToGroup(after: true)
        case .previousGroup: moveToGroup(after: false)
        case .top: ScenariosPane.picker.move(by: -10_000, in: &self)
        case .bottom: ScenariosPane.picker.move(by: 10_000, in: &self)
        case .pick: return pick()
        case .close where view[.picker].filter.isActive:
            view[.picker].filter.clear()
            view[.picker].keptTop = nil
        case .close: simulation.picker = nil
        }
        // The list follows the cursor after a click has kept the first row.
        if view[.picker].keptTop != nil { keepTopOfPicker() }
        return []
    }

    private mutating func pick() -> [DashboardEffect] {
        guard let item = itemAtCursor else { return [] }
        simulation.picker = nil
        return [.barricade(item.command)]
    }

    /// Moves to the first item of the next group, or of the current or previous one.
    private mutating func moveToGroup(after: Bool) {
        let (list, cursor) = (ScenariosPane.picker.list(self), ScenariosPane.picker.selected(in: self))
        let groups = list.items.indices.map { list.heading(of: $0) }
        let starts = groups.indices.filter { $0 == 0 || groups[$0] != groups[$0 - 1] }
        let place = after ? starts.first { $0 > cursor } ?? groups.count : starts.last { $0 < cursor } ?? 0
        ScenariosPane.picker.select(place, in: &self)
    }

    private mutating func keepTopOfPicker() {
        view[.picker].keptTop = ScenariosPane.picker.top(in: PickerLayout(self, size: size).content, self)
    }

    /// A click moves the cursor to an item, a click on the cursor picks it, and one outside the box closes the picker; the wheel
    /// moves the cursor.
    private mutating func handleInPicker(_ event: MouseEvent) -> [DashboardEffect] {
        switch event.kind {
        case .wheelDown: return handleInPicker(.down)
        case .wheelUp: return handleInPicker(.up)
        case .release: return []
        case .press: break
        }
        var frame = Frame(size)
        drawPicker(in: &frame)
        if let key = frame.key(at: event.at) { return handleInPicker(key) }
        let (layout, subject) = (PickerLayout(self, size: size), clientSubject)
        if !layout.box.contains(event.at) {
            simulation.picker = nil
        } else if let client = simulation.picker?.client {
            let line = event.at.row - layout.content.row
            if layout.content.contains(event.at), let row = client.row(at: line, height: layout.content.rows, subject) {
                simulation.picker?.client?.click(row, subject)
            }
        } else if let row = ScenariosPane.picker.row(at: event.at, in: layout.content, self) {
            if row == ScenariosPane.picker.selected(in: self) { return pick() }
            keepTopOfPicker()
            ScenariosPane.picker.select(row, in: &self)
        }
        return []
    }

    // MARK: Hints

    /// The keys of the picker, the bookmarks and the player, for the list of keys.
    var pickerHelp: [KeyHint] {
        let bookmarks = keyMap.bindings.filter { ScenarioPicker.bookmarkCommands.contains($0.action) }
        return ScenarioPicker.keys.help + KeyMap(bookmarks).help + screen.keys.player.help
    }

    var pickerHints: [KeyHint] {
        if let client = simulation.picker?.client {
            return client.input.isEditing ? ClientPanel.inputHints : ClientPanel.keys.joinedHints
        }
        var hints = ScenarioPicker.keys.joinedHints
        guard let playback = shownPlayback else { return hints }
        hints.insert(contentsOf: screen.keys.player.hints(isPlaying: playback.phase == .playing), at: hints.count - 1)
        return hints
    }
}
