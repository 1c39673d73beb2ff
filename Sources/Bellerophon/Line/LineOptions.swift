import Foundation
public import StatusModel

/// How `withKillSwitch` checks the status, and how it ends the process.
public struct LineOptions: Sendable {
    /// Accepts only signed statuses. If nil, the verifier of the ``source`` applies. Statuses accepted without a verifier are kept
    /// in another file. Default: nil.
    public var verifier: (any StatusVerifier)?
    /// How long a status stays valid without confirmation, and what applies after that.
    public var freshness = FreshnessPolicy()
    /// The waits between checks.
    public var policy = PollPolicy()
    /// How statuses reach the program: polling, a stream, or both. Default: `.auto`.
    public var transport = Transport.auto
    /// Supplies the status in place of a request without special headers, for example
    /// `URLSessionStatusSource(url: url, headers: ["X-Key": key], requiresTLS: true)`. Default: nil.
    public var source: (any StatusSource)?
    /// The longest time from a kill to the end of the process, also if the body does not end and the closure `onKill` does not
    /// return. Default: 10 s.
    public var grace = Duration.seconds(10)
    /// The longest time that the start waits for the first status. Default: 2 s.
    public var startTimeout = Duration.seconds(2)
    /// The exit status of a process that a status has ended or not let start. Default: 75 (`EX_TEMPFAIL`), as that of
    /// `bellerophon guard`.
    public var exitStatus: Int32 = 75
    /// Whether the last status is kept in the user's state folder, so that a restart without a network does not escape a kill. The
    /// file is the same as that of a `KillSwitch` with the same app and address. Default: true.
    public var remembersStatus = true
    /// The languages that the person reads, for the line that says why the process ends. Default: those of the environment.
    public var languages = LanguagePreference.current

    /// Whether notices, which are lines on standard error if that is a terminal, offer newer versions. Default: true, and false if
    /// the environment variable `NO_UPDATE_NOTIFIER` is set.
    public var showsOffers = OfferPreference.isAllowed(in: ProcessInfo.processInfo.environment)

    /// Creates options with their defaults.
    public init() {}
}
