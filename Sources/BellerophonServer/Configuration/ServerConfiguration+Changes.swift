import BellerophonBase

extension ServerConfiguration {
    /// The settings that a running server applies on a reload; all others need a restart.
    static let changeable: Set = [
        "tls.certificate", "tls.key", "signing.key", "signing.lifetime", "approval.apps", "approval.lifetime", "log.level",
    ]

    /// The paths of the settings whose values differ, in the file's order. An explicit default equals an absent
    /// setting.
    func differences(from other: ServerConfiguration) -> [String] {
        Self.settings.filter { alone($0) != other.alone($0) }.map(\.path)
    }

    /// A configuration with this setting only.
    private func alone(_ setting: Setting<ServerConfiguration>) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        if let value = given[setting.path] { _ = setting.apply(value, &configuration) }
        return configuration
    }

    /// The changed settings that a running server can't apply.
    func needingRestart(for newer: ServerConfiguration) -> [String] {
        var paths = newer.differences(from: self).filter { !Self.changeable.contains($0) }
        // TLS and signing can be changed at run time, but not turned on or off.
        if (tls == nil) != (newer.tls == nil) { paths += ["tls.certificate", "tls.key"] }
        if (signingKey == nil) != (newer.signingKey == nil) { paths.append("signing.key") }
        return paths
    }
}
