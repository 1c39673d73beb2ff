#if Server
import BellerophonTrust
import Foundation
import Logging

/// Everything that an operator can set.
package struct ServerConfiguration: Equatable, Sendable {
    package enum LogFormat: String, Sendable, CaseIterable { case text, json }

    /// The store's folder; nil for the usual one.
    package var store: String?
    /// This machine only, unless told otherwise.
    package var host = "127.0.0.1"
    /// Zero takes any free one.
    package var port = 8080
    /// A larger file is no configuration, in bytes.
    package static let fileLimit = 1 << 20
    /// Event loops; nil for one on each core.
    package var threads: Int?
    package var tls: TLSFiles?
    package var reading = ReadSettings()
    /// The file of the key that signs statuses and manifests; nil where nothing is signed.
    package var signingKey: String?
    /// For how long a signed document holds.
    package var signingLifetime = Duration.seconds(86_400)
    package var heartbeat = Duration.seconds(15)
    package var limits = Limits()
    package var logFormat = LogFormat.text
    package var logLevel = Logger.Level.info
    /// One line for each request.
    package var logsAccess = false
    /// What was set, by its path in the file.
    var given = GivenSettings()

    package init() {}

    /// More loops than cores only get in each other's way.
    var loopCount: Int {
        let cores = max(ProcessInfo.processInfo.activeProcessorCount, 1)
        return min(max(threads ?? cores, 1), cores)
    }

    /// What the read model is rendered with: the settings, and what a client's address begins with.
    var readSettings: ReadSettings {
        var settings = reading
        settings.scheme = tls == nil ? "http" : "https"
        return settings
    }

    /// What signs; nil without a key.
    /// - Throws: ``ServerError`` where the key's file can't be used.
    func signer() throws(ServerError) -> DocumentSigner? {
        guard let signingKey else { return nil }
        do {
            return DocumentSigner(try SigningKey.read(file: URL(fileURLWithPath: signingKey)), lifetime: signingLifetime)
        } catch {
            throw ServerError("signing.key: \(error)")
        }
    }

    /// Whether caches may keep signed documents for less than what is set: longer, and they would hand out expired ones.
    var shortensCaching: Bool {
        let cached = reading.cache.sharedMaxAge + reading.cache.staleWhileRevalidate
        return signingKey != nil && 2 * Int64(cached) >= signingLifetime.components.seconds
    }

    func lane(_ logger: Logger) -> LaneSettings {
        LaneSettings(
            limits: limits, heartbeat: heartbeat, metaPath: reading.metaPath, dataPath: reading.dataPath,
            logsAccess: logsAccess, logger: logger
        )
    }
}
#endif
