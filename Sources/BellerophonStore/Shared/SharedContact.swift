/// Whether this server has the rows of a shared journal.
package struct SharedContact: Equatable, Sendable {
    /// When this server asked the journal and learned that it had every row; nil before the first time.
    package var last: ContinuousClock.Instant?
    /// Why it may lack rows, or can't add any; nil if all is well.
    package var problem: SharedProblem? = SharedProblem(StoreError(.unavailable, "it was not reached yet"))
    /// Whether this server leads, as it last heard.
    package var lead = SharedLead()
    /// The SHA-256 of resources whose bytes are not here yet.
    package var missing: Set<String> = []
    /// Increases with every change of what is shown beside the rows of the copy.
    package internal(set) var generation: Int64 = 0

    /// Whether the journal was reached at the last try.
    package var isReached: Bool { problem?.isUnreachable != true }

    /// - Parameter asked: when the journal was asked for more rows and had none. Rows may have been added while its reply was on
    ///   the way.
    mutating func reached(asked: ContinuousClock.Instant) { (last, problem) = (asked, nil) }

    /// What holds for replies that were made from what was known earlier: they are as old as that, and lack what was lacking then.
    package func serving(_ earlier: SharedContact) -> SharedContact {
        var contact = self
        contact.last = earlier.last
        contact.problem = problem ?? earlier.problem
        contact.missing.formUnion(earlier.missing)
        return contact
    }
}

/// Why a server may not have every row of a shared journal.
package struct SharedProblem: Equatable, Sendable {
    private let cause: StoreError
    /// Whether the copy has rows that the journal does not have.
    private let isDiverged: Bool

    init(_ cause: StoreError, isDiverged: Bool = false) { (self.cause, self.isDiverged) = (cause, isDiverged) }

    /// Whether the journal can't be read or written.
    var isUnreachable: Bool { !isDiverged && (cause.kind == .unavailable || cause.kind == .unknown) }

    /// The error of what can't be done meanwhile.
    var error: StoreError {
        isUnreachable ? StoreError(.unavailable, "the shared store is out of reach: \(cause)") : cause
    }

    /// What a person should know.
    package var text: String { cause.description }

    /// What anybody may know who asks the server whether it is ready: no path and no address.
    package var reason: String {
        if isDiverged { return "this server's copy has rows that the shared journal does not have; a person has to decide" }
        switch cause.kind {
        case .unavailable, .unknown: return "the shared store is out of reach"
        case .unconfirmed: return "a standby of the shared store does not confirm the newest rows"
        case .full: return "new rows of the shared journal can't be taken: the disk of this server's copy is full"
        case .newerStore: return "new rows of the shared journal can't be taken: they need a newer bellerophon-server"
        default: return "new rows of the shared journal can't be taken by this server's copy"
        }
    }
}
