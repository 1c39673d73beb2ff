import BellerophonBase
import Foundation

/// The values that were set, from all sources. They are ignored when configurations are compared.
struct GivenSettings: Equatable, Sendable {
    var values: [String: JSONValue] = [:]

    static func == (one: GivenSettings, other: GivenSettings) -> Bool { true }
}

extension ServerConfiguration {
    /// The settings that a running server applies on a reload; all others need a restart.
    static let changeable: Set = [
        "tls.certificate", "tls.key", "signing.key", "signing.lifetime", "approval.apps", "approval.lifetime", "log.level",
    ]

    /// The paths of the settings whose values differ, in the file's order. An explicit default equals an absent
    /// setting.
    func differences(from other: ServerConfiguration) -> [String] {
        ServerConfiguration.settings.filter { given.alone($0) != other.given.alone($0) }.map(\.path)
    }

    /// The changed settings that a running server can't apply.
    func needingRestart(for newer: ServerConfiguration) -> [String] {
        var paths = newer.differences(from: self).filter { !Self.changeable.contains($0) }
        // TLS and signing can be changed at run time, but not turned on or off.
        if (tls == nil) != (newer.tls == nil) { paths += ["tls.certificate", "tls.key"] }
        if (signingKey == nil) != (newer.signingKey == nil) { paths.append("signing.key") }
        return paths
    }

    /// Describes who can read the traffic between the server and its clients.
    package enum Exposure: Equatable, Sendable {
        /// Only programs on this machine.
        case thisMachine
        case encrypted
        /// A proxy in front encrypts the traffic, according to the public address.
        case proxied
        /// Everyone on the network path.
        case readable
    }

    /// - Parameter isLoopback: whether the server listens on a loopback address.
    package func exposure(isLoopback: Bool) -> Exposure {
        if tls != nil { return .encrypted }
        if isLoopback { return .thisMachine }
        return reading.publicURL.lowercased().hasPrefix("https://") ? .proxied : .readable
    }
}

extension GivenSettings {
    /// A configuration with this setting only.
    fileprivate func alone(_ setting: Setting<ServerConfiguration>) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        if let value = values[setting.path] { _ = setting.apply(value, &configuration) }
        return configuration
    }
}
