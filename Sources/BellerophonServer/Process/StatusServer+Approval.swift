import BellerophonStore
import Logging

extension StatusServer {
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
