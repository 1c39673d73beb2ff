import BellerophonBase
import Foundation
import TerminalUI

extension Configuration {
    private static let reader = SettingsReader(settings)

    /// Overrides the current settings with those of a file. Reports all problems, not only the first.
    /// - Parameter origin: the file's name, for the errors.
    package mutating func apply(file data: Data, origin: String) throws(ConfigurationError) {
        try Self.reader.apply(file: data, origin: origin, to: &self)
    }

    /// Overrides the current settings with environment variables. An empty variable counts as absent,
    /// except an empty `BELLEROPHON_TRUST_KEYS`, which is an error.
    ///
    /// `ACCESSIBLE` selects plain output in every program that knows it; the program's own variable takes precedence.
    package mutating func apply(environment: [String: String]) throws(ConfigurationError) {
        if PlainWish.isExpressed(in: environment) { display.isPlain = true }
        try Self.reader.apply(environment: environment, to: &self)
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
            named: [UpdateVariable.version, UpdateVariable.program, TransitionCommand.simulationVariable, "BELLEROPHON_RESTART"])
    }

    /// The values that a file sets, by path, without their effect.
    package static func values(ofFile data: Data, origin: String) throws(ConfigurationError) -> [String: JSONValue] {
        var configuration = Configuration()
        return try reader.apply(file: data, origin: origin, to: &configuration)
    }

    /// The values that the environment sets, by path, without their effect.
    package static func values(ofEnvironment environment: [String: String]) throws(ConfigurationError) -> [String: JSONValue] {
        var configuration = Configuration()
        return try reader.apply(environment: environment, to: &configuration)
    }

    /// Overrides one setting with the text of a flag.
    package mutating func apply(flag path: String, text: String) throws(ConfigurationError) {
        try Self.reader.apply(path, text: text, origin: Self.reader.setting(path)?.flag ?? path, to: &self)
    }

    /// Checks the rules that involve several settings.
    package func validate(origin: String) throws(ConfigurationError) {
        guard minimumInterval <= maximumInterval else {
            throw ConfigurationError(
                origin: origin,
                "status.minimumInterval: expected at most status.maximumInterval (\(maximumInterval.inSeconds)), found \(minimumInterval.inSeconds)"
            )
        }
        try display.checkTheme(origin: origin)
        try checkTransport(origin: origin)
        try checkTrust(origin: origin)
        try checkServices(origin: origin)
    }
}
