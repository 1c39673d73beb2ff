/// The kind of slot that a request takes while an endpoint handles it. Each kind has its own limit, so that many or slow requests
/// of one kind do not affect the others.
enum RequestSlot: Int, Sendable, CaseIterable {
    /// Publishing a status, proposing one or a change of the rule of two persons, deciding on a proposal, rolling a resource back,
    /// removing versions, and changing tokens.
    case publishing
    /// Uploading a resource, which may take long.
    case uploads
    /// The journal, the rule of two persons, and the lists of scopes, resources, proposals and tokens.
    case operatorReads
    /// Any operator's request whose token is not in the last snapshot of the store. The token may be new or invalid.
    case unknownTokens
    /// `/metrics` and `/ready`.
    case figures
    case downloads
    case others
}
