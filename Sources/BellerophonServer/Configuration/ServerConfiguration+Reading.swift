import BellerophonBase
import Foundation

extension ServerConfiguration {
    private static let reader = SettingsReader(settings)

    /// Applies a file's settings over the current ones. All problems are reported, not only the first.
    /// - Parameter origin: the file's name, for the errors.
    package mutating func apply(file data: Data, origin: String) throws(ConfigurationError) {
        given.merge(try Self.reader.apply(file: data, origin: origin, to: &self).values) { $1 }
    }

    /// Applies the environment's variables over the current settings. `PORT` has lower precedence than our own
    /// variable.
    ///
    /// An empty variable counts as absent, except an empty `BELLEROPHON_SERVER_SIGNING_KEY`, which is an error. `HOST` is not read, because some shells set it to the machine's name.
    package mutating func apply(environment: [String: String]) throws(ConfigurationError) {
        if let port = environment["PORT"], !port.isEmpty { try apply("server.port", text: port, origin: "PORT") }
        given.merge(try Self.reader.apply(environment: environment, to: &self).values) { $1 }
    }

    /// Applies one setting over the current ones.
    /// - Parameters:
    ///   - text: the value as in a flag or variable; numbers and booleans are parsed where the setting expects them.
    ///   - origin: the flag or variable, for the errors.
    package mutating func apply(_ path: String, text: String, origin: String) throws(ConfigurationError) {
        given[path] = try Self.reader.apply(path, text: text, origin: origin, to: &self)
    }

    /// Checks the rules that involve several settings.
    package func validate() throws(ConfigurationError) {
        var problems: [String] = []
        if let tls, tls.certificate.isEmpty || tls.key.isEmpty {
            problems.append(
                "tls: certificate and key belong together; \(tls.key.isEmpty ? "tls.key" : "tls.certificate") is missing")
        }
        if hooks.secret != nil, hooks.url == nil { problems.append("hooks.secret: means nothing without hooks.url") }
        if limits.streams > limits.connections {
            problems.append(
                "limits.streams: expected at most limits.connections (\(limits.connections)), found \(limits.streams)")
        }
        guard problems.isEmpty else { throw ConfigurationError(origin: "", problems: problems) }
    }
}
