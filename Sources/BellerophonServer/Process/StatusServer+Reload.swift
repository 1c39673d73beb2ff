#if Server
import Foundation
import Logging

extension StatusServer {
    /// What became of a configuration that was read anew.
    package struct Reloaded: Equatable, Sendable {
        /// When the certificate that new connections get expires; nil without TLS.
        package var certificateExpiry: Date?
        /// The settings that differ and count only after a restart, by their paths in the file.
        package var needRestart: [String]
    }

    /// Takes over what of a configuration can change while the server runs: the TLS certificate and its key for new
    /// connections, and the key that signs, with which everything is signed anew at once. Files that have the same names
    /// as before are read anew.
    /// - Throws: ``ServerError`` where a file can't be used; nothing is changed then.
    package func reload(_ newer: ServerConfiguration) async throws(ServerError) -> Reloaded {
        var loaded: LoadedCertificate?
        if certificate != nil, let files = newer.tls { loaded = try files.load(logger) }
        let signer = configuration.signingKey == nil ? nil : try newer.signer()
        // Nothing fails from here on.
        if let loaded { certificate?.set(loaded) }
        if let signer { await publisher.sign(with: signer) }
        return Reloaded(certificateExpiry: certificateExpiry, needRestart: configuration.needingRestart(for: newer))
    }
}
#endif
