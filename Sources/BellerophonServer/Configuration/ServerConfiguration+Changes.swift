#if Server
import BellerophonBase
import Foundation

/// The values that were set, from whichever source. Two configurations are equal whatever way they came about.
struct GivenSettings: Equatable, Sendable {
    var values: [String: JSONValue] = [:]

    static func == (one: GivenSettings, other: GivenSettings) -> Bool { true }
}

extension ServerConfiguration {
    /// What a running server takes over when its configuration is read anew; everything else needs a restart.
    static let changeable: Set = ["tls.certificate", "tls.key", "signing.key", "signing.lifetime", "log.level"]

    /// The paths of the settings whose values differ, in the file's order. One that is set to what holds without it is as
    /// good as not set.
    func differences(from other: ServerConfiguration) -> [String] {
        ServerConfiguration.settings.filter { given.alone($0) != other.given.alone($0) }.map(\.path)
    }

    /// The settings of a newer configuration that a server with this one can't take over while it runs.
    func needingRestart(for newer: ServerConfiguration) -> [String] {
        var paths = newer.differences(from: self).filter { !Self.changeable.contains($0) }
        // What every connection and document is made with can be exchanged, and not begin or end.
        if (tls == nil) != (newer.tls == nil) { paths += ["tls.certificate", "tls.key"] }
        if (signingKey == nil) != (newer.signingKey == nil) { paths.append("signing.key") }
        return paths
    }

    /// Who can read what passes between the server and its clients.
    package enum Exposure: Equatable, Sendable {
        /// Programs on this machine only.
        case thisMachine
        case encrypted
        /// A proxy in front encrypts, as the public address says.
        case proxied
        /// Everybody on the way.
        case readable
    }

    /// - Parameter isLoopback: whether the address that the server listens on is this machine's own.
    package func exposure(isLoopback: Bool) -> Exposure {
        if tls != nil { return .encrypted }
        if isLoopback { return .thisMachine }
        return reading.publicURL.lowercased().hasPrefix("https://") ? .proxied : .readable
    }
}

extension GivenSettings {
    /// What a setting makes of a configuration without any other.
    fileprivate func alone(_ setting: Setting<ServerConfiguration>) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        if let value = values[setting.path] { _ = setting.apply(value, &configuration) }
        return configuration
    }
}
#endif
