import Bellerophon
import BellerophonBase
import Foundation

/// Finds and reads the configuration file.
package enum ConfigurationFile {
    /// A file larger than that is none of ours.
    package static let sizeLimit = 1 << 20

    /// The usual place: `$XDG_CONFIG_HOME/bellerophon/config.json`, else below `~/.config`
    /// (XDG Base Directory Specification; a relative value is ignored, as it says).
    package static func usualPlace(_ environment: [String: String]) -> URL {
        UserFolder.configuration.url(environment).appendingPathComponent("bellerophon/config.json")
    }

    /// Where state is kept: `$XDG_STATE_HOME/bellerophon`, else below `~/.local/state`.
    package static func stateFolder(_ environment: [String: String]) -> URL {
        UserFolder.state.url(environment).appendingPathComponent("bellerophon")
    }

    /// A file's bytes, or why they can't be had.
    /// - Parameter limit: bytes, whole MiB; a larger file is refused.
    package static func read(_ path: String, limit: Int = sizeLimit) throws(ConfigurationError) -> Data {
        do {
            return try InputFile.read(path, limit: limit)
        } catch .tooLarge {
            throw ConfigurationError(origin: path, "larger than \(limit >> 20) MiB, which is more than is ever read")
        } catch {
            throw ConfigurationError(origin: path, "can't be read: \(error)")
        }
    }
}
