/// How long a status stays valid without confirmation, and what applies after that.
public struct FreshnessPolicy: Equatable, Sendable {
    /// What applies without a known status, or when the last one is older than ``maximumAge``. Default: `.stay`.
    public var whenUnknown: UnknownPolicy
    /// The most time since the server last confirmed the status, at least 1 s. Nil: no limit. Default: 7 days.
    public var maximumAge: Duration?

    /// Creates a policy. A `maximumAge` of less than 1 s becomes 1 s.
    public init(whenUnknown: UnknownPolicy = .stay, maximumAge: Duration? = .seconds(7 * 86_400)) {
        self.whenUnknown = whenUnknown
        self.maximumAge = maximumAge.map { max($0, .seconds(1)) }
    }
}

/// What applies to an app without a known or recent status.
public enum UnknownPolicy: String, Equatable, Sendable, CaseIterable, Codable {
    /// The stage does not change: a killed app stays killed, and an app without any status runs.
    case stay
    /// The app runs.
    case open
    /// The app is covered until a valid status allows it to run.
    case closed
}

/// What a stage is based on.
public enum StageBasis: String, Equatable, Sendable {
    /// No valid status has been seen.
    case nothing
    /// A valid status received in this run.
    case status
    /// The last known status of an earlier run.
    case lastRun
    /// The status that ships with the app.
    case bundled
    /// The ``UnknownPolicy``.
    case policy
    /// The app removed the overlay.
    case dismissal
}
