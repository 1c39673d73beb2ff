import ProgramKit
import ScenarioKit
import TerminalUI

extension DashboardModel {
    /// The most entries that are remembered as recent.
    private static let recentLimit = 8

    mutating func openPalette() {
        screen.palette = CommandPalette(paletteEntries, recent: view.recentEntries)
    }

    mutating func handleInPalette(_ key: Key) -> [DashboardEffect] {
        let size = size
        switch screen.palette?.handle(key, size: size) {
        case .chosen(let entry):
            screen.palette = nil
            view.recentEntries = Array(([entry.title] + view.recentEntries.filter { $0 != entry.title }).prefix(Self.recentLimit))
            return perform(entry.action)
        case .closed: screen.palette = nil
        case .handled, nil: break
        }
        return []
    }

    private mutating func perform(_ action: CommandPalette.Entry.Action) -> [DashboardEffect] {
        switch action {
        case .command(let command): return view.page == .panes ? perform(command) : performOnPage(command)
        case .player(let key): return perform(key)
        case .barricade(let command): return [.barricade(command)]
        case .focus(let pane):
            openPage(.panes)
            view.focus = pane
            return []
        case .service(let index): return [.open(index)]
        case .theme(let theme): return [.theme(theme)]
        case .settings(let settings):
            screen.live = settings
            return [.settings(settings)]
        }
    }

    private var paletteEntries: [CommandPalette.Entry] {
        commandEntries + playerEntries + scenarioEntries + serviceEntries + paneEntries
            + screen.themes.map { .init(title: "theme: \($0.name)", detail: "", key: "", action: .theme($0)) }
            + screen.live.choices.map { .init(title: $0.title, detail: $0.detail, key: "", action: .settings($0.settings)) }
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
                    action: .command(command))
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
            let kind = if case .timeline = item { "timeline" } else { "scenario" }
            return .init(title: "\(kind): \(item.name)", detail: item.summary, key: "", action: .barricade(item.command))
        }
    }

    private var serviceEntries: [CommandPalette.Entry] {
        screen.serviceList.rows.enumerated().map { index, row in
            .init(
                title: "service: \(row.name)", detail: row.look.word, key: Self.serviceKey(of: index)?.label ?? "",
                action: .service(index))
        }
    }

    private var paneEntries: [CommandPalette.Entry] {
        panes.filter(\.content.isFocusable).map { .init(title: "pane: \($0.name)", detail: "", key: "", action: .focus($0)) }
    }

    /// `checkNow` as `check now`.
    private static func words(_ name: String) -> String {
        name.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    }
}
