import TerminalUI

/// An action of the dashboard that a key triggers.
package enum DashboardCommand: String, Equatable, Sendable, CaseIterable {
    case nextPane, previousPane, up, down, pageUp, pageDown, top, bottom
    case apply, checkNow, pickScenario, sync, inspect, filter, copy, exportJournal, palette, help, close, redraw, quit
}

extension DashboardCommand {
    /// The key bindings of the dashboard.
    /// - Parameter withScenarios: whether a barricade provides scenarios to pick.
    package static func keys(withScenarios: Bool) -> KeyMap<DashboardCommand> {
        KeyMap(moving + [opening(withScenarios), checking] + (withScenarios ? [picking] : []) + acting)
    }

    private static let moving: [KeyBinding<DashboardCommand>] = [
        KeyBinding(.tab, .right, .character("l"), does: .nextPane, hint: "pane", help: "go to the next pane"),
        KeyBinding(.backTab, .left, .character("h"), does: .previousPane, help: "go to the previous pane"),
        KeyBinding(.up, .character("k"), does: .up, hint: "move", help: "previous line"),
        KeyBinding(.down, .character("j"), does: .down, hint: "move", help: "next line"),
        KeyBinding(.pageDown, .character(" "), does: .pageDown, help: "ten lines down"),
        KeyBinding(.pageUp, does: .pageUp, help: "ten lines up"),
        KeyBinding(.character("g"), .home, does: .top, help: "first line; in a log the newest, and stay with it"),
        KeyBinding(.character("G"), .end, does: .bottom, help: "last line"),
    ]

    private static func opening(_ withScenarios: Bool) -> KeyBinding<DashboardCommand> {
        KeyBinding(
            .enter, does: .apply, hint: "open",
            help: withScenarios ? "open, apply, play or sync what is selected" : "open the event, sync the resource"
        )
    }

    private static let checking = KeyBinding<DashboardCommand>(
        .character("r"), does: .checkNow, hint: "check", help: "ask the server for the status now"
    )

    private static let picking = KeyBinding<DashboardCommand>(
        .character("s"), does: .pickScenario, hint: "scenario", help: "pick what the simulated server replies or plays"
    )

    private static let acting: [KeyBinding<DashboardCommand>] = [
        KeyBinding(.character("i"), does: .inspect, hint: "inspect", help: "the raw reply, and why it led to this state"),
        KeyBinding(.character("/"), does: .filter, hint: "filter", help: "show only the events that contain a text"),
        KeyBinding(.character("y"), does: .copy, help: "copy the inspected event to the clipboard"),
        KeyBinding(.character("S"), does: .sync, help: "ask the servers for newer content now"),
        KeyBinding(.character("e"), does: .exportJournal, help: "save this session's journal to a new file, as JSON lines"),
        KeyBinding(
            .character(":"), .control("p"), does: .palette, help: "find a command, a scenario or a theme by a few letters"),
        KeyBinding(.escape, does: .close, help: "close what is open; clear the filter"),
        KeyBinding(.control("l"), does: .redraw, help: "redraw the screen"),
        KeyBinding(.character("?"), .function(1), does: .help, hint: "help", help: "show or hide this page"),
        KeyBinding(.character("q"), .control("c"), does: .quit, hint: "quit", help: "leave the program; on a page, go back"),
    ]

    /// The footer's hints while a filter is edited.
    static let filterHints = [KeyHint(.enter, word: "keep"), KeyHint(.escape, word: "clear")]
}
