/// What is known about the syncs of one resource: one runs at a time, and what a server has told decides on one more.
struct ContentSync {
    /// The sync that is under way, or that waits for its pause to end.
    var task: Task<Void, Never>?
    /// Whether a person waits for it.
    var isAsked = false
    /// Whether somebody asked while it ran: the servers may have been asked before what is wanted was there.
    var isWantedAgain = false
    /// The highest version that a server has told of.
    private(set) var noticed: Int64 = -1
    /// The version for which a sync was repeated.
    private var repeatedFor: Int64 = -1
    private var followedAt: ContinuousClock.Instant?

    /// Between the beginnings of two syncs that a server's word leads to.
    static let gap: Duration = .seconds(1)

    mutating func take(_ version: Int64) {
        noticed = max(noticed, version)
    }

    /// How long to wait before a sync that a server's word leads to, which is then noted as begun.
    mutating func pause(at now: ContinuousClock.Instant) -> Duration {
        let pause = followedAt.map { max(Self.gap - $0.duration(to: now), .zero) } ?? .zero
        followedAt = now + pause
        return pause
    }

    /// Notes the end of the sync.
    /// - Parameter version: the one in use now.
    /// - Returns: whether to sync once more: somebody asked meanwhile, or a newer version was told of, perhaps after the server had been asked. Once
    ///   only, for a server may tell of what it does not serve.
    mutating func end(at version: Int64) -> Bool {
        task = nil
        isAsked = false
        if isWantedAgain {
            isWantedAgain = false
            return true
        }
        guard version < noticed, repeatedFor < noticed else { return false }
        repeatedFor = noticed
        return true
    }
}
