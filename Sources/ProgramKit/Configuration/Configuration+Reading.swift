import BellerophonBase
import Foundation
import TerminalUI

extension Configuration {
    private static let reader = SettingsReader(settings)

    /// Overrides the current settings with those of a file. Reports all problems, not only the first.
    /// - Parameter origin: the file's name, for the errors.
    package mutating func apply(file data: Data, origin: String) throws(ConfigurationError) {
        adopt(try Self.reader.apply(file: data, origin: origin, to: &self, for: use))
    }

    private mutating func adopt(_ read: SettingsRead) {
        // A variable replaces the value of the file, so that its line is to blame no longer.
        for path in read.values.keys { lines[path] = read.lines[path] }
        warnings += read.warnings.map { "\($0) (this command does not use it)" }
    }

    /// Overrides the current settings with environment variables. An empty variable counts as absent,
    /// except an empty `BELLEROPHON_TRUST_KEYS`, which is an error.
    ///
    /// `ACCESSIBLE` selects plain output in every program that knows it; the program's own variable takes precedence.
    package mutating func apply(environment: [String: String]) throws(ConfigurationError) {
        if PlainPreference.isExpressed(in: environment) { display.isPlain = true }
        adopt(try Self.reader.apply(environment: environment, to: &self, for: use))
    }

    /// The variables of the environment that look like settings and are none, in words.
    package static func unknownVariables(in environment: [String: String]) -> [String] {
        reader.unknownVariables(
            in: environment, prefix: "BELLEROPHON_",
            except: [
                "BELLEROPHON_CONFIG", "BELLEROPHON_GUARD", "BELLEROPHON_HANDOVER", "BELLEROPHON_SERVER_", "BELLEROPHON_TOKEN",
            ],
            // An update command may start the program, which then finds what the command was told. A program that was started again after
            // an update finds that.
            named: [
                "BELLEROPHON_UPDATE_VERSION", "BELLEROPHON_UPDATE_PROGRAM", TransitionCommand.simulationVariable,
                "BELLEROPHON_RESTART",
            ])
    }

    /// The values that a file sets, by path, without their effect.
    package static func values(ofFile data: Data, origin: String) throws(ConfigurationError) -> [String: JSONValue] {
        var configuration = Configuration()
        return try reader.apply(file: data, origin: origin, to: &configuration).values
    }

    /// The values that the environment sets, by path, without their effect.
    package static func values(ofEnvironment environment: [String: String]) throws(ConfigurationError) -> [String: JSONValue] {
        var configuration = Configuration()
        return try reader.apply(environment: environment, to: &configuration).values
    }

    /// Overrides one setting with the text of a flag.
    /// - Parameter origin: the flag, for the errors; nil for that of the setting.
    package mutating func apply(flag path: String, text: String, origin: String? = nil) throws(ConfigurationError) {
        try Self.reader.apply(path, text: text, origin: origin ?? Self.reader.setting(path)?.flag ?? path, to: &self)
        lines[path] = nil
    }

    /// Checks the rules that involve several settings.
    package func validate(origin: String) throws(ConfigurationError) {
        guard minimumInterval <= maximumInterval else {
            throw ConfigurationError(
                origin: origin,
                place("status.minimumInterval", "status.maximumInterval")
                    + "status.minimumInterval: expected at most status.maximumInterval (\(maximumInterval.inSeconds)), found \(minimumInterval.inSeconds)"
            )
        }
        if use.contains("display.theme") { try checkTheme(origin: origin) }
        try checkTransport(origin: origin)
        try checkTrust(origin: origin)
        try checkServices(origin: origin)
    }

    /// The line of the file that has set the first of these settings, for an error: `line 3: `; empty if a flag, a variable or a
    /// default has.
    func place(_ paths: String...) -> String {
        paths.lazy.compactMap { lines[$0] }.first.map { "line \($0): " } ?? ""
    }

    /// The problems with settings that the command does not use.
    /// - Parameter origin: the file's name.
    package func warnings(origin: String) -> [String] {
        guard !use.contains("display.theme") else { return warnings }
        do throws(ConfigurationError) {
            try checkTheme(origin: origin)
            return warnings
        } catch {
            return warnings + error.description.split(separator: "\n").map { "\($0) (this command does not use it)" }
        }
    }
}
