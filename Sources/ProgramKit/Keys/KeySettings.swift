import Bellerophon
import BellerophonBase
import TerminalUI

/// The keys of the dashboard, the player and the views: the usual ones, except for the commands that a person has given others.
package struct KeySettings: Equatable, Sendable {
    private var changed: [String: [Key]] = [:]

    /// The usual keys.
    package init() {}

    /// The bindings of the dashboard.
    /// - Parameters:
    ///   - withScenarios: whether a barricade provides scenarios to pick.
    ///   - withServices: whether several services are watched.
    package func dashboard(withScenarios: Bool, withServices: Bool = false) -> KeyMap<DashboardCommand> {
        changing(DashboardCommand.keys(withScenarios: withScenarios, withServices: withServices)) { $0.rawValue }
    }

    /// The bindings of the player, without the digits.
    package var player: PlayerKeys { PlayerKeys(map: changing(PlayerKeys.usual) { $0.name }) }

    /// The bindings of the kill view.
    package var killView: KeyMap<OverlayCommand> { changing(OverlayCommand.standardKeys) }

    /// The bindings of the update view.
    package var updateView: KeyMap<OverlayCommand> { changing(OverlayCommand.updateKeys) }

    private func changing<Action>(_ map: KeyMap<Action>, _ name: (Action) -> String) -> KeyMap<Action> {
        map.replacingKeys { changed[name($0.action)] ?? $0.keys }
    }

    /// A command of a view that the dashboard has too has the same keys in both.
    private func changing(_ map: KeyMap<OverlayCommand>) -> KeyMap<OverlayCommand> {
        map.replacingKeys { binding in
            let (lines, pages) = binding.action.namesOfScrolling ?? (binding.action.settingName, nil)
            guard changed[lines] != nil || pages.map({ changed[$0] != nil }) == true else { return binding.keys }
            let usual = binding.keys.filter { ![.pageUp, .pageDown].contains($0) }
            let page = pages.map { changed[$0] ?? binding.keys.filter { [.pageUp, .pageDown].contains($0) } }
            return (changed[lines] ?? usual) + (page ?? [])
        }
    }

    private typealias Named = (name: String, keys: [Key])

    /// The keys that are taken at the same time, by the command's name in the settings.
    private var groups: [[Named]] {
        let player: [Named] = player.map.bindings.map { ($0.action.name, $0.keys) }
        let dashboard: [Named] = dashboard(withScenarios: true, withServices: true).bindings.map { ($0.action.rawValue, $0.keys) }
        let overViews = dashboard.filter {
            [DashboardCommand.pickScenario.rawValue, DashboardCommand.services.rawValue].contains($0.name)
        }
        return [dashboard + player]
            + [killView, updateView].map { view in view.bindings.map { ($0.action.settingName, $0.keys) } + player + overViews }
    }

    private static let names = KeySettings().groups.joined().map(\.name).reduce(into: [String]()) { names, name in
        if !names.contains(name) { names.append(name) }
    }

    // MARK: The setting

    static let setting = Setting<Configuration>.object(
        "keys",
        expected: "an object with one or several keys for a command: \(names.joined(separator: ", "))",
        "the keys of the dashboard and the views by command: a character, ctrl-r, f5, enter, up and so on; [] for none; only in the file"
    ) { members, configuration in
        var (settings, problems) = (KeySettings(), [SettingProblem]())
        for member in members {
            if !names.contains(member.name) {
                let hint = EditDistance.suggestion(for: member.name, among: names)
                problems.append(SettingProblem(member.name, at: member.position, "there is no such command\(hint)"))
            } else if let keys = keys(member.node) {
                settings.changed[member.name] = keys
            } else {
                let text = "expected a key or several in an array: a character, ctrl-r, f5, enter, escape, up, pagedown and so on"
                problems.append(SettingProblem(member.name, at: member.position, text))
            }
        }
        problems += members.compactMap(settings.conflict)
        configuration.display.keys = settings
        return problems
    }

    private static func keys(_ node: JSONNode) -> [Key]? {
        let texts: [JSONNode] = if case .array(let items) = node.value { items } else { [node] }
        let keys = texts.map { $0.string.flatMap(Key.init(setting:)) }
        return keys.contains(nil) ? nil : keys.compactMap { $0 }
    }

    /// A command's key that another command has too; nil if there is none.
    private func conflict(_ member: JSONMember) -> SettingProblem? {
        for key in changed[member.name] ?? [] {
            func refuse(_ other: String) -> SettingProblem {
                SettingProblem(member.name, at: member.position, "the key \(key.label) \(other)")
            }
            if key == .control("c") && member.name != DashboardCommand.quit.rawValue { return refuse("always quits") }
            if PlayerKeys.step(for: key) != nil { return refuse("goes to a step of a timeline or opens a service") }
            for group in groups where group.contains(where: { $0.name == member.name }) {
                let other = group.first { $0.name != member.name && $0.keys.contains(key) }
                if let other { return refuse("is that of \(other.name) too; give that command another one") }
            }
        }
        return nil
    }
}

extension KeyMap {
    /// The map with other keys; a binding without keys is left out.
    fileprivate func replacingKeys(_ keys: (KeyBinding<Action>) -> [Key]) -> KeyMap {
        KeyMap(
            bindings.compactMap { binding in
                let keys = keys(binding)
                return keys.isEmpty ? nil : KeyBinding(keys, does: binding.action, hint: binding.hint, help: binding.help)
            })
    }
}

extension OverlayCommand {
    /// The name in the settings.
    fileprivate var settingName: String {
        switch self {
        case .toggleDetails: "details"
        case .toggleHelp: DashboardCommand.help.rawValue
        case .scrollUp: DashboardCommand.up.rawValue
        case .scrollDown: DashboardCommand.down.rawValue
        case .scrollToTop: DashboardCommand.top.rawValue
        case .scrollToEnd: DashboardCommand.bottom.rawValue
        case .checkNow, .close, .quit, .copyMessage, .copyLink, .openLink, .runUpdate: rawValue
        }
    }

    /// A view scrolls by lines and by pages with one command, the dashboard with two.
    fileprivate var namesOfScrolling: (lines: String, pages: String?)? {
        switch self {
        case .scrollUp: (settingName, DashboardCommand.pageUp.rawValue)
        case .scrollDown: (settingName, DashboardCommand.pageDown.rawValue)
        default: nil
        }
    }
}

extension Key {
    private static let named: [String: Key] = [
        "space": .character(" "), "enter": .enter, "escape": .escape, "esc": .escape, "tab": .tab, "backtab": .backTab,
        "backspace": .backspace, "delete": .delete, "insert": .insert, "up": .up, "down": .down, "left": .left, "right": .right,
        "home": .home, "end": .end, "pageup": .pageUp, "pagedown": .pageDown,
    ]

    /// A key as a person writes it: `r`, `R`, `ctrl-r`, `f5`, `enter`, `space`; nil if the text is none.
    init?(setting text: String) {
        if let key = Self.named[text.lowercased()] {
            self = key
        } else if text.count == 1, let character = text.first, CellText.width(of: text) > 0, character != " " {
            self = .character(character)
        } else if let match = text.lowercased().wholeMatch(of: /ctrl-([a-z])/), let letter = match.1.first {
            self = .control(letter)
        } else if let match = text.lowercased().wholeMatch(of: /f([0-9]{1,2})/), let number = Int(match.1),
            (1...63).contains(number)
        {
            self = .function(number)
        } else {
            return nil
        }
    }
}
