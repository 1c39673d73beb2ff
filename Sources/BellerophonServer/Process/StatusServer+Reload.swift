import Foundation
import Logging

extension StatusServer {
    /// The result of reloading the configuration.
    package struct Reloaded: Equatable, Sendable {
        /// When the certificate for new connections expires; nil without TLS.
        package var certificateExpiry: Date?
        /// The changed settings that need a restart, by their paths in the file.
        package var needRestart: [String]
    }

    /// Applies the settings that can change at run time: the TLS certificate and its key, for new connections, and the
    /// signing key, with which everything is signed again at once, and the rule of two persons. Files are read again even
    /// if their names are unchanged.
    /// - Throws: ``ServerError`` if a file can't be used; nothing is changed then.
    package func reload(_ newer: ServerConfiguration) async throws(ServerError) -> Reloaded {
        var loaded: LoadedCertificate?
        if certificate != nil, let files = newer.tls { loaded = try files.load() }
        let signer = configuration.signingKey == nil ? nil : try newer.signer()
        // Nothing can fail from here on.
        if let loaded { certificate?.set(loaded) }
        if let signer { await publisher.sign(with: signer) }
        await Self.adopt(newer.approval, in: store, logger)
        return Reloaded(certificateExpiry: certificateExpiry, needRestart: configuration.needingRestart(for: newer))
    }
}
