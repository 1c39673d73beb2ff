/// The query for the terminal's background: whether it was sent, and whether its reply is outstanding.
struct BackgroundQuery {
    /// A terminal that has not replied by then does not, or is so slow that a change of colours would be noticed.
    static let limit = Duration.seconds(1)

    private var isWanted: Bool
    private var asked: ContinuousClock.Instant?

    /// - Parameter isWanted: whether to ask at all.
    init(isWanted: Bool) {
        self.isWanted = isWanted
    }

    /// Sends the query at the first call.
    mutating func askOnce(at now: ContinuousClock.Instant, _ send: () -> Void) {
        guard isWanted else { return }
        isWanted = false
        asked = now
        send()
    }

    /// Whether a reply may still come.
    func isOutstanding(at now: ContinuousClock.Instant) -> Bool {
        asked.map { now < $0 + Self.limit } ?? false
    }

    /// Notes a reply.
    /// - Returns: whether it counts: it is the first one, and in time.
    mutating func takeReply(at now: ContinuousClock.Instant) -> Bool {
        defer { asked = nil }
        return isOutstanding(at: now)
    }
}
