import Bellerophon
import BellerophonBase
import Foundation

/// Finds and reads the configuration file.
package enum ConfigurationFile {
    /// The largest accepted file in bytes: 1 MiB.
    package static let sizeLimit = 1 << 20

    /// The default location: `$XDG_CONFIG_HOME/bellerophon/config.json`, else below `~/.config`. A relative value of the
    /// variable is ignored (XDG Base Directory Specification).
    package static func usualPlace(_ environment: [String: String]) -> URL {
        UserFolder.configuration.url(environment).appendingPathComponent("bellerophon/config.json")
    }

    /// The folder for state: `$XDG_STATE_HOME/bellerophon`, else below `~/.local/state`.
    package static func stateFolder(_ environment: [String: String]) -> URL {
        UserFolder.state.url(environment).appendingPathComponent("bellerophon")
    }

    /// Reads a file.
    /// - Parameter limit: the largest size in bytes, a multiple of 1 MiB.
    /// - Throws: why the file can't be read.
    package static func read(_ path: String, limit: Int = sizeLimit) throws(ConfigurationError) -> Data {
        do {
            return try InputFile.read(path, limit: limit)
        } catch .tooLarge {
            throw tooLarge(path, limit: limit)
        } catch {
            throw ConfigurationError(origin: path, "can't be read: \(error)")
        }
    }

    package static func tooLarge(_ origin: String, limit: Int) -> ConfigurationError {
        ConfigurationError(origin: origin, "larger than \(limit >> 20) MiB, which is more than is ever read")
    }
}
