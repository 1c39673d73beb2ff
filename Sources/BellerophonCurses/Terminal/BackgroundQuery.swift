import TerminalUI

/// The query for the terminal's background: whether it was sent, and whether its reply is outstanding.
///
/// A question that every terminal answers follows it (DA1). Replies come in order, so after that one no other is outstanding, whether the
/// terminal knows the query or not.
struct BackgroundQuery {
    /// A reply after this time is not used: a change of colours would be noticed.
    static let limit = Duration.seconds(1)
    /// A terminal that has not replied by then does not.
    static let longestDelay = Duration.seconds(5)

    /// The longest reply to the query, in bytes.
    private static let longestReply = 64

    /// The query, and the question behind it.
    static let bytes = TerminalBackground.query + "\u{1B}[c"

    private var isWanted: Bool
    private var asked: ContinuousClock.Instant?
    private var isUsed = false

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
        asked.map { now < $0 + Self.longestDelay } ?? false
    }

    /// Handles a control string or sequence of the terminal.
    /// - Returns: the background if it is the first reply to the query, and in time.
    mutating func receive(_ reply: [UInt8], at now: ContinuousClock.Instant) -> TerminalBackground? {
        guard let asked else { return nil }
        let text = String(decoding: reply, as: UTF8.self)
        // The reply to the last question is as `CSI ? 62 ; 4 c`.
        if text.hasPrefix("\u{1B}[?") || text.hasPrefix("\u{9B}?"), text.hasSuffix("c") {
            self.asked = nil
            return nil
        }
        guard !isUsed, now < asked + Self.limit, reply.count <= Self.longestReply, text.hasPrefix("\u{1B}]11;") else {
            return nil
        }
        isUsed = true
        let body = text.dropFirst(5)
        return TerminalBackground(reply: String(body.hasSuffix("\u{1B}\\") ? body.dropLast(2) : body.dropLast()))
    }
}
