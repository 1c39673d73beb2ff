import BellerophonBase
import TerminalUI

extension DisplaySettings {
    /// The theme; nil for the one that fits the terminal's background. ``Configuration/validate(origin:)`` refuses an unknown name.
    package var theme: ColorTheme? { themes.first { $0.name == themeName } }

    /// The themes to choose from. A person's own theme may replace one that ships.
    package var themes: [ColorTheme] { ownThemes + ColorTheme.named }

    static let themesSetting = Setting<Configuration>.object(
        "display.themes",
        expected: "an object of themes by name, each an object with a base (dark, light, high-contrast or mono) and colours by "
            + "role (\(ColorRole.allCases.map(\.rawValue).joined(separator: ", ")))",
        "themes of your own; a colour is #rrggbb, terminal, a name such as red or bright-red; only in the file"
    ) { members, configuration in
        var problems: [SettingProblem] = []
        configuration.display.ownThemes = members.compactMap { member in
            guard case .object(let parts) = member.node.value else {
                let found = member.node.typeName
                problems.append(
                    SettingProblem(member.name, at: member.position, "expected an object of colours by role, found \(found)"))
                return nil
            }
            return theme(member.name, parts, &problems)
        }
        return problems
    }

    private static func theme(_ name: String, _ parts: [JSONMember], _ problems: inout [SettingProblem]) -> ColorTheme {
        var base = ColorTheme.dark
        var colors: [ColorRole: Color] = [:]
        for part in parts {
            let text = part.node.string
            if part.name == "base", let found = ColorTheme.named.first(where: { $0.name == text }) {
                base = found
            } else if let role = ColorRole(rawValue: part.name), let color = text.flatMap(Color.init(setting:)) {
                colors[role] = color
            } else {
                problems.append(SettingProblem(name, part.name, at: part.position, expected(in: part.name)))
            }
        }
        return ColorTheme(name: name, basedOn: base, overrides: colors)
    }

    /// What a part of a theme must be.
    private static func expected(in name: String) -> String {
        let roles = ColorRole.allCases.map(\.rawValue)
        if name == "base" { return "expected one of \(ColorTheme.named.map(\.name).joined(separator: ", "))" }
        if roles.contains(name) { return "expected a colour: #rrggbb, terminal, a name such as red or bright-red" }
        return "there is no such role\(EditDistance.suggestion(for: name, among: ["base"] + roles))"
    }
}

extension Color {
    /// The names of the eight colours, in the order of their numbers (ECMA-48, section 8.3.117).
    private static let names: [Substring] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

    /// A colour as a person writes it: `#5fafff`, `red`, `bright-red`, `terminal`; nil if the text is none.
    init?(setting text: String) {
        if text == "terminal" {
            self = .terminal
        } else if let digits = text.wholeMatch(of: /#([0-9A-Fa-f]{6})/)?.1, let number = UInt32(digits, radix: 16) {
            self = .rgb(UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255))
        } else {
            let isBright = text.hasPrefix("bright-")
            guard let number = Self.names.firstIndex(of: isBright ? text.dropFirst("bright-".count) : text[...]) else {
                return nil
            }
            self = .ansi(UInt8(number + (isBright ? 8 : 0)))
        }
    }
}

extension Configuration {
    /// Requires that the theme exists.
    package func checkTheme(origin: String) throws(ConfigurationError) {
        let names = [DisplaySettings.automaticTheme] + display.themes.map(\.name)
        guard !names.contains(display.themeName) else { return }
        let hint = EditDistance.suggestion(for: display.themeName, among: names)
        throw ConfigurationError(
            origin: origin,
            "\(place("display.theme"))display.theme: there is no theme \"\(display.themeName)\"\(hint)")
    }
}
