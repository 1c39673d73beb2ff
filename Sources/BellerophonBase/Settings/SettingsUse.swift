/// The settings that a command uses. What is wrong with any other setting is a warning and does not block the command.
package struct SettingsUse: Equatable, Sendable {
    private let paths: [String]
    private let isExclusion: Bool

    /// Every setting.
    package static let all = except()

    /// Only the settings at these paths and below them.
    package static func only(_ paths: String...) -> SettingsUse { .init(paths: paths, isExclusion: false) }

    /// All settings but those at these paths and below them.
    package static func except(_ paths: String...) -> SettingsUse { .init(paths: paths, isExclusion: true) }

    /// Whether the command uses the setting with this path.
    package func contains(_ path: String) -> Bool {
        paths.contains { path == $0 || path.hasPrefix("\($0).") } != isExclusion
    }
}

/// What was read from a file or from the environment.
package struct SettingsRead {
    /// The values that were set, by path.
    package internal(set) var values: [String: JSONValue] = [:]
    /// The lines of the file that set them, by path.
    package internal(set) var lines: [String: Int] = [:]
    /// The problems with settings that the command does not use.
    package internal(set) var warnings: [String] = []
}
