import ProgramKit
import ScenarioKit
import TerminalUI

extension DashboardModel {
    /// The most entries that are remembered as recent.
    private static let recentLimit = 8

    mutating func openPalette() {
        screen.palette = CommandPalette(paletteEntries, recent: view.recentEntries)
    }

    /// Handles a key in the palette. The screen has the colours of a theme while it is selected.
    mutating func handleInPalette(_ key: Key) -> [DashboardEffect] {
        let (size, before) = (size, screen.palette?.selected?.theme)
        switch screen.palette?.handle(key, size: size) {
        case .chosen(let entry):
            let previewed = closePalette()
            view.recentEntries = Array(([entry.title] + view.recentEntries.filter { $0 != entry.title }).prefix(Self.recentLimit))
            let effects = perform(entry.action)
            switch entry.action {
            case .effect(.theme), .effect(.settings): showNotice("\(entry.title), \(entry.kept ?? "")", for: .seconds(6))
            default: break
            }
            return previewed + effects
        case .closed: return closePalette()
        case .handled, nil:
            let theme = screen.palette?.selected?.theme
            return theme == before ? [] : [.preview(theme)]
        }
    }

    /// Closes the palette, and takes back the colours of a theme that was only selected.
    mutating func closePalette() -> [DashboardEffect] {
        defer { screen.palette = nil }
        return screen.palette?.selected?.theme == nil ? [] : [.preview(nil)]
    }

    private mutating func perform(_ action: CommandPalette.Entry.Action) -> [DashboardEffect] {
        switch action {
        case .command(let command): return perform(command)
        case .player(let key): return perform(key)
        case .focus(let pane):
            openPage(.panes)
            view.focus = pane
            return []
        case .effect(let effect):
            if case .settings(let settings) = effect { screen.live = settings }
            return [effect]
        }
    }

    private var paletteEntries: [CommandPalette.Entry] {
        commandEntries + playerEntries + scenarioEntries + serviceEntries + paneEntries
            + screen.themes.map { theme in
                .init(
                    title: "theme: \(theme.name)", action: .effect(.theme(theme)),
                    kept: screen.choiceFiles.place(ofSetting: "display.theme"))
            }
            + screen.live.choices.map { choice in
                .init(
                    title: choice.title, detail: choice.detail, action: .effect(.settings(choice.settings)),
                    kept: screen.choiceFiles.place(ofSetting: choice.setting))
            }
    }

    /// The commands that do not depend on a cursor.
    private var commandEntries: [CommandPalette.Entry] {
        let wanted: [DashboardCommand] = [
            .checkNow, .pickScenario, .bookmark, .nextBookmark, .services, .inspect, .filter, .copy, .sync, .exportJournal,
            .exportScenario, .help, .redraw, .quit,
        ]
        return wanted.compactMap { command in
            keyMap.bindings.first { $0.action == command }.map { binding in
                .init(
                    title: Self.words(command.rawValue), detail: binding.help, key: binding.keys.first?.label ?? "",
                    action: .command(command),
                    kept: command == .bookmark ? ChoiceFiles.place(screen.choiceFiles.bookmarks) : nil)
            }
        }
    }

    private var playerEntries: [CommandPalette.Entry] {
        guard hasScenarios else { return [] }
        return screen.keys.player.map.bindings.map { binding in
            .init(
                title: Self.words(binding.action.name), detail: binding.help, key: binding.keys.first?.label ?? "",
                action: .player(binding.action))
        }
    }

    private var scenarioEntries: [CommandPalette.Entry] {
        (simulation.scenarios?.items ?? []).map { item in
            let isTimeline = item.timeline != nil
            return .init(
                title: "\(isTimeline ? "timeline" : "scenario"): \(item.name)", detail: item.summary,
                action: .effect(.barricade(item.command)),
                kept: ChoiceFiles.place(isTimeline ? nil : screen.choiceFiles.selections))
        }
    }

    private var serviceEntries: [CommandPalette.Entry] {
        screen.serviceList.rows.enumerated().map { index, row in
            .init(
                title: "service: \(row.name)", detail: row.look.word, key: Self.serviceKey(of: index)?.label ?? "",
                action: .effect(.open(index)))
        }
    }

    private var paneEntries: [CommandPalette.Entry] {
        panes.filter(\.content.isFocusable).map { .init(title: "pane: \($0.name)", action: .focus($0)) }
    }

    /// `checkNow` as `check now`.
    private static func words(_ name: String) -> String {
        name.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    }
}
