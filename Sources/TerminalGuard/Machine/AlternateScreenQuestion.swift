/// What is known of a terminal's alternate screen before the terminal is asked.
package enum AlternateScreenClaim: Equatable, Sendable, CaseIterable {
    /// Its description has none. The terminal is not asked.
    case none
    /// Its description has one. A terminal that does not reply is believed to have it.
    case described
    /// The same, and the terminal is known to understand the question for a mode. Others print the last letter of it.
    case askable
    /// Its description has one, and a setting of the terminal may turn it off: tmux.
    case optional
    /// Its description has one, but the terminal usually has none: GNU screen.
    case doubtful

    /// What is believed until the terminal has replied.
    package var isBelieved: Bool { self != .none && self != .doubtful }

    /// Beginnings of the names of terminals that understand the question for a mode. A name that many share, as `xterm-256color`, says
    /// nothing, and neither does a variable, which a terminal passes on to another one that is started in it.
    private static let namesOfAskable = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm"]

    /// - Parameters:
    ///   - isDescribed: whether the terminal's description has an alternate screen.
    ///   - environment: `TERM`, `TMUX` and `STY` are read. GNU screen sets the last one, tmux the second.
    package init(isDescribed: Bool, environment: [String: String]) {
        let isSet = { (name: String) in environment[name]?.isEmpty == false }
        let name = environment["TERM"] ?? ""
        if !isDescribed {
            self = .none
        } else if isSet("TMUX") || name.hasPrefix("tmux") {
            self = .optional
        } else {
            self =
                isSet("STY") || name.hasPrefix("screen")
                ? .doubtful : Self.namesOfAskable.contains(where: name.hasPrefix) ? .askable : .described
        }
    }
}

/// Finds out whether the terminal has an alternate screen, because not all have one whose description says so.
///
/// The guard asks for the mode together with the cursor's place where the terminal is known to understand that. Another one, or one that
/// does not report the mode, is asked by trying: it switches to the alternate screen, moves the cursor, and switches back. If the cursor is not where it was, there was no other
/// screen.
struct AlternateScreenQuestion: Sendable {
    private let claim: AlternateScreenClaim
    /// The trial: where the cursor was before, and where it was moved on the other screen; nil before it.
    private var trial: (from: CursorReport, to: CursorReport)?

    /// Whether the terminal was asked by trying, so that it has replied before.
    var hasTried: Bool { trial != nil }

    init(_ claim: AlternateScreenClaim) {
        self.claim = claim
    }

    /// What the terminal is asked at the start.
    var bytes: [UInt8] { Array(((claim == .askable ? "\u{1B}[?1049$p" : "") + "\u{1B}[6n").utf8) }

    /// How long the start and a cover wait for the reply. tmux and GNU screen always reply, and so does a terminal that has replied
    /// once.
    var patience: Duration {
        switch claim {
        case .optional, .doubtful: GuardMachine.sureReportTime
        case .none, .described, .askable: trial == nil ? GuardMachine.cursorReportTime : GuardMachine.sureReportTime
        }
    }

    /// How much longer the end of the guard waits for a reply that is late.
    var latePatience: Duration { trial == nil ? GuardMachine.lateReportTime : GuardMachine.replyTime }

    /// What follows from a report of the cursor's place.
    enum Step: Equatable {
        /// These bytes are sent, and another report is awaited.
        case ask([UInt8])
        /// The cursor is there. `hasScreen`: whether there is an alternate screen; nil if the terminal has not said it.
        case done(CursorReport, hasScreen: Bool?)
    }

    /// Takes a report of the cursor's place.
    /// - Parameter mode: what the terminal has reported of the mode before: 1 set, 2 reset, 0 unknown; nil without a report.
    mutating func evaluate(_ report: CursorReport, mode: Int?, size: (columns: Int, rows: Int)) -> Step {
        if let trial {
            // A third place means that something else has moved the cursor.
            return .done(trial.from, hasScreen: report == trial.from ? true : report == trial.to ? false : nil)
        }
        switch (claim, mode) {
        case (.none, _): return .done(report, hasScreen: nil)
        case (.askable, 1?), (.askable, 2?): return .done(report, hasScreen: true)
        default: break
        }
        let places = [CursorReport(column: 1, row: 1), CursorReport(column: 0, row: 0)]
        guard let other = places.first(where: { $0 != report && $0.column < size.columns && $0.row < size.rows }) else {
            return .done(report, hasScreen: nil)
        }
        trial = (report, other)
        return .ask(Self.trial(movingTo: other))
    }

    /// Switches to the alternate screen and back, and asks where the cursor is. In a synchronized update nothing of it is seen.
    private static func trial(movingTo place: CursorReport) -> [UInt8] {
        let move = "\u{1B}[\(place.row + 1);\(place.column + 1)H"
        return Array("\u{1B}[?2026h\u{1B}7\u{1B}[?1049h\(move)\u{1B}[?1049l\u{1B}[6n\u{1B}8\u{1B}[?2026l".utf8)
    }
}
