import TerminalUI

/// An action of the dashboard that a key triggers.
package enum DashboardCommand: String, Equatable, Sendable, CaseIterable {
    case nextPane, previousPane, up, down, pageUp, pageDown, top, bottom
    case apply, checkNow, pickScenario, bookmark, nextBookmark, exportScenario, services, sync, inspect, filter, copy,
        exportJournal, palette, help, close, redraw, quit
}

extension DashboardCommand {
    /// The key bindings of the dashboard.
    /// - Parameters:
    ///   - withScenarios: whether a barricade provides scenarios to pick.
    ///   - withServices: whether several services are watched.
    package static func keys(withScenarios: Bool, withServices: Bool = false) -> KeyMap<DashboardCommand> {
        let choosing = (withScenarios ? picking : []) + (withServices ? [listing] : [])
        return KeyMap(moving + [opening(withScenarios), checking] + choosing + acting)
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

    private static let picking = [
        KeyBinding<DashboardCommand>(
            .character("s"), does: .pickScenario, hint: "scenario", help: "pick what the simulated server replies or plays"),
        KeyBinding(.character("m"), does: .bookmark, help: "mark a scenario or a timeline: marked ones come first"),
        KeyBinding(.character("'"), does: .nextBookmark, help: "pick the next one that is marked"),
        KeyBinding(.character("w"), does: .exportScenario, help: "save the picks of this session as a scenario file"),
    ]

    private static let listing = KeyBinding<DashboardCommand>(
        .character("0"), does: .services, hint: "services", help: "list all services; 1 to 9 opens one"
    )

    private static let acting: [KeyBinding<DashboardCommand>] = [
        KeyBinding(.character("i"), does: .inspect, hint: "inspect", help: "the raw reply, and why it led to this state"),
        KeyBinding(.character("/"), does: .filter, hint: "filter", help: "show only the lines of this pane that contain a text"),
        KeyBinding(.character("y"), does: .copy, help: "copy the inspected event to the clipboard"),
        KeyBinding(.character("S"), does: .sync, help: "ask the servers for newer content now"),
        KeyBinding(.character("e"), does: .exportJournal, help: "save this session's journal to a new file, as JSON lines"),
        KeyBinding(
            .character(":"), .control("p"), does: .palette,
            help: "find a command, scenario or theme by name or description"),
        KeyBinding(.escape, does: .close, help: "close what is open; clear the filter"),
        KeyBinding(.control("l"), does: .redraw, help: "redraw the screen"),
        KeyBinding(.character("?"), .function(1), does: .help, hint: "help", help: "show or hide this page"),
        KeyBinding(.character("q"), .control("c"), does: .quit, hint: "quit", help: "leave the program; on a page, go back"),
    ]

    /// The footer's hints while a filter is edited.
    package static let filterHints = [KeyHint(.enter, word: "keep"), KeyHint(.escape, word: "clear")]
}
