import BellerophonStore
import Logging

extension StatusServer {
    /// Applies the settings that can change at run time: the TLS certificate and its key, for new connections, and the
    /// signing key, with which everything is signed again at once, and the rule of two persons. Files are read again even
    /// if their names are unchanged.
    /// - Returns: the changed settings that need a restart, by their paths in the file.
    /// - Throws: ``ServerError`` if a file can't be used; nothing is changed then.
    package func reload(_ newer: ServerConfiguration) async throws(ServerError) -> [String] {
        var loaded: LoadedCertificate?
        if certificate != nil, let files = newer.tls { loaded = try files.load() }
        let signer = configuration.signingKey == nil ? nil : try newer.signer()
        // Nothing can fail from here on.
        if let loaded { certificate?.set(loaded) }
        if let signer { await publisher.sign(with: signer) }
        await Self.adopt(newer.approval, in: store, logger)
        return configuration.needingRestart(for: newer)
    }

    /// Adds the configuration's rule of two persons to the store's, which holds for commands and other servers too.
    static func adopt(_ rule: ApprovalRule, in store: Store, _ logger: Logger) async {
        do {
            let present = try await store.tightenApprovalRule(to: rule)
            if present != rule {
                logger.warning(
                    "the store's rule of two persons is stricter than this server's configuration, and holds",
                    metadata: [
                        "rule": "\(present.text)", "configuration": "\(rule.text)",
                        "do": "correct the settings, or let two persons change it: bellerophon-server approval propose",
                    ])
            }
            let tokens = try store.tokensBeyondRule()
            guard !tokens.isEmpty else { return }
            logger.warning(
                "tokens that are older than the rule of two persons can publish and make tokens",
                metadata: [
                    "tokens": "\(tokens.joined(separator: ", "))",
                    "do": "make two tokens in place of each, one that publishes and one with the scope tokens, and revoke it",
                ])
        } catch {
            // What is published must be served also from a disk that is full.
            logger.error(
                "approval.apps could not be applied; the store's rule holds",
                metadata: ["error": "\(error)", "do": "run 'bellerophon-server reload' once the store can be written"])
        }
    }
}
