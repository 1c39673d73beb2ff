package import Foundation

/// The user's base directories (XDG Base Directory Specification).
package enum UserFolder: Sendable {
    /// `$XDG_CONFIG_HOME`, by default `~/.config`.
    case configuration
    /// `$XDG_STATE_HOME`, by default `~/.local/state`.
    case state
    /// `$XDG_DATA_HOME`, by default `~/.local/share`.
    case data
    /// `$XDG_CACHE_HOME`, by default `~/.cache`.
    case cache

    /// The folder, which need not exist. A variable with a relative path is ignored, as the specification requires.
    package func url(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let named = Self.absolute(environment[place.variable]) { return named }
        let home = Self.absolute(environment["HOME"]) ?? FileManager.default.homeDirectoryForCurrentUser
        return home.appendingPathComponent(place.pathBelowHome, isDirectory: true)
    }

    private static func absolute(_ path: String?) -> URL? {
        path.flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
    }

    private var place: (variable: String, pathBelowHome: String) {
        switch self {
        case .configuration: ("XDG_CONFIG_HOME", ".config")
        case .state: ("XDG_STATE_HOME", ".local/state")
        case .data: ("XDG_DATA_HOME", ".local/share")
        case .cache: ("XDG_CACHE_HOME", ".cache")
        }
    }
}
