import BellerophonBase
import Foundation

extension Configuration {
    private static let reader = SettingsReader(settings)

    /// Puts a file's settings over the present ones. All problems are found, not only the first.
    /// - Parameter origin: the file's name, for the errors.
    package mutating func apply(file data: Data, origin: String) throws(ConfigurationError) {
        try Self.reader.apply(file: data, origin: origin, to: &self)
    }

    /// Puts the variables of the environment over the present settings. An empty variable counts as absent.
    package mutating func apply(environment: [String: String]) throws(ConfigurationError) {
        try Self.reader.apply(environment: environment, to: &self)
    }

    /// Puts one setting, as text from a flag, over the present ones.
    package mutating func apply(flag path: String, text: String) throws(ConfigurationError) {
        try Self.reader.apply(path, text: text, origin: Self.reader.setting(path)?.flag ?? path, to: &self)
    }

    /// Checks what no single setting can know.
    package func validate(origin: String) throws(ConfigurationError) {
        guard minimumInterval <= maximumInterval else {
            throw ConfigurationError(
                origin: origin,
                "status.minimumInterval: expected at most status.maximumInterval (\(maximumInterval.inSeconds)), found \(minimumInterval.inSeconds)"
            )
        }
        try checkTransport(origin: origin)
        try checkTrust(origin: origin)
    }
}
