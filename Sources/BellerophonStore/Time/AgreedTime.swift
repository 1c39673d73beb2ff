/// The time by which timed statuses end: what two clocks have reached.
///
/// One clock can be set: this machine's wall clock, or the clock of the database. The other one is monotonic: it runs on while
/// the machine sleeps, and nobody sets it. From the first look on, the monotonic clock says what the first one must show. If it
/// shows something else, it was set, and nobody knows which of the two values is right. The later of the two ends counts then, which
/// is too early only if both are wrong.
///
/// - A small difference is how time services correct a clock, and is followed.
/// - A difference that is gone again was a mistake that somebody has corrected.
/// - With a witness, such as the wall clock beside the clock of the database, the clock that was set is taken as right after a while.
/// - A machine that has just started, or whose clock is before the journal's newest row, gets its time from the network soon.
///   Such a correction is taken at once, and ``reached`` stands still until the clock was left alone for ``settling``.
///
/// It is a value without clocks: each look brings their times. All times are in milliseconds.
struct AgreedTime: Equatable, Sendable {
    /// What both clocks showed at one moment.
    struct Reading: Equatable, Sendable {
        /// Since 1970, by the clock that can be set.
        var wall: Int64
        /// Since the machine's start, by the monotonic clock.
        var steady: Int64
    }

    /// A difference between the clocks.
    struct Jump: Equatable, Sendable {
        /// By how much the clock that can be set is ahead; negative if it is behind.
        let lead: Int64
        /// Since when a witness shows the same as the clock that can be set; nil if none does.
        let witnessed: Int64?
    }

    /// A moment of agreement. It is the same line for every moment, so that it can be kept and used by another process.
    private(set) var anchor: Reading
    /// Nil while the clocks agree.
    private(set) var jump: Jump?
    /// Both clocks have reached this time. It never goes back while a clock counts as right.
    private(set) var reached = Int64.min
    /// Until when the clock is expected to be corrected, by the monotonic clock.
    private var settles: Int64
    /// Whether the first look found the clock before the journal's newest row, so that it was wrong.
    private var isBehind: Bool

    /// The largest difference that is no jump. A leap second makes one second, and reading a clock over the network up to one. A
    /// kill that ends this much too late or too early does no harm.
    static let tolerance: Int64 = 5_000
    /// How long a witness must agree with a clock that was set.
    static let hold: Int64 = 600_000
    static let settling: Int64 = 180_000
    /// A machine that runs for less has just started.
    private static let start: Int64 = 120_000

    /// - Parameters:
    ///   - reading: the clocks now.
    ///   - kept: an anchor of the same run of the machine; nil takes the clock as it is.
    ///   - newest: the date of the journal's newest row.
    init(_ reading: Reading, kept: Reading? = nil, newest: Int64 = .min) {
        anchor = kept ?? reading
        settles = kept == nil && reading.steady < Self.start ? reading.steady + Self.settling : .min
        isBehind = kept == nil && newest != .min && reading.wall < newest - Self.tolerance
        compare(reading)
    }

    /// What the clock must show at a moment of the monotonic clock.
    func expected(at steady: Int64) -> Int64 { anchor.wall + steady - anchor.steady }

    /// Compares the clocks.
    /// - Parameter hasWitness: whether another clock shows the same as the one that can be set.
    mutating func compare(_ reading: Reading, hasWitness: Bool = false) {
        let lead = reading.wall - expected(at: reading.steady)
        if !Self.differ(lead, before: jump != nil) {
            (anchor, jump) = (reading, nil)
        } else if reading.steady < settles || (isBehind && lead > 0) {
            accept(reading)
            settles = reading.steady + Self.settling
        } else {
            let witnessed = hasWitness ? jump?.witnessed ?? reading.steady : nil
            jump = Jump(lead: lead, witnessed: witnessed)
            if let witnessed, reading.steady - witnessed >= Self.hold { accept(reading) }
        }
        if isSettled(at: reading.steady) { reached = max(reached, min(reading.wall, expected(at: reading.steady))) }
    }

    /// Whether two clocks do not agree.
    /// - Parameter before: whether they did not at the last look. A difference at the limit does not come and go.
    static func differ(_ lead: Int64, before: Bool) -> Bool { abs(lead) > (before ? tolerance / 2 : tolerance) }

    /// Whether no correction is expected any more.
    func isSettled(at steady: Int64) -> Bool { steady >= settles }

    /// Takes the clock that can be set as right.
    mutating func accept(_ reading: Reading) {
        (anchor, jump, isBehind) = (reading, nil, false)
        // What is published from now on must not have ended already.
        reached = min(reached, reading.wall)
    }
}
