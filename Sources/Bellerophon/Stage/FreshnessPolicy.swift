/// For how long a status may be relied on without being confirmed, and what holds after that.
public struct FreshnessPolicy: Equatable, Sendable {
    /// What holds where no status is known, or the last one is older than ``maximumAge``.
    public var whenUnknown: UnknownPolicy
    /// Since the server confirmed the status last. Nil: a status never grows stale. Default: 7 days.
    public var maximumAge: Duration?

    public init(whenUnknown: UnknownPolicy = .stay, maximumAge: Duration? = .seconds(7 * 86_400)) {
        self.whenUnknown = whenUnknown
        self.maximumAge = maximumAge.map { max($0, .seconds(1)) }
    }
}

/// What holds for an app of which nothing is known, or nothing recent.
public enum UnknownPolicy: String, Equatable, Sendable, CaseIterable, Codable {
    /// It stays as it was: a killed app stays killed, and one that never heard of a status runs.
    case stay
    /// It runs.
    case open
    /// It is covered until a valid status says that it may run.
    case closed
}

/// What a stage rests on.
public enum StageBasis: String, Equatable, Sendable {
    /// No valid status has been seen.
    case nothing
    /// A valid status of this run.
    case status
    /// The last known status of an earlier run.
    case lastRun
    /// The status that ships with the app.
    case bundled
    /// The policy for an unknown status.
    case policy
    /// The app took the overlay away.
    case dismissal
}
