/// The sync state of one resource. One sync runs at a time; requests and announcements may cause one more.
struct ContentSync {
    /// The running sync, or the one that waits for its pause to end.
    var task: Task<Void, Never>?
    /// Whether the user requested it.
    var isAsked = false
    /// Whether another sync was requested during this one, whose requests may have been too early.
    var isWantedAgain = false
    /// The highest version that a server has announced.
    private(set) var noticed: Int64 = -1
    /// The version for which a sync was repeated.
    private var repeatedFor: Int64 = -1
    private var followedAt: ContinuousClock.Instant?

    /// The minimum time between the starts of two syncs that announcements cause.
    static let gap: Duration = .seconds(1)

    mutating func recordAnnouncement(of version: Int64) {
        noticed = max(noticed, version)
    }

    /// The wait before a sync that an announcement causes. Records the start of that sync.
    mutating func pause(at now: ContinuousClock.Instant) -> Duration {
        let pause = followedAt.map { max(Self.gap - $0.duration(to: now), .zero) } ?? .zero
        followedAt = now + pause
        return pause
    }

    /// Records the end of the sync.
    /// - Parameter version: the version in use now.
    /// - Returns: whether to sync once more: another sync was requested, or a newer version was announced, possibly after
    ///   the request. An announced version causes only one repetition, because the server may not serve it.
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
