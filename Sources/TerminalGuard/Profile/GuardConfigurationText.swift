import BellerophonBase
import Foundation

/// The settings of the kill switch for a profile, not yet read, with their origin.
package struct GuardConfigurationText: Equatable, Sendable {
    package let data: Data
    /// The path of the file, for the errors.
    package let origin: String
    /// Whether the settings are the object under `config` of a profile.
    package let isInline: Bool

    /// Reads the settings. Problems below `config` are reported with that prefix.
    package func read<Result>(
        _ body: (_ data: Data, _ origin: String) throws(ConfigurationError) -> Result
    ) throws(ConfigurationError) -> Result {
        do throws(ConfigurationError) {
            return try body(data, origin)
        } catch {
            guard isInline else { throw error }
            // The lines are those of the part and not of the file.
            let problems = error.problems.map { $0.replacing(#/^line \d+: /#, with: "") }
            throw ConfigurationError(origin: error.origin, problems: problems.map { "config.\($0)" })
        }
    }
}

/// Checks the settings of the kill switch: their data, and their origin for the errors.
package typealias GuardConfigurationCheck = @Sendable (_ data: Data, _ origin: String) throws(ConfigurationError) -> Void
