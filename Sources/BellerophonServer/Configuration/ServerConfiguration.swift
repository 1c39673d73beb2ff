import BellerophonBase
import BellerophonStore
import BellerophonTrust
import Foundation
import Logging

/// All settings of the server.
package struct ServerConfiguration: Equatable, Sendable {
    package enum LogFormat: String, Sendable, CaseIterable { case text, json }

    /// The store's folder, or the address of the database that several servers share; nil for the default folder.
    package var store: String?
    /// The folder of this machine's copy of a shared store; nil for the default one.
    package var copy: String?
    /// The folder in which servers share the bytes of resources; nil if the database has them.
    package var content: String?
    /// The listening address; by default only this machine can connect.
    package var host = "127.0.0.1"
    /// Zero selects a free port.
    package var port = 8080
    /// The maximum size of a configuration file, in bytes.
    package static let fileLimit = 1 << 20
    package var tls: TLSFiles?
    package var reading = ReadSettings()
    /// The file of the key that signs statuses and manifests; nil if nothing is signed.
    package var signingKey: String?
    /// The time for which a signed document is valid.
    package var signingLifetime = Duration.seconds(86_400)
    package var heartbeat = Duration.seconds(15)
    package var hooks = WebhookSettings()
    /// The apps whose statuses take two persons.
    package var approval = ApprovalRule()
    /// Whether the page `/console` is served.
    package var hasConsole = false
    package var limits = Limits()
    package var logFormat = LogFormat.text
    package var logLevel = Logger.Level.info
    /// Whether each request is logged.
    package var logsAccess = false
    /// The values that were set, by path.
    var given: [String: JSONValue] = [:]

    package init() {}

    /// Where the store is.
    package func storeLocation(_ environment: [String: String]) -> StoreLocation {
        let usual = UserFolder.data.url(environment).appendingPathComponent("bellerophon-server", isDirectory: true)
        guard let store else { return .folder(usual) }
        return StoreLocation(
            store, copy: copy.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? usual,
            content: content.map { URL(fileURLWithPath: $0, isDirectory: true) })
    }

    /// Where the server listens.
    package var listeningAddress: String { "\(host) port \(port)" }

    /// The settings of the read model, with the scheme that results from `tls`.
    var readSettings: ReadSettings {
        var settings = reading
        settings.scheme = tls == nil ? "http" : "https"
        return settings
    }

    /// Creates the signer; nil without a key.
    /// - Throws: ``ServerError`` if the key's file can't be used.
    func signer() throws(ServerError) -> DocumentSigner? {
        guard let signingKey else { return nil }
        do {
            return DocumentSigner(try SigningKey.read(file: URL(fileURLWithPath: signingKey)), lifetime: signingLifetime)
        } catch {
            throw ServerError("signing.key: \(error)")
        }
    }
}
