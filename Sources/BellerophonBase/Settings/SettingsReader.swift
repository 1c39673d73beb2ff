package import Foundation
import SafeText

/// Reads settings from a file, from the environment and from flags into a configuration.
package struct SettingsReader<Configuration> {
    private let settings: [Setting<Configuration>]

    package init(_ settings: [Setting<Configuration>]) {
        self.settings = settings
    }

    package func setting(_ path: String) -> Setting<Configuration>? {
        settings.first { $0.path == path }
    }

    // MARK: The file

    /// Applies the settings of a file to a configuration. All problems are reported, not only the first.
    /// - Parameters:
    ///   - origin: the file's name, for the errors.
    ///   - use: the settings that count. A problem with another one is a warning.
    @discardableResult
    package func apply(
        file data: Data, origin: String, to configuration: inout Configuration, for use: SettingsUse = .all
    ) throws(ConfigurationError) -> SettingsRead {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONReader.read(data)
        } catch {
            throw ConfigurationError(origin: origin, "not JSON: \(error)")
        }
        guard case .object(let members) = root.value else {
            throw ConfigurationError(origin: origin, "expected a JSON object, found \(root.typeName)")
        }
        var reading = Reading(configuration: configuration)
        read(members, below: "", &reading)
        let problems = reading.problems.filter { use.contains($0.path) }
        guard problems.isEmpty else { throw ConfigurationError(origin: origin, problems: problems.map(\.line)) }
        configuration = reading.configuration
        reading.read.warnings = reading.problems.map { "\(origin): \($0.line)" }
        return reading.read
    }

    /// Applies the settings of an object that is part of a file.
    /// - Returns: the problems; if there is one, the configuration is unchanged.
    package func apply(_ members: [JSONMember], to configuration: inout Configuration) -> [SettingProblem] {
        var reading = Reading(configuration: configuration)
        read(members, below: "", &reading)
        if reading.problems.isEmpty { configuration = reading.configuration }
        return reading.problems
    }

    private struct Reading {
        var configuration: Configuration
        var read = SettingsRead()
        var problems: [SettingProblem] = []
    }

    private func read(_ members: [JSONMember], below prefix: String, _ reading: inout Reading) {
        for member in members where prefix + member.name != "$schema" {
            let path = prefix + member.name
            if let setting = setting(path) {
                let value = JSONValue(member.node)
                reading.read.lines[path] = member.position.line
                if let problems = setting.applyNode?(member.node, &reading.configuration) {
                    reading.problems += problems.map { SettingProblem(Self.safe($0.below(path).path), at: $0.position, $0.text) }
                    reading.read.values[path] = value
                } else if setting.apply(value, &reading.configuration) {
                    reading.read.values[path] = value
                } else {
                    let advice = Self.advice(on: value, for: setting)
                    refuse(path, "expected \(setting.expected), found \(Self.shown(value, of: setting))" + advice)
                }
            } else if settings.contains(where: { $0.path.hasPrefix(path + ".") }) {
                if case .object(let inner) = member.node.value {
                    read(inner, below: path + ".", &reading)
                } else {
                    refuse(path, "expected an object, found \(member.node.typeName)")
                }
            } else {
                refuse(Self.safe(path), "unknown key; \(suggestion(for: path))")
            }
            func refuse(_ path: String, _ text: String) {
                reading.problems.append(SettingProblem(path, at: member.position, text))
            }
        }
    }

    // MARK: The environment and flags

    /// Applies the environment's variables to a configuration. An empty variable counts as absent, unless the setting refuses
    /// an empty value.
    /// - Parameter use: the settings that count. A problem with another one is a warning.
    @discardableResult
    package func apply(
        environment: [String: String], to configuration: inout Configuration, for use: SettingsUse = .all
    ) throws(ConfigurationError) -> SettingsRead {
        var read = SettingsRead()
        for setting in settings {
            guard let variable = setting.variable, let text = environment[variable] else { continue }
            guard !text.isEmpty || setting.adviceOnEmpty != nil else { continue }
            do throws(ConfigurationError) {
                read.values[setting.path] = try apply(setting, text: text, origin: variable, to: &configuration)
            } catch {
                guard !use.contains(setting.path) else { throw error }
                read.warnings.append(error.description)
            }
        }
        return read
    }

    /// Applies one setting, as text from a flag or a variable, to a configuration.
    /// - Parameter origin: the flag or the variable, for the errors.
    /// - Returns: the value that was set.
    @discardableResult
    package func apply(
        _ path: String, text: String, origin: String, to configuration: inout Configuration
    ) throws(ConfigurationError) -> JSONValue {
        guard let setting = setting(path) else {
            throw ConfigurationError(origin: origin, "unknown setting \(Self.quoted(path)); \(suggestion(for: path))")
        }
        return try apply(setting, text: text, origin: origin, to: &configuration)
    }

    /// Parses the text as a number or a boolean first, then as a duration with units, then uses it as text.
    private func apply(
        _ setting: Setting<Configuration>, text: String, origin: String, to configuration: inout Configuration
    ) throws(ConfigurationError) -> JSONValue {
        if let value = JSONValue(parsing: Data(text.utf8)), setting.apply(value, &configuration) { return value }
        if setting.isDuration, let duration = Duration(written: text) {
            let value = JSONValue.number(duration.inSeconds)
            if setting.apply(value, &configuration) { return value }
        }
        guard setting.apply(.string(text), &configuration) else {
            let found = Self.shown(.string(text), of: setting) + Self.advice(on: .string(text), for: setting)
            throw ConfigurationError(origin: origin, "expected \(setting.expectedOfText), found \(found)")
        }
        return .string(text)
    }

    /// The variables that look like settings and are none, each with what is meant instead.
    /// - Parameters:
    ///   - prefix: the beginning of the settings' variables.
    ///   - others: the names and beginnings of other variables with that prefix.
    ///   - names: the whole names of further variables with that prefix.
    package func unknownVariables(
        in environment: [String: String], prefix: String, except others: [String], named names: [String] = []
    ) -> [String] {
        let known = settings.compactMap(\.variable)
        return environment.keys.sorted().compactMap { name in
            guard name.hasPrefix(prefix), !known.contains(name), !names.contains(name), !others.contains(where: name.hasPrefix)
            else { return nil }
            let suggestion = EditDistance.nearest(to: name, among: known).map { "did you mean \($0)?" }
            return "\(Self.safe(name)) is no setting; \(suggestion ?? "it has no effect")"
        }
    }

    // MARK: Messages

    /// What to do instead of giving an empty value, or the name that is meant; empty for any other value.
    private static func advice(on value: JSONValue, for setting: Setting<Configuration>) -> String {
        if case .string(let text) = value, let name = EditDistance.nearest(to: text, among: setting.choices) {
            return "; did you mean \"\(name)\"?"
        }
        guard value.isBlank, let advice = setting.adviceOnEmpty else { return "" }
        return "; \(advice)"
    }

    private static func safe(_ text: String) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80)
    }

    private static func quoted(_ text: String) -> String { "\"\(safe(text))\"" }

    private static func shown(_ value: JSONValue, of setting: Setting<Configuration>) -> String {
        switch value {
        case .string(let text) where setting.mayHaveSecret && !value.isBlank:
            "other text of \(text.count) characters, which is not repeated because it may have a password"
        case .string(let text): quoted(AddressText.withoutPassword(text))
        case .number(let number): "the number \(JSONNode.number(number).compactText())"
        default: value.typeName
        }
    }

    /// The known path or section that is most similar. For a key at the wrong level the last parts are compared.
    private func suggestion(for path: String) -> String {
        let last = path.split(separator: ".").last.map(String.init) ?? path
        let settings = settings.map(\.path).map { known in
            let part = known.split(separator: ".").last.map(String.init) ?? known
            return (known, min(EditDistance.between(path, known), EditDistance.between(last, part) + 1))
        }
        let sections = sections.map { ($0, EditDistance.between(path, $0)) }
        guard let best = (settings + sections).min(by: { $0.1 < $1.1 }), best.1 <= max(2, last.count / 2) else {
            return "there is no such setting"
        }
        return "did you mean \(best.0)?"
    }

    /// The paths of the objects that have settings.
    private var sections: [String] {
        var sections: [String] = []
        for setting in settings {
            let parts = setting.path.split(separator: ".")
            for count in 1..<max(1, parts.count) {
                let section = parts[..<count].joined(separator: ".")
                if !sections.contains(section) { sections.append(section) }
            }
        }
        return sections
    }
}

extension JSONValue {
    /// Whether the value is null, text without visible characters, or an array of nothing else.
    fileprivate var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        case .array(let values): values.allSatisfy(\.isBlank)
        default: false
        }
    }
}
