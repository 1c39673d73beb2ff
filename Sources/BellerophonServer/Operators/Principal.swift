import BellerophonStore

/// Who sends a request to an operator's endpoint.
struct Principal: Sendable {
    /// The author in the journal.
    let author: Author
    /// Nil for a login on the store's machine, which may do everything.
    let token: TokenRecord?

    var name: String { author.name }

    /// The apps that the person may read about; nil for all.
    var readableApps: Set<String>? { token.flatMap(\.readableApps) }

    func mayRead(_ app: String) -> Bool { token?.mayRead(app) ?? true }
    func mayRead(_ proposal: Proposal) -> Bool { token?.mayRead(proposal) ?? true }
}
