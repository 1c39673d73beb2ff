import BellerophonBase
import TerminalUI

/// The keys of the dashboard and the player: the usual ones, except for the commands that a person has given others.
package struct KeySettings: Equatable, Sendable {
    private var changed: [String: [Key]] = [:]

    /// The usual keys.
    package init() {}

    /// The bindings of the dashboard.
    /// - Parameter withScenarios: whether a barricade provides scenarios to pick.
    func dashboard(withScenarios: Bool) -> KeyMap<DashboardCommand> {
        changing(DashboardCommand.keys(withScenarios: withScenarios)) { $0.rawValue }
    }

    /// The bindings of the player, without the digits.
    var player: PlayerKeys { PlayerKeys(changing(PlayerKeys.usual) { $0.name }) }

    private func changing<Action>(_ map: KeyMap<Action>, _ name: (Action) -> String) -> KeyMap<Action> {
        KeyMap(
            map.bindings.compactMap { binding in
                guard let keys = changed[name(binding.action)] else { return binding }
                return keys.isEmpty ? nil : binding.with(keys)
            })
    }

    /// The keys of each command by its name in the settings.
    private var all: [(name: String, keys: [Key])] {
        dashboard(withScenarios: true).bindings.map { ($0.action.rawValue, $0.keys) }
            + player.map.bindings.map { ($0.action.name, $0.keys) }
    }

    private static let names = KeySettings().all.map(\.name)

    // MARK: The setting

    static let setting = Setting<Configuration>.object(
        "keys",
        expected: "an object with one or several keys for a command: \(names.joined(separator: ", "))",
        "the keys of the dashboard's commands: a character, ctrl-r, f5, enter, up and so on; [] for none; only in the file"
    ) { members, configuration in
        var (settings, problems) = (KeySettings(), [SettingProblem]())
        for member in members {
            guard names.contains(member.name) else {
                let hint = EditDistance.suggestion(for: member.name, among: names)
                problems.append(SettingProblem(member.name, at: member.position, "there is no such command\(hint)"))
                continue
            }
            guard let keys = keys(member.node) else {
                let text = "expected a key or several in an array: a character, ctrl-r, f5, enter, escape, up, pagedown and so on"
                problems.append(SettingProblem(member.name, at: member.position, text))
                continue
            }
            settings.changed[member.name] = keys
        }
        for member in members { problems += settings.conflict(of: member).map { [$0] } ?? [] }
        configuration.display.keys = settings
        return problems
    }

    private static func keys(_ node: JSONNode) -> [Key]? {
        let texts: [JSONNode] = if case .array(let items) = node.value { items } else { [node] }
        let keys = texts.map { node -> Key? in
            if case .string(let text) = node.value { Key(setting: text) } else { nil }
        }
        return keys.contains(nil) ? nil : keys.compactMap { $0 }
    }

    /// A command's key that another command has too; nil if there is none.
    private func conflict(of member: JSONMember) -> SettingProblem? {
        for key in changed[member.name] ?? [] {
            func refuse(_ other: String) -> SettingProblem {
                SettingProblem(member.name, at: member.position, "the key \(key.label) \(other)")
            }
            if key == .control("c") && member.name != DashboardCommand.quit.rawValue { return refuse("always quits") }
            if PlayerKeys.step(for: key) != nil { return refuse("goes to a step of the timeline") }
            let other = all.first { $0.name != member.name && $0.keys.contains(key) }
            if let other { return refuse("is that of \(other.name) too; give that command another one") }
        }
        return nil
    }
}

extension KeyBinding {
    /// The binding with other keys.
    fileprivate func with(_ keys: [Key]) -> KeyBinding { KeyBinding(keys, does: action, hint: hint, help: help) }
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
